import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, count, flag, listenAddress, loadConfig } from './config.ts';

const schema = z.object({ LISTEN: listenAddress, SECRET: z.string().min(16), ON: flag, LIMIT: count });

test('parses what fits', () => {
  const env = { LISTEN: '127.0.0.1:0', SECRET: 'long enough to be one', ON: 'true', LIMIT: '7', OTHER: 'x' };
  expect(loadConfig(schema, env)).toEqual({
    LISTEN: { host: '127.0.0.1', port: 0 },
    SECRET: 'long enough to be one',
    ON: true,
    LIMIT: 7,
  });
});

test('reports every fault at once and repeats no value', () => {
  const load = (): unknown => loadConfig(schema, { LISTEN: 'nowhere', SECRET: 'hunter2', ON: 'yes' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/LISTEN[^]*SECRET[^]*ON[^]*LIMIT/);
  expect(load).not.toThrow(/hunter2|nowhere/);
});

test.each(['host', 'host:', ':80', 'host:65536', 'host:-1'])('refuses %j as an address', (text) => {
  expect(listenAddress.safeParse(text).success).toBe(false);
});
