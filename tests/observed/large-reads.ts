import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { openSqlConnection } from '@parley/testing/database/sql';
import type { System } from '@parley/local/system';
import { repeatedly } from '@parley/testing/repeatedly';
import { beforeAll, expect, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Observed } from './system.ts';

// The large data of one workspace does not affect others, and concurrent reads take bounded memory.

// Together they take a third of the five seconds that a call may take, so a busy machine has time for them.
const readersMax = 16;
/** More than one such read at a time takes of each process. The bodies alone are 42 MB. */
const moreBytesMax = 192 * 1024 * 1024;
const customerId = 'c';

let system: System;
let large: TestWorkspace;
let other: TestWorkspace;
let ids: string[];
let otherBotId: string;

/** A verbose bot: without a limit each of its conversations would have 397 KB. */
const verbose = {
  schemaVersion: 1,
  key: 'verbose',
  name: 'Verbose',
  type: 'Test',
  context: [{ name: 'c' }],
  steps: [
    ...Array.from({ length: 98 }, (_, n) => ({
      id: `s${n}`,
      kind: 'say',
      text: '{{context.c}}{{context.c}}',
    })),
    { id: 'end', kind: 'end' },
  ],
};

const status = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'latin1');
/** Returns the maximum memory of each process. */
const peaks = (): Record<string, number> =>
  Object.fromEntries(
    system
      .local()
      .processes.map(({ name, pid }) => [
        name,
        Number(/^VmHWM:\s+(\d+) kB$/m.exec(status(pid))?.[1] ?? Number.NaN) * 1024,
      ]),
  );

interface Read {
  status: number | undefined;
  bytes: number;
  /** How the body ends. */
  end: string;
}

/** Reads without storing the body. Repeats a read that a busy machine has refused or not answered in time. */
function read(path: string): Promise<Read> {
  const url = `${system.local().baseUrl}/v1/workspaces/${large.id}${path}`;
  const headers = { authorization: basic(large.apiKey, large.apiSecret) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      let bytes = 0;
      let end = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        end = (end + chunk.toString('latin1')).slice(-200);
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode, headers } = response;
        const isRefused = [429, 503, 504].includes(Number(statusCode));
        if (!isRefused) return resolve({ status: statusCode, bytes, end });
        setTimeout(() => resolve(read(path)), Number(headers['retry-after'] ?? 1) * 1_000);
      });
    });
    sent.on('error', reject).end();
  });
}

async function makeLarge(): Promise<string[]> {
  const botId = await large.publish(verbose);
  const c = 'x'.repeat(2048);
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { id } = await large.client.interactions.create({
      customerId,
      botId,
      status: 'InProgress',
      context: [{ key: 'c', value: c }],
    });
    made.unshift(id);
  }
  const { data } = await large.client.interactions.get(made[0] ?? '');
  expect(data?.length).toBeLessThan(256 * 1024);
  expect(data).toContain('maximum length');
  // As rows from before the limit of conversations.
  await using database = await openSqlConnection(system.local().postgresUrl);
  await database.query('set search_path to interaction');
  const body = `repeat('x', case when id = any($2::uuid[]) then 1000000 else 397000 end)`;
  await database.query(
    `update interaction set transcript = json_build_array(json_build_object(
       'seq', 1, 'type', 'bot', 'body', ${body}, 'timestamp', 1.5)) where workspace_id = $1`,
    [large.id, made.slice(-1)],
  );
  return made;
}

export function largeReadTests(observed: () => Observed): void {
  beforeAll(async () => {
    ({ system } = observed());
    const { baseUrl } = system.local();
    [large, other] = await Promise.all([
      createWorkspace(baseUrl, system.operator),
      createWorkspace(baseUrl, system.operator),
    ]);
    [ids, otherBotId] = await Promise.all([makeLarge(), other.publish(npsBot)]);
  });

  test('16 concurrent reads of large histories succeed, take less than 192 MB, and fail no call of others', async () => {
    const paths = [`/customers/${customerId}`, '/interactions?pageSize=50'];
    const { interactions } = await large.client.customers.get(customerId);
    expect(interactions.map(({ id }) => id)).toEqual(ids);
    const whole = await Promise.all(paths.map(read));

    const before = peaks();

    const others: number[] = [];
    await using asOther = repeatedly(async () => {
      const made = await other.api.post('/interactions', {
        customerId: 'o',
        botId: otherBotId,
        status: 'InProgress',
      });
      const list = await other.api.get('/interactions');
      const one = await other.api.get('/customers/o');
      others.push(made.status, list.status, one.status);
    });
    const reads = await Promise.all(Array.from({ length: readersMax }, (_, n) => read(paths[n % 2] ?? '')));
    await asOther.stop();

    expect(whole.map(({ status: code }) => code)).toEqual([200, 200]);
    expect(whole[0]?.end).toMatch(/\]\},"meta":null\}$/);
    expect(whole[0]?.bytes).toBeGreaterThan(2_500_000);
    reads.forEach((one, n) => expect(one).toEqual(whole[n % 2]));
    expect(new Set(others)).toEqual(new Set([200]));
    const after = Object.entries(peaks());
    const more = after.map(([name, bytes]) => [name, bytes - (before[name] ?? Number.NaN)] as const);
    for (const [name, bytes] of more) expect(bytes, name).toBeLessThan(moreBytesMax);
  });
}
