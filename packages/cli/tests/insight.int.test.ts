import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Insight, InsightTotals } from '@parley/client';
import { InsightServiceService, type Rebuild } from '@parley/contracts/insight/v1/insight';
import { serve } from '@parley/rpc/serve';
import { notFound, unavailable } from '@parley/runtime/errors';
import type { Running } from '@parley/runtime/run';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger as logger } from '@parley/testing/quiet';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const workspaceId = '01939f6a-2f40-7c3a-9d55-0123456789ab';
const botId = '01939f6a-2f40-7c3a-9d55-0123456789ac';
const since = '2026-11-01T08:00:00.000000';
const empty = { n: 0, medianSeconds: null, p90Seconds: null };
const totals: InsightTotals = {
  created: 10,
  started: 8,
  completed: 5,
  expired: 1,
  stalled: 1,
  active: 1,
  startRate: 0.8,
  completionRate: 0.625,
  timeToComplete: { n: 5, medianSeconds: 123.07, p90Seconds: 4_181.67 },
  activeSeconds: { n: 5, medianSeconds: 84.06, p90Seconds: 1_950.77 },
};
const step = { kind: 'ask', text: 'What?', since } as const;

/** The answer of the API for the example of docs/insight.md. */
const insight: Insight = {
  bot: { id: botId, key: 'feedback', name: 'Feedback' },
  from: '2026-10-22T09:00:00.000000',
  to: '2026-11-21T09:30:00.000000',
  asOf: '2026-11-21T09:29:58.123000',
  totals,
  steps: [
    { ...step, stepId: 'score', seen: 9, answered: 8, skipped: 0, dropped: 1, dropRate: 1 / 9 },
    { ...step, stepId: 'problem', seen: 3, answered: 2, skipped: 0, dropped: 1, dropRate: 1 / 3 },
    { ...step, stepId: 'name', seen: 7, answered: 2, skipped: 3, dropped: 1, dropRate: 1 / 7 },
  ],
  ways: [
    { from: 'score', to: 'problem', n: 3 },
    { from: 'score', to: 'name', n: 5 },
    { from: 'problem', to: 'name', n: 2 },
    { from: 'name', to: 'bye', n: 5 },
  ],
  evaluation: {
    nps_score: {
      n: 8,
      score: 12.5,
      margin: 64.24,
      promoters: 4,
      passives: 1,
      detractors: 3,
      distribution: { '2': 1, '3': 1, '6': 1, '8': 1, '9': 2, '10': 2 },
    },
    problem: { n: 2, counts: { price: 1, delivery: 1, other: 0 } },
    name: { n: 2 },
  },
  days: [
    { date: '2026-11-20', created: 9, started: 8, completed: 5, nps: 12.5 },
    { date: '2026-11-21', created: 1, started: 0, completed: 0, nps: null },
  ],
  weeks: [
    { date: '2026-11-09', n: 0, nps: null, margin: null },
    { date: '2026-11-16', n: 8, nps: 12.5, margin: 64.24 },
  ],
};

let answer = insight;
const queries: string[] = [];
const rebuilds: Rebuild[] = [];
let starts = 0;

