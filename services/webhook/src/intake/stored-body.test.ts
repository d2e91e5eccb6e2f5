import { expect, test } from 'vitest';
import { storedBody } from './stored-body.ts';

test('JSON stays as it is, byte for byte', () => {
  for (const text of ['{}', '{"name":"Zoë 🎉"}', ' [1,\n2] ']) {
    expect(storedBody(Buffer.from(text)).toString()).toBe(text);
  }
});

test('what Postgres could not read as text is taken out', () => {
  expect(storedBody(Buffer.from('a\0b')).toString()).toBe('ab');
  expect(storedBody(Buffer.from([0x61, 0xff, 0x62])).toString()).toBe('a\ufffdb');
});
