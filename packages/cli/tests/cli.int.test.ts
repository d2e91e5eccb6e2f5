import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { type Bot, BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { createAuthority } from '@parley/local/files/certificates';
import { serve } from '@parley/rpc/serve';
import { openTls } from '@parley/rpc/tls';
import type { RpcTlsFiles } from '@parley/runtime/config/config';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import { createDatabase } from '@parley/testing/database/database';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runProcess } from './run-command.ts';

const tokens = { service: 'service-token-of-a-test', operator: 'operator-token-of-a-test' };
const root = resolve(import.meta.dirname, '../../..');
const sample = join(root, 'packages/bot/samples/nps-follow-up.json');
const unknownId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

const stack = new AsyncDisposableStack();
let identity: string;
let interaction: string;
let folder: string;
let dataDir: string;
/** The fault that the bot service finds in every definition. */
let refusal: Fault | undefined;
const published: { call: string; workspaceId: string; definition: string }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-cli-test-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  dataDir = folder;
  const database = stack.use(await createDatabase('identity'));
  identity = await startIdentity(database.url);
  interaction = await startBots();
  const access = { identity, interaction, operatorToken: tokens.operator };
  await writeFile(join(dataDir, 'operator.json'), JSON.stringify(access));
});
afterAll(() => stack.disposeAsync());