const stack = new AsyncDisposableStack();
let url: string;
let folder: string;
beforeAll(async () => {
  url = await startApi();
  folder = await mkdtemp(join(tmpdir(), 'parley-insight-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const { address } = stack.use(await startInsight());
  await writeFile(
    join(folder, 'operator.json'),
    JSON.stringify({ insight: address, operatorToken: 'operator' }),
  );
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  answer = insight;
  queries.length = 0;
  starts = 0;
});

/** Starts an API with one workspace, which has one bot. */
async function startApi(): Promise<string> {
  const server = createServer(({ url: path = '' }, response) => {
    if (path.includes('/insight')) queries.push(path.slice(path.indexOf('/insight') + '/insight'.length));
    const data = path.includes('/insight')
      ? answer
      : path.includes('/bots')
        ? [{ id: botId, name: 'Feedback', context: [] }]
        : [{ id: workspaceId, name: 'Shop', allowedDomains: [] }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, code: 200, detail: 'OK', data, meta: null }));
  });
  stack.defer(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an insight service whose rebuilds come from the test: one for each call. */
function startInsight(): Promise<Running> {
  const next = (): Rebuild => {
    const [first, ...others] = rebuilds;
    if (!first) throw notFound();
    if (others.length > 0) rebuilds.shift();
    if (first.total < 0) throw unavailable(new Error('restarting'));
    return first;
  };
  return serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [
      partialService(InsightServiceService, {
        startRebuild: async () => {
          starts += 1;
          return next();
        },
        getRebuild: async () => next(),
      }),
    ],
    tokens: { service: 'service', operator: 'operator' },
    logger,
    isReady: async () => true,
  });
}

const env = () => ({ PARLEY_URL: url, PARLEY_API_KEY: 'prl_key_a', PARLEY_API_SECRET: 'prl_sec_a' });
const bot = (...args: string[]) => runCommand(['bot', 'insight', 'feedback', ...args], { env: env() });
const rebuild = (...args: string[]) =>
  runCommand(['insight', 'rebuild', '--data-dir', folder, ...args], { env: env() });

describe('bot insight', () => {
  test('prints the example of docs/insight.md', async () => {
    const page = await readFile(resolve(import.meta.dirname, '../../../docs/insight.md'), 'utf8');
    const [, shown] = /^```console\n\$ parley bot insight feedback\n([^]*?)^```$/m.exec(page) ?? [];
    expect(await bot()).toEqual({ exitCode: 0, stderr: '', stdout: shown });
    expect(queries).toEqual(['?tz=UTC']);
  });

  test('passes on its options, also a version, and shows the window before', async () => {
    const previous = { from: '2026-09-22T08:30:00.000000', to: '2026-10-22T09:00:00.000000' };
    answer = { ...insight, previous: { ...totals, ...previous, started: 0, timeToComplete: empty } };
    const from = '2026-11-01T00:00:00+01:00';
    const { stdout } = await bot('--from', from, '--tz', 'Asia/Kolkata', '--version', '3', '--compare');
    expect(Object.fromEntries(new URLSearchParams(queries[0]))).toEqual({
      from,
      tz: 'Asia/Kolkata',
      version: '3',
      compare: 'previous',
    });
    expect(stdout).toContain(
      '2026-10-22 14:30:00 to 2026-11-21 15:00:00, as of 2026-11-21 14:59:58 (Asia/Kolkata)',
    );
    expect(stdout).toMatch(/^ +this window +from 2026-09-22 14:00:00$/m);
    expect(stdout).toMatch(/^started {2,}8 {3}80\.0 % of created +0 {4}0\.0 % of created$/m);
    expect(stdout).toMatch(/^completed {2,}5 {3}62\.5 % of started +5$/m);
    expect(stdout).toMatch(/^time to complete {2}median 2 min 3 s, 90 % within 1 h 10 min +-$/m);
  });

  test('prints the NPS of each week that has answers', async () => {
    const weeks = [...(insight.weeks ?? []), { date: '2026-11-23', n: 1, nps: -100, margin: 0 }];
    answer = { ...insight, weeks };
    const { stdout } = await bot();
    expect(stdout).toMatch(/^NPS by week, from Monday on\n  2026-11-16 +12\.5 ± 64\.2 +8 answers\n/m);
    expect(stdout).toMatch(/^  2026-11-23 +-100 ± 0 +1 answer$/m);
    expect(stdout).not.toContain('2026-11-09');
  });

  test('prints JSON as the API, and CSV with a row per day', async () => {
    expect(JSON.parse((await bot('--json')).stdout)).toEqual(insight);
    const days = '2026-11-20,9,8,5,12.5,UTC\n2026-11-21,1,0,0,,UTC\n';
    expect((await bot('--csv')).stdout).toBe(`date,created,started,completed,nps,timeZone\n${days}`);
    expect(await bot('--csv', '--json')).toMatchObject({ exitCode: 2 });
  });

  test('has no note about 30 answers, and shows keys without answers', async () => {
    const nps = {
      n: 30,
      score: 0,
      margin: 20,
      promoters: 10,
      passives: 10,
      detractors: 10,
      distribution: {},
    };
    const counts = { red: 0, blue: 0 };
    answer = {
      ...insight,
      steps: [],
      ways: [],
      evaluation: {
        nps,
        rating: { n: 1, mean: 4, median: 4.5, distribution: {} },
        none: { n: 0, mean: null, median: null, distribution: {} },
        colour: { n: 0, counts },
      },
    };
    const { stdout } = await bot();
    expect(stdout).toContain('\nnps: NPS 0 ± 20 (30 answers)\n');
    expect(stdout).toContain('\nrating: mean 4, median 4.5 (1 answer)\n');
    expect(stdout).toContain('\nnone: no answers\n');
    expect(stdout).toContain('\ncolour: 0 answers\n  red   0\n  blue  0\n');
    expect(stdout).not.toContain('STEP');
    expect(stdout).not.toContain('WAY');
  });

  test('leaves --version to Parley where there is no command', async () => {
    const { stdout } = await runCommand(['--version']);
    expect((await runCommand(['bot', 'insight', '-V'])).stdout).toBe(stdout);
    expect(await bot('--version', 'x')).toMatchObject({
      exitCode: 2,
      stderr: 'parley: x is not the number of a version\n',
    });
  });
});

