import { expect, test } from 'vitest';
import { requireEncoding, requireVersion } from './server.ts';

test('a server that is too old is rejected with its version, a newer one is accepted', () => {
  expect(() => requireVersion(140024)).toThrow(
    'PostgreSQL 15 or newer is needed; this server is PostgreSQL 14',
  );
  expect(() => requireVersion(150000)).not.toThrow();
  expect(() => requireVersion(190000)).not.toThrow();
});

test('a database in another encoding than UTF-8 is rejected with its name', () => {
  expect(() => requireEncoding('LATIN1')).toThrow('the database must be in UTF8; it is in LATIN1');
  expect(() => requireEncoding('UTF8')).not.toThrow();
});
