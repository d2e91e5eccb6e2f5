import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LocalRun } from '@parley/local/run-files';
import { basic } from '@parley/testing/api';
import type { ApiDocument } from '@parley/testing/contract';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/folders';
import { startReceiver } from '@parley/testing/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf } from './operations.ts';

// `npm start` as a newcomer runs it (contract, section 8). The rest of it: packages/local/tests/main.int.test.ts.

const root = resolve(import.meta.dirname, '..');

interface Start {
  run: LocalRun;
  output: () => string;
  child: ChildProcess;
}

const stack = new AsyncDisposableStack();

async function start(dataDir: string): Promise<Start> {
  const command = ['start', '--silent', '--', '--port', '0', '--data-dir', dataDir];
  // A process group of its own, as a terminal creates it.
  const child = spawn('npm', command, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  stack.defer(() => interrupt(child));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const readRun = async () => JSON.parse(await readFile(join(dataDir, 'local.json'), 'utf8')) as LocalRun;
  const run = await eventually<LocalRun | { failed: string }>(
    () => (child.exitCode === null ? readRun() : { failed: output }),
    { timeoutMs: 240_000 },
  );
  if ('failed' in run) throw new Error(run.failed);
  return { run, child, output: () => output };
}

/** Ends it like the terminal. */
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

let started: Start;
beforeAll(async () => {
  const folder = stack.use(await temporaryFolder('start'));
  started = await start(join(folder.path, 'data'));
});
afterAll(() => stack.disposeAsync());

test('starts with hints, and uses less than 1 GB of memory', async () => {
  const { run, output } = started;
  expect(run.processes.every(({ restartable }) => restartable)).toBe(true);
  await eventually(() => expect(output()).toMatch(/curl -u \S+ \S+[^]*\/interactions\/\w+\n/));
  const link = /http\S+\/interactions\/[0-9A-Za-z]+/.exec(output())?.[0] ?? '';
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/NPS follow-up|Candidate screening|Appointment reminder/);

  expect(await memoryMegabytes(run)).toBeLessThan(1_000);
});

test('every example with an API key works in a local run unchanged, in the order of the page', async () => {
  const { baseUrl, apiKey, apiSecret } = started.run;
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument;
  const underKey = operationsOf(description).filter(({ security }) => security.some((one) => 'key' in one));
  expect(underKey.length).toBeGreaterThan(20);
  // Deliveries need an active webhook first, and readers must create the objects of an example first.
  const makes: Record<string, string> = {
    createWebhook: 'webhookId',
    updateWebhook: '',
    sendTestEvent: 'deliveryId',
    recoverDeliveries: 'recoveryId',
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
      baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? ''),
      {
        method,
        headers: {
          authorization: basic(apiKey, apiSecret),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      },
    );
    return { status: answer.status, body: (await answer.json()) as { data: { id?: string } | null } };
  };
  // This one comes first, and those that leave nothing to call last: a customer without details, a revoked key.
  const order = [...Object.keys(makes), '', 'anonymiseCustomer', 'deleteWebhook', 'rotateApiKeySecret'];
  const rank = (id: string): number => order.indexOf(order.includes(id) ? id : '');
  for (const operation of underKey.toSorted((a, b) => rank(a.operationId) - rank(b.operationId))) {
    const { operationId } = operation;
    const succeed = async () => {
      const { status, body } = await send(operation);
      expect(status, `${operationId} ${JSON.stringify(body)}`).toBe(200);
      return body;
    };
    // A delivery in flight cannot be retried.
    const body = await (operationId === 'retryDelivery' ? eventually(succeed) : succeed());
    if (makes[operationId]) made.set(makes[operationId], body.data?.id ?? '');
  }
});

test('Ctrl-C ends it and leaves no process', async () => {
  const { run, child } = started;
  await interrupt(child);
  expect(child.exitCode).toBe(0);
  expect(run.processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
});
