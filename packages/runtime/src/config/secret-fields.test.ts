import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './secret-fields.ts';

describe('the fields of a log line', () => {
  it('contain no secret on any of three levels, nor in lists', () => {
    const said = withoutSecrets({
      apiSecret: 'one',
      request: { headers: { authorization: 'two', host: 'h' }, password: 'three' },
      keys: [{ secret: 'four', id: 5 }],
    });
    expect(said).toEqual({
      apiSecret: '[redacted]',
      request: { headers: { authorization: '[redacted]', host: 'h' }, password: '[redacted]' },
      keys: [{ secret: '[redacted]', id: 5 }],
    });
  });

  it('are returned unchanged without a secret, and the input is never modified', () => {
    const plain = { requestId: 'r', status: 200, err: new Error('e'), nothing: null };
    expect(withoutSecrets(plain)).toBe(plain);
    const given = { token: 't', deep: { token: 't' } };
    withoutSecrets(given);
    expect(given).toEqual({ token: 't', deep: { token: 't' } });
  });
});
