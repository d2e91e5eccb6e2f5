import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { createWorkspace } from '@parley/testing/api';
import { startReceiver } from '@parley/testing/peers/receiver';
import { buildGo, raceFlags } from '@parley/testing/servers/go';
import { findPython } from '@parley/testing/servers/python';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { operationsOf } from '../api/operations.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Case, Outcome, RunnerInput, RunnerOutput, Step } from './case.ts';
import { filled } from './filled.ts';
import { type HostileProxy, startHostileProxy } from './hostile-proxy.ts';

// The cases of `cases/*.json` with the SDK of each language, against the whole service, through a proxy with faults.

const { baseUrl } = inject('local');
const root = resolve(import.meta.dirname, '../..');
const cases = ['operations', 'faults', 'lists', 'webhooks'].flatMap(
  (name) => JSON.parse(readFileSync(join(import.meta.dirname, `cases/${name}.json`), 'utf8')) as Case[],
);

interface Runner {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

const python = async (kind: string): Promise<Runner> => {
  const { path, env } = await findPython();
  const modules = [join(root, 'packages/sdk-python/src'), env['PYTHONPATH']].filter(Boolean).join(':');
  return {
    command: path,
    args: [join(import.meta.dirname, 'run_cases.py'), kind],
    env: { ...env, PYTHONPATH: modules },
  };
};

const runners: Record<string, () => Promise<Runner>> = {
  typescript: async () => ({
    command: process.execPath,
    args: ['--conditions=@parley/source', join(import.meta.dirname, 'run-cases.ts')],
  }),
  python: () => python('sync'),
  'python-async': () => python('async'),
  // With the detector of data races, whose report ends the runner.
  go: async () => ({
    command: await buildGo(join(import.meta.dirname, 'go'), 'run-cases', ...raceFlags),
    args: [],
    env: { GORACE: 'halt_on_error=1' },
  }),
};

/** The runners are built, and go through all cases: minutes on a busy machine. */
const runMsMax = 15 * 60_000;

let proxy: HostileProxy;
const outputs = new Map<string, RunnerOutput>();
const stopped = new AsyncDisposableStack();

beforeAll(async () => {
  const receiver = stopped.use(await startReceiver());
  const teams = await Promise.all(
    Object.entries(runners).map(async ([language, runner]) => ({
      language,
      runner: await runner(),
      workspace: await createWorkspace(baseUrl, inject('operator')),
    })),
  );
  const apis = Object.fromEntries(teams.map(({ language, workspace }) => [language, workspace.api]));
  proxy = stopped.use(await startHostileProxy(baseUrl, cases, apis));
  await Promise.all(
    teams.map(async ({ language, runner, workspace: { id: workspaceId, apiKey, apiSecret } }) => {
      const variables = {
        workspaceId,
        apiKey,
        apiSecret,
        receiverUrl: receiver.url,
        definition: { ...(npsBot as object), revise: true },
        botKey: (npsBot as { key: string }).key,
        unique: randomUUID(),
      };
      outputs.set(language, await run(runner, { baseUrl: `${proxy.baseUrl}/${language}`, variables, cases }));
    }),
  );
}, runMsMax);

afterAll(() => stopped.disposeAsync());

async function run({ command, args, env }: Runner, input: RunnerInput): Promise<RunnerOutput> {
  const runner = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  runner.stdin.end(JSON.stringify(input));
  const [out, faults] = await Promise.all([text(runner.stdout), text(runner.stderr)]);
  if (out === '') throw new Error(`${command} ${args.join(' ')}: ${faults}`);
  return JSON.parse(out) as RunnerOutput;
}

describe.each(Object.keys(runners))('the SDK for %s', (language) => {
  test.each(cases.map((one, index) => ({ ...one, index })))('$name', (one) => {
    const { outcomes: all = {}, variables = {} } = outputs.get(language) ?? {};
    const outcomes = all[one.name] ?? [];
    expect(outcomes).toHaveLength(one.steps.length);
    for (const [index, step] of one.steps.entries()) check(filled(step, variables) as Step, outcomes[index]);
    const requests = proxy.requestsOf(language, one.index);
    if (one.requests !== undefined) expect(requests).toHaveLength(one.requests);
    const keys = requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    if (one.keys !== undefined) expect(new Set(keys).size).toBe(one.keys);
    const sent = one.steps.flatMap((step) =>
      'call' in step ? Object.entries(step.options?.headers ?? {}) : [],
    );
    if (requests.length > 0) for (const [name, value] of sent) expect(requests[0]?.headers[name]).toBe(value);
  });

  test('every operation of the API was called', () => {
    const all = operationsOf(inject('openapi')).filter(({ path }) => /^\/(?:public\/)?v1\//.test(path));
    const called = cases.flatMap((_, index) => proxy.requestsOf(language, index));
    const missing = all.filter(({ method, path }) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`);
      return !called.some((request) => request.method === method && pattern.test(request.path));
    });
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  });
});

function check(step: Step, outcome: Outcome | undefined): void {
  const about = JSON.stringify('call' in step ? step.call : step);
  if (step.expect?.error) {
    expect(outcome, about).toMatchObject({ error: step.expect.error });
    return;
  }
  expect(outcome, about).toHaveProperty('value');
  const { value } = outcome as { value: unknown };
  const { count, unique } = step.expect ?? {};
  const ids = (value as { id: unknown }[] | null)?.map?.(({ id }) => id);
  if (unique) expect(new Set(ids).size, about).toBe(ids?.length);
  if (count !== undefined) expect(value, about).toHaveLength(count);
  if (step.expect && 'value' in step.expect) {
    if (step.expect.value === null) expect(value, about).toBeNull();
    else expect(value, about).toMatchObject(step.expect.value as object);
  }
}
