import { expect, test } from 'vitest';
import { requireVersion } from './version.ts';

test('a server that is too old is refused by name, a newer one is taken', () => {
  expect(() => requireVersion(150018)).toThrow(
    'PostgreSQL 18 or newer is needed; this server is PostgreSQL 15',
  );
  expect(() => requireVersion(180004)).not.toThrow();
  expect(() => requireVersion(190000)).not.toThrow();
});
