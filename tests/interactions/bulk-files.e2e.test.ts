import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

const { baseUrl } = inject('local');
const main = resolve(import.meta.dirname, '../../packages/cli/src/main.ts');

let nps: Awaited<ReturnType<typeof createNpsWorkspace>>;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  nps = await createNpsWorkspace(baseUrl, inject('operator'));
  folder = await mkdtemp(join(tmpdir(), 'parley-bulk-'));
  const { apiKey, apiSecret } = nps.workspace;
  env = { PARLEY_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const create = (...args: string[]) => runCommand(['interaction', 'create', ...args], { cwd: folder, env });
const total = async (path: string): Promise<number | undefined> =>
  (await nps.workspace.api.get(path)).body.meta?.totalResults;

test('a CSV file creates an interaction with its customer for each row, and the output has their links', async () => {
  const rows = [
    'customerId;firstName;email;context.productName;priority',
    'ada;Ada;ada@example.com;"Tea; green";High',
    '"g""r";Grace;;;',
  ];
  await writeFile(join(folder, 'customers.csv'), `\ufeff${rows.join('\r\n')}\r\n`);
  const args = [
    '--file',
    'customers.csv',
    '--bot',
    'nps-follow-up',
    '--status',
    'Pending',
    '--expiry',
    '600',
  ];
  const checked = await create(...args, '--dry-run');
  expect(checked).toEqual({
    exitCode: 0,
    stdout: 'customers.csv: 2 lines without a fault, for 1 call; nothing was sent\n',
    stderr: '',
  });
  expect(await total('/interactions?pageSize=1')).toBe(0);

  const { exitCode, stdout, stderr } = await create(...args);
  expect([exitCode, stderr]).toEqual([0, '2 of 2 lines sent, 0 rejected\n']);
  const [header, first = '', second = ''] = stdout.split('\n');
  expect(header).toBe('line;customerId;interactionId;link;error');
  expect(second).toMatch(/^3;"g""r";[0-9a-f-]{36};http[^;]+;$/);
  const [line, customerId, id = '', link = '', error] = first.split(';');
  expect([line, customerId, error]).toEqual(['2', 'ada', '']);
  expect((await nps.get(id)).body.data).toMatchObject({
    link,
    status: 'Pending',
    priority: 'High',
    context: [{ key: 'productName', value: 'Tea; green' }],
  });
  expect((await nps.workspace.api.get('/customers/ada')).body.data).toMatchObject({
    firstName: 'Ada',
    email: 'ada@example.com',
  });

  // A second run returns the same links, and creates no further interaction.
  expect((await create(...args)).stdout).toBe(stdout);
  expect(await total('/interactions?pageSize=1')).toBe(2);
});

test('an NDJSON file has results in NDJSON, and with --json one value', async () => {
  const body = { customerId: 'n', botId: nps.botId, context: [{ key: 'productName', value: 'Tea' }] };
  await writeFile(join(folder, 'some.ndjson'), `${JSON.stringify(body)}\n\n${JSON.stringify(body)}\n`);
  const { stdout } = await create('--file', 'some.ndjson');
  const results = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(results).toEqual(
    [1, 3].map((line) => ({
      line,
      customerId: 'n',
      interactionId: expect.any(String),
      link: expect.any(String),
    })),
  );
  const asJson = await create('--file', 'some.ndjson', '--json');
  expect(JSON.parse(asJson.stdout)).toEqual(results);
  expect(asJson.stderr).toBe('');
});

test('bots and their context are checked before the first line is sent', async () => {
  const before = await total('/interactions?pageSize=1');
  const rows = ['customerId,botKey,context.colour', 'a,nps-follow-up,', 'b,unknown,', 'c,nps-follow-up,red'];
  await writeFile(join(folder, 'bots.csv'), rows.join('\n'));
  const { exitCode, stderr } = await create('--file', 'bots.csv');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('bots.csv:3:3: botKey: There is no such bot');
  expect(stderr).toContain('bots.csv:4:17: context.colour: Must be one of: ');
  await writeFile(join(folder, 'people.csv'), 'customerId\na\nb\n');
  const unknown = await create('--file', 'people.csv', '--bot', 'npss');
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    'parley: The workspace has no bot with the key npss\n',
  ]);
  expect(await total('/interactions?pageSize=1')).toBe(before);
});

test('a run that is killed in the middle and repeated creates no interaction twice', async () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => `killed-${n},Name ${n}`);
  await writeFile(join(folder, 'many.csv'), `customerId,firstName\n${rows.join('\n')}\n`);
  const before = (await total('/interactions?pageSize=1')) ?? 0;
  const args = ['--file', 'many.csv', '--bot', 'nps-follow-up', '--status', 'Pending'];
  const child = spawn(
    process.execPath,
    ['--conditions=@parley/source', main, 'interaction', 'create', ...args],
    {
      cwd: folder,
      env: { ...env, PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  // After the first calls: the next one is in flight.
  for await (const chunk of child.stderr) {
    if (String(chunk).includes('1000 of 2000')) break;
  }
  child.kill('SIGKILL');
  await exited;
  expect(child.signalCode).toBe('SIGKILL');

  const { exitCode, stdout, stderr } = await create(...args);
  expect([exitCode, stderr.split('\n').at(-2)]).toEqual([0, '2000 of 2000 lines sent, 0 rejected']);
  const printed = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));
  expect(printed.map(([, customerId]) => customerId)).toEqual(rows.map((row) => row.split(',')[0]));
  expect(new Set(printed.map(([, , id]) => id)).size).toBe(2_000);
  expect(await total('/interactions?pageSize=1')).toBe(before + 2_000);
});