/** Starts the identity service in a child process, which exits when its standard input closes. */
async function startIdentity(databaseUrl: string): Promise<string> {
  const ring = `k1:${Buffer.alloc(32, 'k').toString('base64')}`;
  const child = spawn(process.execPath, [join(root, 'services/identity/src/main.ts')], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LISTEN: '127.0.0.1:0',
      DATABASE_URL: databaseUrl,
      // These tests need no broadcasts of revocations.
      NATS_URL: 'nats://127.0.0.1:1',
      RPC_TOKEN: tokens.service,
      OPERATOR_TOKEN: tokens.operator,
      CREDENTIAL_PEPPERS: ring,
      ENCRYPTION_KEYS: ring,
      PARLEY_EXIT_ON_STDIN_END: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stack.defer(() => ended(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string };
    if (msg === 'started') {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error('the identity service did not start');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}

/** Starts a bot service that records its calls. Each publication of a key makes a new version of its bot. */
async function startBots(): Promise<string> {
  const bots = new Map<string, Bot>();
  const publish = (call: string, workspaceId: string, definition: string) => {
    if (refusal) throw invalidRequest([refusal]);
    published.push({ call, workspaceId, definition });
    const { key, name } = JSON.parse(definition) as { key: string; name: string };
    const version = (bots.get(key)?.version ?? 0) + 1;
    const bot = { id: unknownId, key, name, context: [], version };
    bots.set(key, bot);
    return { bot, replayed: false };
  };
  const handlers = partialService(BotServiceService, {
    createBot: async ({ workspaceId, definition }) => publish('createBot', workspaceId, definition),
    publishBotVersion: async ({ workspaceId, definition }) =>
      publish('publishBotVersion', workspaceId, definition),
    listBots: async ({ key }) => ({ bots: [...bots.values()].filter((bot) => bot.key === key) }),
  });
  const listen = { host: '127.0.0.1', port: 0 };
  return stack.use(await serve({ listen, services: [handlers], tokens, logger, isReady: async () => true }))
    .address;
}

const local = (...args: string[]) => runCommand([...args, '--data-dir', dataDir]);

test('a local run and a deployment with TLS are called with the certificate of the command line', async () => {
  const authority = await createAuthority();
  const write = async (name: string): Promise<RpcTlsFiles> => {
    const { cert, key } = await authority.issue(name);
    const at = (kind: string): string => join(folder, `${name}-${kind}.pem`);
    const files = { ca: at('ca'), cert: at('cert'), key: at('key') };
    await Promise.all([
      writeFile(files.ca, authority.ca),
      writeFile(files.cert, cert),
      writeFile(files.key, key),
    ]);
    return files;
  };
  const services = [
    partialService(IdentityAdminServiceService, { listWorkspaces: async () => ({ workspaces: [] }) }),
  ];
  const tls = stack.use(openTls(await write('identity'), 'identity', logger));
  const listen = { host: '127.0.0.1', port: 0 };
  const server = stack.use(await serve({ listen, services, tokens, tls, logger, isReady: async () => true }));
  const cli = await write('cli');
  const secured = join(folder, 'secured');
  await mkdir(secured);
  const access = { identity: server.address, operatorToken: tokens.operator, tls: cli };
  await writeFile(join(secured, 'operator.json'), JSON.stringify(access));
  const list = ['workspace', 'list', '--json'];
  expect(await runCommand([...list, '--data-dir', secured])).toMatchObject({ exitCode: 0, stdout: '[]\n' });

  const env = { PARLEY_OPERATOR_TOKEN: tokens.operator };
  const remote = [...list, '--identity', server.address];
  const files = { RPC_TLS_CA_FILE: cli.ca, RPC_TLS_CERT_FILE: cli.cert, RPC_TLS_KEY_FILE: cli.key };
  expect(await runCommand(remote, { env: { ...env, ...files } })).toMatchObject({
    exitCode: 0,
    stdout: '[]\n',
  });
  expect(await runCommand(remote, { env })).toMatchObject({ exitCode: 1 });
  const { RPC_TLS_KEY_FILE: _key, ...without } = files;
  expect(await runCommand(remote, { env: { ...env, ...without } })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('RPC_TLS_KEY_FILE is missing'),
  });
  const unreadable = { ...files, RPC_TLS_KEY_FILE: join(folder, 'nowhere') };
  expect(await runCommand(remote, { env: { ...env, ...unreadable } })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('RPC_TLS_KEY_FILE'),
  });
});

/** Returns the JSON value that a command with `--json` prints. */
async function json<T>(...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await local(...args, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

const makeWorkspace = async (): Promise<string> =>
  (await json<{ id: string }>('workspace', 'create', '--name', 'Test')).id;

describe('workspace', () => {
  test('list shows a created workspace', async () => {
    const created = await json(
      'workspace',
      'create',
      '--name',
      'Zoë & Co',
      '--allowed-domain',
      'https://a.example',
      '--allowed-domain',
      'http://localhost:3000',
    );
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Zoë & Co',
      allowedDomains: ['https://a.example', 'http://localhost:3000'],
    });
    expect(await json('workspace', 'list')).toContainEqual(created);
  });

  test('branding shows, sets and clears all fields', async () => {
    const id = await makeWorkspace();
    const none = {
      displayName: null,
      logoName: null,
      accentColor: null,
      endText: null,
      endLink: null,
      privacyText: null,
    };
    expect(await json('workspace', 'branding', id)).toEqual(none);
    const logo = join(import.meta.dirname, '../../../tests/leaf.png');
    const set = [
      '--display-name',
      'Fog & Leaf',
      '--logo',
      logo,
      '--accent-color',
      '#0A7',
      '--end-text',
      'Bye',
      '--privacy-text',
      'Read by us only',
    ];
    const link = ['--end-link', 'https://shop.example/teas'];
    const whole = {
      displayName: 'Fog & Leaf',
      logoName: expect.stringMatching(/^[0-9a-f]{32}\.png$/),
      accentColor: '#00aa77',
      endText: 'Bye',
      endLink: { url: 'https://shop.example/teas', label: 'shop.example' },
      privacyText: 'Read by us only',
    };
    expect(await json('workspace', 'branding', id, ...set, ...link)).toEqual(whole);
    expect((await local('workspace', 'branding', id)).stdout).toMatch(/^accentColor +#00aa77$/m);
    const clear = ['display-name', 'logo', 'accent-color', 'end-text', 'end-link', 'privacy-text'].map(
      (name) => `--no-${name}`,
    );
    expect(await json('workspace', 'branding', id, ...clear)).toEqual(none);
  });

  test('branding reports the fault of each option', async () => {
    const id = await makeWorkspace();
    const empty = join(folder, 'empty.png');
    await writeFile(empty, '');
    const refused: [number, RegExp, string[]][] = [
      [1, /\/logo: Must be a PNG, JPEG or WebP image/, ['--logo', join(dataDir, 'operator.json')]],
      [1, /empty\.png has 0 bytes/, ['--logo', empty]],
      [1, /there is no file absent\.png/, ['--logo', 'absent.png']],
      [2, /--end-text is empty; --no-end-text clears it/, ['--end-text', '']],
      [2, /--end-link-label needs --end-link/, ['--end-link-label', 'Shop']],
      ...['javascript:1', `shop.example/${'x'.repeat(100)}`].map((url): [number, RegExp, string[]] => [
        1,
        /^(?!.*\/endLink\/label).*\/endLink\/url: Must be an https URL/s,
        ['--end-link', url],
      ]),
    ];
    await Promise.all(
      refused.map(async ([code, reason, args]) => {
        const { exitCode, stderr } = await local('workspace', 'branding', id, ...args);
        expect([exitCode, stderr]).toEqual([code, expect.stringMatching(reason)]);
      }),
    );
    expect((await local('workspace', 'branding', unknownId)).stderr).toContain(
      `There is no workspace ${unknownId}`,
    );
  });

  test('update replaces or removes the allowed domains', async () => {
    const id = await makeWorkspace();
    const [first, second] = ['https://a.example', 'http://localhost:3000'];
    const allow = ['--allowed-domain', first, '--allowed-domain', second];
    expect(await json('workspace', 'update', id, ...allow)).toMatchObject({
      allowedDomains: [first, second],
    });
    expect(await json('workspace', 'update', id, '--allowed-domain', second)).toMatchObject({
      allowedDomains: [second],
    });
    expect(await json('workspace', 'update', id, '--no-allowed-domain')).toMatchObject({
      allowedDomains: [],
    });
    const unknown = await local('workspace', 'update', unknownId, '--no-allowed-domain');
    expect(unknown).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `parley: There is no workspace ${unknownId}\n`,
    });
    const faulty = await local('workspace', 'update', id, '--allowed-domain', 'a.example');
    expect(faulty.stderr).toMatch(/^ {2}\/allowedDomains\/0: Must be/m);
  });

  test('prints text for people without --json', async () => {
    const created = await local('workspace', 'create', '--name', 'For people');
    const id = /^id +([0-9a-f-]{36})$/m.exec(created.stdout)?.[1];
    const { stdout } = await local('workspace', 'list');
    expect(stdout).toMatch(/^ID +NAME +ALLOWED DOMAINS$/m);
    expect(stdout).toMatch(new RegExp(`^${id} +For people$`, 'm'));
  });

  test('create lists all faults, one per line', async () => {
    const { exitCode, stdout, stderr } = await local(
      'workspace',
      'create',
      '--name',
      '',
      '--allowed-domain',
      'x',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'parley: The request is not valid',
      '  /name: Must not be empty',
      '  /allowedDomains/0: Must be the http or https URL of an origin, such as https://shop.example.com',
      '',
    ]);
  });
});

