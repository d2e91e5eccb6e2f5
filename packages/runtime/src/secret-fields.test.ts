import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './secret-fields.ts';

describe('what a log line says', () => {
  it('has no secret on any of three levels, in lists neither', () => {
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

  it('is what it was given when there is no secret in it, and what was given is never changed', () => {
    const plain = { requestId: 'r', status: 200, err: new Error('e'), nothing: null };
    expect(withoutSecrets(plain)).toBe(plain);
    const given = { token: 't', deep: { token: 't' } };
    withoutSecrets(given);
    expect(given).toEqual({ token: 't', deep: { token: 't' } });
  });
});
