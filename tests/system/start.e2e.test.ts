import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { stream } from '@parley/contracts/events';
import { serviceNames } from '@parley/contracts/services';
import { openBroker } from '@parley/events/nats';
import { addConsumer } from '@parley/local/files/consumers';
import { ensureDemo, type OperatorAccess } from '@parley/local/demo/demo';
import type { LocalRun } from '@parley/local/files/run-files';
import { basic } from '@parley/testing/api';
import type { ApiDocument } from '@parley/testing/setup/contract';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { quietLogger } from '@parley/testing/quiet';
import { startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf, requiredQuery } from '../api/operations.ts';

// `npm start` as a newcomer runs it, and one more run in the same folder. Rejected and ephemeral
// runs: packages/local/tests/main.int.test.ts.

const root = resolve(import.meta.dirname, '../..');

interface Start {
  run: LocalRun;
  output: () => string;
  child: ChildProcess;
}

/** Variables of a shell that are meant for other programs. */
const unsuitable = [
  'http_proxy=http://127.0.0.1:9',
  'PGSSLMODE=require',
  'PGSSLNEGOTIATION=direct',
  'PGOPTIONS=-c nothing=1',
];

const main = resolve(root, 'packages/local/src/main.ts');
const stack = new AsyncDisposableStack();
let folder: string;
let dataDir: string;

/** Spawns the command under the most permissive umask, in a process group of its own, as a terminal creates it. */
function spawnRun(command: string[]) {
  const child = spawn('sh', ['-c', 'umask 000; exec "$@"', 'sh', ...command], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stack.defer(() => interrupt(child));
  return child;
}

const readRun = async () => JSON.parse(await readFile(join(dataDir, 'local.json'), 'utf8')) as LocalRun;

async function start(...command: string[]): Promise<Start> {
  const child = spawnRun([...command, '--port', '0', '--data-dir', dataDir]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const run = await eventually<LocalRun | { failed: string }>(
    () => (child.exitCode === null ? readRun() : { failed: output }),
    { timeoutMs: 240_000 },
  );
  if ('failed' in run) throw new Error(run.failed);
  return { run, child, output: () => output };
}

/** Returns what a run says that ends with exit code 1. */
async function refusal(...flags: string[]): Promise<string> {
  const child = spawnRun([process.execPath, main, ...flags]);
  const error = text(child.stderr);
  expect(await once(child, 'exit')).toEqual([1, null]);
  return error;
}

/** Sends SIGINT to the process group, as Ctrl-C does, and waits for its end. */
async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  process.kill(-Number(child.pid), 'SIGINT');
  await ended;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Memory of the servers and services, counting shared pages once. Only Linux reports it: zero elsewhere. */
async function memoryMegabytes({ processes }: LocalRun): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const reports = await Promise.all(
    processes.map(({ pid }) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')),
  );
  const kilobytes = reports.map((report) => Number(/^Pss: +(\d+)/m.exec(report)?.[1]));
  for (const each of kilobytes) expect(each).toBeGreaterThan(0);
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Files of the data folder that other users can read or write. */
async function openToOthers(): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode));
  return names.filter((_, index) => (Number(modes[index]) & 0o066) !== 0);
}

async function workspacesSeen(gateway: string, { apiKey, apiSecret }: LocalRun): Promise<string[]> {
  const headers = { authorization: basic(apiKey, apiSecret) };
  const response = await fetch(`${gateway}/v1/workspaces`, { headers });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

const namesOf = ({ processes }: LocalRun): string[] => processes.map(({ name }) => name).toSorted();

let first: Start;
/** The secret of the demo key of the first run, after its rotation. */
let rotatedSecret: string;
let second: Start;
beforeAll(async () => {
  folder = stack.use(await temporaryFolder('start')).path;
  dataDir = join(folder, 'data');
  // As an earlier version left it.
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o755 });
  first = await start('env', ...unsuitable, 'npm', 'start', '--silent', '--');
});
afterAll(() => stack.disposeAsync());