describe('key', () => {
  test('create shows the secret, list does not, revoke ends the key', async () => {
    const [home, other] = [await makeWorkspace(), await makeWorkspace()];
    const created = await json<{ apiKey: string; apiSecret: string }>(
      'key',
      'create',
      '--workspace',
      home,
      '--access',
      other,
    );
    expect(created).toEqual({
      apiKey: expect.stringMatching(/^prl_key_[0-9A-Za-z]{22}$/),
      apiSecret: expect.stringMatching(/^prl_sec_[0-9A-Za-z]{49}$/),
      scopes: expect.arrayContaining(['keys:write']),
    });
    const listed = {
      apiKey: created.apiKey,
      homeWorkspaceId: home,
      workspaceIds: [home, other],
      revokedAt: null,
    };
    expect(await json('key', 'list', '--workspace', home)).toMatchObject([listed]);

    const revoked = await json<{ revokedAt: string }>('key', 'revoke', created.apiKey);
    expect(Date.parse(revoked.revokedAt)).toBeGreaterThan(0);
    const again = await local('key', 'revoke', created.apiKey);
    expect(again).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `${created.apiKey} is revoked since ${revoked.revokedAt}\n`,
    });
    const table = await local('key', 'list', '--workspace', home);
    expect(table.stdout).toContain(revoked.revokedAt);
    expect(table.stdout).not.toContain(created.apiSecret);
  });

  test('create limits what the key can do, and list shows it', async () => {
    const home = await makeWorkspace();
    const create = (...options: string[]) =>
      local('key', 'create', '--workspace', home, ...options, '--json');
    const limits = ['--scope', 'webhooks:read', '--scope', 'bots:read', '--expires-in', '90d'];
    const made = await create('--name', 'Partner', ...limits);
    const { apiKey, scopes } = JSON.parse(made.stdout) as { apiKey: string; scopes: string[] };
    expect(scopes).toEqual(['bots:read', 'webhooks:read']);
    expect((await create()).exitCode).toBe(0);
    expect((await create('--expires-in', '12h')).exitCode).toBe(0);
    const keys = await json<{ name: string; expiresAt: string | null }[]>('key', 'list', '--workspace', home);
    expect(keys[0]).toMatchObject({ apiKey, name: 'Partner', scopes, hasAllScopes: false });
    const daysLeft = (Date.parse(keys[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(89.9);
    expect(daysLeft).toBeLessThanOrEqual(90);
    const { stdout } = await local('key', 'list', '--workspace', home);
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^KEY +NAME +SCOPES +CREATED +ROTATED +EXPIRES +LAST USED +REVOKED +ACCESS TO$/);
    expect(rows[0]).toMatch(new RegExp(`^${apiKey} +Partner +bots:read,webhooks:read +`));
    expect(rows.slice(1)).toEqual([expect.stringMatching(/ - +all /), expect.stringMatching(/ - +all /)]);
  });

  test.each([
    ['--scope', 'bots:delete', /\/scopes\/0: Is not a scope/],
    ['--name', ' ', /\/name: /],
    ['--expires-in', '90', /--expires-in: 90 is not a number of hours or days, such as 90d/],
    ['--expires-in', '0d', /--expires-in: 0d is not/],
  ])('create rejects %s %j', async (option, value, message) => {
    const { exitCode, stdout, stderr } = await local(
      'key',
      'create',
      '--workspace',
      await makeWorkspace(),
      option,
      value,
    );
    expect([exitCode === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(message)]);
  });

  test('create revokes a key that an identity service of an earlier release did not limit', async () => {
    const revoked: string[] = [];
    const earlier = partialService(IdentityAdminServiceService, {
      createKey: async () => ({ apiKey: 'prl_key_all', apiSecret: 'prl_sec_all', scopes: [] }),
      revokeKey: async ({ apiKey }) => {
        revoked.push(apiKey);
        return {
          apiKey,
          homeWorkspaceId: unknownId,
          workspaceIds: [],
          createdAt: null,
          rotatedAt: null,
          revokedAt: new Date(),
          name: '',
          scopes: [],
          hasAllScopes: false,
          createdBy: '',
          expiresAt: null,
          lastUsedAt: null,
          version: 1,
        };
      },
    });
    const listen = { host: '127.0.0.1', port: 0 };
    await using server = await serve({
      listen,
      services: [earlier],
      tokens,
      logger,
      isReady: async () => true,
    });
    const create = ['key', 'create', '--workspace', unknownId, '--identity', server.address];
    const env = { PARLEY_OPERATOR_TOKEN: tokens.operator };
    for (const limit of [
      ['--scope', 'bots:read'],
      ['--expires-in', '1d'],
    ]) {
      const { exitCode, stdout, stderr } = await runCommand([...create, ...limit], { env });
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/the new key is revoked/);
    }
    expect(revoked).toEqual(['prl_key_all', 'prl_key_all']);
    expect((await runCommand(create, { env })).exitCode).toBe(0);
  });

  test.each([
    [['key', 'list', '--workspace', unknownId], `There is no workspace ${unknownId}`],
    [['key', 'create', '--workspace', unknownId], `There is no workspace ${unknownId}`],
    [['key', 'revoke', 'prl_key_x'], 'There is no API key prl_key_x'],
  ])('%j of an unknown object fails in one line', async (args, message) => {
    await expect(local(...args)).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `parley: ${message}\n`,
    });
    const { exitCode, stdout, stderr } = await local(...args, '--json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: { type: 'not-found', message } });
  });
});

