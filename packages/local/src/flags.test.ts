import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';

test('without flags: port 3000 and a kept folder', () => {
  expect(readFlags([], {})).toEqual({
    port: 3000,
    dataDir: '.parley',
    ephemeral: false,
    replicas: {},
    standby: false,
    nats: 1,
    metrics: false,
    traces: false,
    tls: false,
    demoHistory: true,
    help: false,
  });
});

test('every flag is parsed', () => {
  expect(
    readFlags(
      [
        '--port',
        '0',
        '--data-dir=/d',
        '--ephemeral',
        '--replicas',
        'gateway=2,webhook=3',
        '--postgres=standby',
        '--nats=3',
        '--metrics',
        '--traces',
        '--tls',
        '--no-demo-history',
      ],
      {},
    ),
  ).toEqual({
    port: 0,
    dataDir: '/d',
    ephemeral: true,
    replicas: { gateway: 2, webhook: 3 },
    standby: true,
    nats: 3,
    metrics: true,
    traces: true,
    tls: true,
    demoHistory: false,
    help: false,
  });
});

test('an ephemeral run without a folder gets one of its own', () => {
  expect(readFlags(['--ephemeral'], {}).dataDir).toBeUndefined();
  expect(readFlags(['--ephemeral'], { PARLEY_DATA_DIR: '/kept' }).dataDir).toBeUndefined();
});

test('a named folder is relative to the current directory; the default is beside package.json', () => {
  const npm = { npm_lifecycle_event: 'start', INIT_CWD: '/home/ada' };
  const dataDirOf = (args: string[], env: NodeJS.ProcessEnv) => readFlags(args, env).dataDir;
  expect(dataDirOf(['--data-dir', 'shop'], npm)).toBe('/home/ada/shop');
  expect(dataDirOf(['--data-dir', '/srv/shop'], npm)).toBe('/srv/shop');
  expect(dataDirOf([], { ...npm, PARLEY_DATA_DIR: 'shop' })).toBe('/home/ada/shop');
  expect(dataDirOf([], { ...npm, PARLEY_DATA_DIR: '' })).toBe('.parley');
  expect(dataDirOf([], npm)).toBe('.parley');
  expect(dataDirOf(['--data-dir', 'shop'], {})).toBe(resolve('shop'));
  // Under another script of npm, INIT_CWD is the folder of the first call.
  expect(dataDirOf(['--data-dir', 'shop'], { ...npm, npm_lifecycle_event: 'check' })).toBe(resolve('shop'));
});

test.each([
  [['--port', 'http'], '--port must be a number from 0 to 65535, not "http"'],
  [['--port', '65536'], '--port must be a number from 0 to 65535'],
  [['--port=-1'], '--port must be a number'],
  [['--port', '-1'], '--port cannot be "-1"'],
  [['--data-dir', '--ephemeral'], '--data-dir cannot be "--ephemeral"'],
  [['--data-dir'], "Option '--data-dir <value>' argument missing"],
  [['--replicas', 'gateway'], '--replicas: gateway must be a number from 1 to 8, not ""'],
  [['--replicas', 'gateway=0'], '--replicas: gateway must be a number from 1 to 8'],
  [['--replicas', 'postgres=2'], '--replicas: there is no service "postgres"'],
  [['--nats', '2'], '--nats must be 1 or 3, not "2"'],
  [['--data-dir='], '--data-dir needs a folder'],
  [['--colour'], "Unknown option '--colour'"],
  [['stray'], "Unexpected argument 'stray': flags come after --"],
])('%j is rejected in one line', (args, message) => {
  expect(() => readFlags(args, {})).toThrow(message);
  expect(() => readFlags(args, {})).toThrow(/^[^\n]*$/);
});