test('the demo workspace has a month of conversations, figures and deliveries', async () => {
  const { run, output } = first;
  const call = async <Data>(path: string) => {
    const headers = { authorization: basic(run.apiKey, run.apiSecret) };
    const response = await fetch(`${run.baseUrl}/v1/workspaces/${run.workspaceId}${path}`, { headers });
    return (await response.json()) as { data: Data; meta: { totalResults: number } };
  };
  const totalOf = async (query: string) =>
    (await call(`/interactions?pageSize=1&${query}`)).meta.totalResults;
  // With the two that wait for the visitors of the demo.
  expect(await totalOf('')).toBe(237);
  await eventually(async () => expect(await totalOf('status=Expired')).toBeGreaterThan(20));
  const completed = await totalOf('status=Completed');
  expect(completed).toBeGreaterThan(80);
  await eventually(async () => {
    const { data } = await call<{ totals: { created: number; completed: number } }>(
      `/bots/${run.bots['nps-follow-up']}/insight`,
    );
    expect(data.totals.created).toBeGreaterThanOrEqual(130);
    expect(data.totals.completed).toBeGreaterThan(50);
  });
  const [webhook] = (await call<{ id: string }[]>('/webhooks')).data;
  await eventually(async () => {
    const { data } = await call<{ hours: { attempts: number; failures: number }[] }>(
      `/webhooks/${webhook?.id}/stats`,
    );
    expect(data.hours.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(completed);
    expect(data.hours.every(({ failures }) => failures === 0)).toBe(true);
  });
  await eventually(() => expect(output()).toMatch(/\/console\/sign-in\/link#\w+/));
});

test('starts with hints, and uses less than 1 GB of memory', async () => {
  const { run, output } = first;
  expect(run.processes.every(({ restartable }) => restartable)).toBe(true);
  await eventually(() => expect(output()).toMatch(/curl -u \S+ \S+[^]*\/interactions\/\w+\n/));
  const link = /http\S+\/interactions\/[0-9A-Za-z]+/.exec(output())?.[0] ?? '';
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/NPS follow-up|Candidate screening|Appointment reminder/);

  expect(await memoryMegabytes(run)).toBeLessThan(1_000);
});

test('local.json describes the run, and other users cannot read its files', async () => {
  const { run } = first;
  expect(Object.keys(run)).toEqual([
    'baseUrl',
    'landingUrl',
    'gateways',
    'workspaceId',
    'apiKey',
    'apiSecret',
    'sdkSecret',
    'bots',
    'postgresUrl',
    'natsUrl',
    'processes',
  ]);
  expect(namesOf(run)).toEqual([...serviceNames, 'nats', 'postgres'].toSorted());
  expect(Object.keys(run.bots)).toEqual([
    'nps-follow-up',
    'candidate-screening',
    'appointment-reminder',
    'tea-survey',
  ]);
  expect(await openToOthers()).toEqual([]);
  expect(await workspacesSeen(run.baseUrl, run)).toEqual([run.workspaceId]);
});

test('a second run is rejected in the same folder, and at the same port, where it writes nothing', async () => {
  expect(await refusal('--port', '0', '--data-dir', dataDir)).toMatch(
    /^parley: .* is in use by another run \(process \d+\)/,
  );
  const { port } = new URL(first.run.baseUrl);
  const inner = join(folder, 'other', 'inner');
  expect(await refusal('--port', port, '--data-dir', inner)).toMatch(`parley: port ${port} is taken`);
  expect(await readdir(inner)).toEqual([]);
});

test('every example with an API key works in a local run unchanged, in the order of the page', async () => {
  const { baseUrl, apiKey, apiSecret } = first.run;
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument;
  // A key has no session to end, is no member, and has no editor open.
  const ofPeople = ['endSession', 'leaveWorkspace', 'renewPresence', 'endPresence'];
  const underKey = operationsOf(description).filter(
    ({ operationId, security }) => !ofPeople.includes(operationId) && security.some((one) => 'key' in one),
  );
  expect(underKey.length).toBeGreaterThan(20);
  // Deliveries need an active webhook first, and readers must create the objects of an example first.
  const makes: Record<string, string> = {
    createApiKey: 'apiKey',
    inviteMember: 'memberId',
    createPortalLink: 'portalLinkId',
    createOpenLink: 'openLinkId',
    createWebhook: 'webhookId',
    updateWebhook: '',
    sendTestEvent: 'deliveryId',
    recoverDeliveries: 'recoveryId',
    saveBotDraft: '',
  };
  const made = new Map<string, string>();
  await using receiver = await startReceiver();
  const send = async ({ operationId, path, method, parameters, requestBody }: (typeof underKey)[number]) => {
    const examples = new Map([
      ...parameters.map(({ name = '', example }): [string, string] => [name, String(example)]),
      ...made,
    ]);
    const example = requestBody?.content['application/json'].example;
    const isWebhook = operationId === 'createWebhook';
    const body = example && JSON.stringify(isWebhook ? { ...example, url: receiver.url } : example);
    const answer = await fetch(
      baseUrl +
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? '') +
        requiredQuery(parameters),
      {
        method,
        headers: {
          authorization: basic(apiKey, apiSecret),
          ...(method === 'PUT' && { 'if-none-match': '*' }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      },
    );
    const text = await answer.text();
    const isStream = !answer.headers.get('content-type')?.startsWith('application/json');
    const shown = isStream ? { data: null } : (JSON.parse(text) as { data: Shown | Shown[] | null });
    return { status: answer.status, body: shown };
  };
  // This one comes first, and operations that leave nothing to call come last: a customer without details, what is
  // deleted, a revoked key.
  const erasing = ['anonymiseCustomer', 'listErasures', 'getErasure'];
  const deleting = [
    'discardBotDraft',
    'deleteOpenLink',
    'revokeApiKey',
    'removeMember',
    'deleteWebhook',
    'deleteInteraction',
    'deleteTestInteractions',
    'deleteCustomer',
  ];
  const order = [...Object.keys(makes), '', ...erasing, ...deleting, 'rotateApiKeySecret'];
  const rank = (id: string): number => order.indexOf(order.includes(id) ? id : '');
  for (const operation of underKey.toSorted((a, b) => rank(a.operationId) - rank(b.operationId))) {
    const { operationId } = operation;
    const succeed = async () => {
      const { status, body } = await send(operation);
      // The conversation of the example may have begun.
      const expected = operationId === 'getInteractionEmailBlock' ? [200, 409] : [200];
      expect(expected, `${operationId} ${JSON.stringify(body)}`).toContain(status);
      return body;
    };
    // A delivery in flight cannot be retried.
    const body = await (operationId === 'retryDelivery' ? eventually(succeed) : succeed());
    if (operationId === 'rotateApiKeySecret') rotatedSecret = firstOf(body.data)?.secret ?? '';
    const { id, apiKey: madeKey, memberId } = firstOf(body.data) ?? {};
    if (makes[operationId]) made.set(makes[operationId], id ?? madeKey ?? memberId ?? '');
    if (operationId === 'listErasures') made.set('erasureId', firstOf(body.data)?.id ?? '');
  }
});

test('Ctrl-C ends it within ten seconds, and leaves no process', async () => {
  const { child } = first;
  const { processes } = await readRun();
  const interruptedAt = performance.now();
  await interrupt(child);
  expect(performance.now() - interruptedAt).toBeLessThan(10_000);
  expect(child.exitCode).toBe(0);
  expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
});

test('the next run has the same address, replaces the demo key that was rotated, and restarts a killed replica', async () => {
  await expect(addConsumer(dataDir, 'webhook')).rejects.toThrow(/name of a consumer/);
  expect(await addConsumer(dataDir, 'billing')).toBe(true);
  expect(await addConsumer(dataDir, 'billing')).toBe(false);
  second = await start(process.execPath, main, '--replicas', 'gateway=2');
  const { run } = second;
  const { baseUrl, apiKey, sdkSecret, bots, workspaceId } = first.run;
  expect(run).toMatchObject({ baseUrl, sdkSecret, bots, workspaceId });
  expect(run.apiKey).not.toBe(apiKey);
  expect(await workspacesSeen(run.baseUrl, { ...first.run, apiSecret: rotatedSecret })).toEqual([
    workspaceId,
  ]);
  expect(namesOf(run)).toEqual(expect.arrayContaining(['gateway-1', 'gateway-2']));
  expect(run.gateways).toHaveLength(2);
  for (const gateway of run.gateways) expect(await workspacesSeen(gateway, run)).toEqual([workspaceId]);

  const pidOf = (of: LocalRun) => of.processes.find(({ name }) => name === 'gateway-1')?.pid;
  process.kill(Number(pidOf(run)), 'SIGKILL');
  await eventually(async () => {
    expect(pidOf(await readRun())).not.toBe(pidOf(run));
    expect(await workspacesSeen(baseUrl, run)).toEqual([workspaceId]);
  });
});

test('a consumer that was added has a user of NATS after a start, and a command shows how it reaches the run', async () => {
  const script = resolve(root, 'packages/local/run.sh');
  const cli = resolve(root, 'packages/cli/src/main.ts');
  const show = async (...args: string[]) => {
    const shown = spawn('sh', [script, cli, 'consumer', 'show', ...args, '--json', '--data-dir', dataDir]);
    const [output, faults] = await Promise.all([text(shown.stdout), text(shown.stderr)]);
    return JSON.parse(output || faults) as Record<string, string>;
  };
  const billing = await show('billing');
  const access = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8')) as OperatorAccess;
  expect(billing).toMatchObject({
    NATS_URL: expect.stringContaining('nats://billing:') as string,
    INTERACTION_ADDRESS: access.interaction,
    RPC_CALLER: 'consumer',
    RPC_TOKEN: access.consumerToken,
  });
  await using broker = await openBroker({ url: String(billing['NATS_URL']), logger: quietLogger });
  const { manager } = await eventually(() => broker.streams());
  const durable = { durable_name: 'billing', ack_policy: 'explicit' as const };
  await manager.consumers.add(stream.name, durable);
  expect(await manager.consumers.info(stream.name, 'billing')).toMatchObject({ name: 'billing' });
  await expect(manager.consumers.add(stream.name, { ...durable, durable_name: 'other' })).rejects.toThrow();
  expect(await show('--bodies')).toMatchObject({
    RPC_CALLER: 'bodyreader',
    RPC_TOKEN: access.bodyReaderToken,
  });
  expect(await show('other')).toMatchObject({ error: { type: 'not-found' } });
});

// A further start would only call this function again.
test('a demo key that works is kept', async () => {
  const { baseUrl, apiKey, apiSecret } = second.run;
  const access = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8')) as OperatorAccess;
  expect(await ensureDemo(dataDir, baseUrl, access)).toMatchObject({ apiKey, apiSecret });
});

/** The fields of an answer that later calls use. */
interface Shown {
  id?: string;
  apiKey?: string;
  memberId?: string;
  secret?: string;
}

function firstOf(data: Shown | Shown[] | null): Shown | null | undefined {
  return Array.isArray(data) ? data[0] : data;
}