describe('the system is found', () => {
  const env = { PARLEY_OPERATOR_TOKEN: tokens.operator };

  test('by PARLEY_DATA_DIR, or the folder .parley', async () => {
    const byVariable = await runProcess(['workspace', 'list'], { env: { PARLEY_DATA_DIR: dataDir } });
    expect(byVariable).toMatchObject({ exitCode: 0, stderr: '' });
    const { exitCode, stderr } = await runProcess(['workspace', 'list'], { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^parley: no local run found: there is no .*\/\.parley\/operator\.json; .*\n$/);
  });

  test('under npm, a named folder is relative to the folder where the command was typed', async () => {
    const npm = { npm_lifecycle_event: 'parley', INIT_CWD: dirname(dataDir) };
    const named = basename(dataDir);
    const list = async (args: string[], env: NodeJS.ProcessEnv) =>
      (await runCommand(['workspace', 'list', ...args], { env })).stderr;
    expect(await list(['--data-dir', named], npm)).toBe('');
    expect(await list([], { ...npm, PARLEY_DATA_DIR: named })).toBe('');
    // The default is the folder of `npm start`.
    expect(await list([], npm)).toContain(
      `there is no ${join(import.meta.dirname, '.parley/operator.json')};`,
    );
    expect(await list(['--data-dir', named], { ...npm, npm_lifecycle_event: 'check' })).toContain(
      `there is no ${join(import.meta.dirname, named, 'operator.json')};`,
    );
  });

  test('as a deployment, by address and operator token', async () => {
    const { exitCode } = await runCommand(['workspace', 'list', '--identity', identity], { env });
    expect(exitCode).toBe(0);
  });

  test.each([
    [
      'no token',
      ['--identity', 'x:1'],
      {},
      2,
      /a deployment needs its operator token in PARLEY_OPERATOR_TOKEN/,
    ],
    ['no identity', ['--interaction', 'x:1'], env, 2, /this command needs --identity ADDRESS as well/],
    ['both ways', ['--identity', 'x:1', '--data-dir', 'd'], env, 2, /use either --data-dir/],
    ['no folder', ['--data-dir='], {}, 2, /--data-dir needs a folder/],
    ['a file as folder', ['--data-dir', sample], {}, 1, /nps-follow-up\.json is a file, not the data folder/],
    ['no port', ['--identity', 'localhost'], env, 2, /--identity: localhost is not host:port, such as /],
    [
      'unreachable',
      ['--identity', '127.0.0.1:1'],
      env,
      1,
      /the identity service at 127.0.0.1:1 is not reachable/,
    ],
  ])('%s: the error names what is missing', async (_, args, given, code, message) => {
    const { exitCode, stdout, stderr } = await runCommand(['workspace', 'list', ...args], { env: given });
    expect({ exitCode, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      exitCode: code,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toMatch(message);
  });

  test('reports a wrong operator token without printing it', async () => {
    for (const token of [tokens.service, 'wrong-token-of-a-test']) {
      const wrong = { PARLEY_OPERATOR_TOKEN: token };
      const { exitCode, stderr } = await runCommand(['workspace', 'list', '--identity', identity], {
        env: wrong,
      });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: `parley: the identity service at ${identity} does not accept the operator token\n`,
      });
    }
  });

  test('reports a killed run with its folder', async () => {
    const killed = await mkdtemp(join(folder, 'killed-'));
    const access = { identity: '127.0.0.1:1', interaction: '127.0.0.1:1', operatorToken: 'x' };
    await writeFile(join(killed, 'operator.json'), JSON.stringify(access));
    expect((await runCommand(['workspace', 'list', '--data-dir', killed])).stderr).toBe(
      'parley: the identity service at 127.0.0.1:1 is not reachable or not ready; ' +
        `is the local run of ${killed} still running? npm start starts one\n`,
    );
  });

  test('reports a file that is not from a run', async () => {
    const broken = await mkdtemp(join(folder, 'broken-'));
    for (const content of ['{', '[]', 'null', '{"operatorToken":"x","identity":7}']) {
      await writeFile(join(broken, 'operator.json'), content);
      const { exitCode, stderr } = await runCommand(['workspace', 'list', '--data-dir', broken]);
      expect({ exitCode, lines: stderr.trim().split('\n').length }).toEqual({ exitCode: 1, lines: 1 });
      expect(stderr).toContain(join(broken, 'operator.json'));
    }
  });
});

describe('usage', () => {
  test('a process has the exit code of its command', async () => {
    const outcome = await runProcess(['workspace', 'list', '--nonsense']);
    expect(outcome).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--nonsense') });
  });

  test.each([
    [['key', 'create'], /required option '--workspace <id>' not specified \(see parley key create --help\)/],
    [['workspace', 'list', '--jsn'], /unknown option '--jsn'.*Did you mean --json/],
    [['workspace', 'update', unknownId], /pass --allowed-domain URL/],
    [['key', 'revoke'], /missing required argument 'key'/],
    [['workspce'], /unknown command 'workspce'.*\(see parley --help\)/],
    [['bogus', '--help'], /unknown command 'bogus' \(see parley --help\)/],
    [['--help', 'bogus'], /unknown command 'bogus' \(see parley --help\)/],
    [['bot', 'bogus', '-h'], /unknown command 'bogus' \(see parley bot --help\)/],
    [['help', 'bogus'], /unknown command 'bogus' \(see parley --help\)/],
    [['help', 'bot', 'bogus'], /unknown command 'bogus' \(see parley bot --help\)/],
    [['bot', 'help', 'bogus'], /unknown command 'bogus' \(see parley bot --help\)/],
    [['workspace', 'list', '--nonsense'], /unknown option '--nonsense'/],
    [['workspace', 'list', 'more'], /too many arguments/],
  ])('%j fails in one line with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    const withJson = await runCommand([...args, '--json']);
    expect(JSON.parse(withJson.stderr)).toMatchObject({
      error: { type: 'usage', message: expect.stringMatching(message) },
    });
  });

  test.each([[[]], [['bot']]])('%j alone shows the help and fails', async (args) => {
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: parley /);
  });

  test.each([
    [['--help'], /Exit codes/],
    [['help'], /Exit codes/],
    [['help', 'key'], /Usage: parley key/],
    [['--data-dir', 'bogus', '--help'], /Exit codes/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
    [['workspace', 'create', '--help'], /--allowed-domain <url>[^]*--data-dir <dir>/],
    [['workspace', 'update', '--help'], /Example:\n {2}parley workspace update \S+ --allowed-domain/],
    [['key', 'create', '--help'], /--workspace <id> .*\(required\)[^]*--access <id>/],
    [['bot', 'publish', '--help'], /--url <url> [^]*--check [^]*--expect <n>/],
    [['keys', '--help'], /--service <name> [^]*\(required\)/],
    [['bot', 'simulate', '--help'], /--answers <file>/],
  ])('%j prints help', async (args, content) => {
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(content);
  });
});