describe('insight rebuild', () => {
  const startedAt = new Date('2026-11-21T09:30:00Z');
  const running: Rebuild = { startedAt, finishedAt: null, counted: 1_000, total: 4_000 };
  const ended: Rebuild = {
    startedAt,
    finishedAt: new Date('2026-11-21T09:30:12Z'),
    counted: 4_100,
    total: 4_000,
  };
  const end = 'The rebuild ended at 2026-11-21T09:30:12.000Z: 4100 interactions in 12 s\n';

  test('shows the progress until it has ended, also if the service restarts meanwhile', async () => {
    rebuilds.splice(0, Infinity, running, { ...running, total: -1 }, running, ended);
    expect(await rebuild()).toEqual({
      exitCode: 0,
      stdout: end,
      stderr: 'Rebuilding: 1000 of about 4000 interactions, 25.0 %\n',
    });
    expect(starts).toBe(1);
    rebuilds.splice(0, Infinity, running, ended);
    const { stdout, stderr } = await rebuild('--json');
    expect([JSON.parse(stdout), stderr]).toEqual([JSON.parse(JSON.stringify(ended)), '']);
  });

  test('--status starts none', async () => {
    rebuilds.splice(0, Infinity, running);
    expect((await rebuild('--status')).stdout).toBe('Rebuilding: 1000 of about 4000 interactions, 25.0 %\n');
    rebuilds.splice(0, Infinity, ended);
    expect((await rebuild('--status')).stdout).toBe(end);
    rebuilds.length = 0;
    expect(await rebuild('--status')).toMatchObject({ exitCode: 1, stderr: 'parley: There is no rebuild\n' });
    expect(starts).toBe(0);
  });

  test('finds the service of a deployment by --insight', async () => {
    const { exitCode, stderr } = await runCommand(['insight', 'rebuild', '--insight', '127.0.0.1:1'], {
      env: { PARLEY_OPERATOR_TOKEN: 'operator' },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toBe('parley: the insight service at 127.0.0.1:1 is not reachable or not ready\n');
    expect(
      await runCommand(['insight', 'rebuild', '--identity', 'i:1'], { env: { PARLEY_OPERATOR_TOKEN: 'o' } }),
    ).toMatchObject({ exitCode: 2, stderr: 'parley: this command needs --insight ADDRESS as well\n' });
  });
});