test('no line of the help of any command is wider than 100 columns', async () => {
  const helps: string[] = [];
  const addHelps = async (command: readonly string[]): Promise<void> => {
    const { stdout } = await runCommand([...command, '--help']);
    helps.push(stdout);
    const [, names = ''] = /\nCommands:\n((?: .*\n)+)/.exec(stdout) ?? [];
    for (const [, name = ''] of names.matchAll(/^ {2}(?!help)([a-z]+) /gm))
      await addHelps([...command, name]);
  };
  await addHelps([]);
  expect(helps.length).toBeGreaterThan(15);
  expect(helps.flatMap((help) => help.split('\n')).filter((line) => line.length > 100)).toEqual([]);
});

describe('bot', () => {
  const file = async (name: string, content: unknown): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  test('publish creates a bot, and then adds versions to it', async () => {
    const workspace = await makeWorkspace();
    const definition = await readFile(sample, 'utf8');
    const first = await json('bot', 'publish', sample, '--workspace', workspace);
    expect(first).toMatchObject({
      id: unknownId,
      key: 'nps-follow-up',
      version: 1,
      isUnchanged: false,
      warnings: [],
    });
    const second = await local('bot', 'publish', sample, '--workspace', workspace);
    expect(second.stdout).toBe(`nps-follow-up version 2 (published), bot ${unknownId}\n`);
    expect(published).toEqual([
      { call: 'createBot', workspaceId: workspace, definition },
      { call: 'publishBotVersion', workspaceId: workspace, definition },
    ]);
  });

  test('publish prints faults that only the service finds, with their lines', async () => {
    const workspace = await makeWorkspace();
    refusal = { pointer: '/steps/1/text', detail: 'Too long for this service' };
    const { exitCode, stdout, stderr } = await local('bot', 'publish', sample, '--workspace', workspace);
    refusal = undefined;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const lines = (await readFile(sample, 'utf8')).split('\n');
    const line = lines.findIndex((one) => one.includes('How likely are you')) + 1;
    expect(stderr).toContain(`${sample}:${line}:15: /steps/1/text: Too long for this service\n`);
  });

  test('publish sends nothing for a faulty definition or an unknown workspace', async () => {
    const before = published.length;
    const unknown = await local('bot', 'publish', sample, '--workspace', unknownId);
    expect(unknown).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `parley: There is no workspace ${unknownId}\n`,
    });
    const faulty = await local('bot', 'publish', await file('empty.json', {}), '--workspace', unknownId);
    expect(faulty.stderr).toMatch(/is not a valid bot definition/);
    expect(published).toHaveLength(before);
  });
});

test('env prints the variables of the samples, which a shell and Node read', async () => {
  const run = {
    baseUrl: 'http://127.0.0.1:3000',
    workspaceId: 'w',
    apiKey: 'prl_key_1',
    apiSecret: 'prl_sec_2',
  };
  const missing = await runCommand(['env', '--data-dir', folder]);
  expect([missing.exitCode, missing.stderr]).toEqual([
    1,
    expect.stringContaining('start one with npm start'),
  ]);
  await writeFile(join(folder, 'local.json'), JSON.stringify({ ...run, processes: [] }));
  const { exitCode, stdout } = await runCommand(['env', '--data-dir', folder]);
  expect(exitCode).toBe(0);
  const expected = {
    PARLEY_URL: run.baseUrl,
    PARLEY_WORKSPACE: 'w',
    PARLEY_API_KEY: 'prl_key_1',
    PARLEY_API_SECRET: 'prl_sec_2',
  };
  expect(parseEnv(stdout)).toEqual(expected);
  const print = 'eval "$1"; exec "$2" -p "JSON.stringify(process.env)"';
  const child = await promisify(execFile)('sh', ['-c', print, 'sh', stdout, process.execPath]);
  expect(JSON.parse(child.stdout)).toMatchObject(expected);
  const { stdout: json } = await runCommand(['env', '--json', '--data-dir', folder]);
  expect(JSON.parse(json)).toEqual(expected);
  expect((await runCommand(['env', '--identity', '127.0.0.1:1'])).exitCode).toBe(2);
});
