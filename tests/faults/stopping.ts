import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import type { SqlConnection } from '@parley/testing/database/sql';
import { eventually } from '@parley/testing/eventually';
import type { System } from '@parley/local/system';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Processes } from '../system/processes.ts';
import { adminSession, type Faulty, inTime, isReady, lockTable } from './system.ts';

/**
 * Waits until `calls` equal statements of the service wait for a lock, long enough that the next one gets another
 * connection.
 */
async function untilWaiting(admin: SqlConnection, service: string, calls: number): Promise<void> {
  const waiting = `select query from pg_stat_activity
    where usename = $1 and wait_event_type = 'Lock' group by query
    having count(*) = $2 and max(query_start) < clock_timestamp() - interval '100 milliseconds'`;
  await eventually(async () => {
    expect(await admin.query(waiting, [`parley_${service}`, calls])).not.toEqual([]);
  });
}

/** The time of a call. */
const callMs = 5_000;

/** Repeats what a busy machine did not do in time. */
async function untilInTime<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (;;) {
    const result = await attempt();
    if (result) return result;
  }
}

/** Tests of what a service does with calls in flight when it is asked to stop. */
export function stoppingTests(faulty: () => Faulty): void {
  let shown: string[];
  let system: System;
  let processes: Processes;
  let baseUrl: string;
  let workspace: TestWorkspace;
  let botId: string;
  beforeAll(async () => {
    ({ system, processes, shown } = faulty());
    baseUrl = system.local().baseUrl;
    workspace = await createWorkspace(baseUrl, system.operator);
    botId = await workspace.publish(npsBot);
    // A list that is empty reads no customers.
    await workspace.api.post('/interactions', { customerId: 'one', botId, status: 'Pending' });
  });

  const tables = {
    // Not its keys: they are known to the gateway, or asked for once by all.
    identity: ['identity', 'identity.workspace'],
    customer: ['customer', 'customer.customer'],
    interaction: ['interaction', 'interaction.interaction'],
    webhook: ['webhook', 'webhook.webhook'],
    insight: ['insight', 'insight.figure'],
    // Its database statement waits for another one.
    gateway: ['customer', 'customer.customer'],
  };
  /** How often processes of that name have started to stop, by their log. */
  async function timesStopped(name: string): Promise<number> {
    const log = await readFile(join(system.dataDir, 'logs', `${name}.log`), 'utf8');
    return log.split('"msg":"stopping"').length - 1;
  }

  const pathOf = (name: string): string =>
    ({
      identity: '',
      interaction: '/interactions',
      webhook: '/webhooks',
      insight: `/bots/${botId}/insight`,
    })[name] ?? '/customers';

  /**
   * Stops a service while calls wait for a lock. Returns their statuses and its process; undefined if a busy machine
   * took half of the time that calls have until the lock was released, so that they may have timed out before.
   */
  async function stopDuringCalls(
    name: string,
    { owner = '', table = '' }: { owner?: string; table?: string },
  ): Promise<{ statuses: number[]; pid: number } | undefined> {
    await isReady(system);
    await using admin = await adminSession(system);
    const lock = await lockTable(system, table);
    const calls: Promise<Answer<unknown>>[] = [];
    const startedAtMs = performance.now();
    // As many as there are connections for small reads: others wait behind these. Of scans, a workspace has one.
    const inFlight = name === 'insight' ? 1 : 2;
    while (calls.length < inFlight) {
      calls.push(workspace.api.get(pathOf(name)));
      await untilWaiting(admin, owner, calls.length);
    }
    const stops = await timesStopped(name);
    const pid = processes.pidOf(name);
    process.kill(pid, 'SIGTERM');
    await eventually(async () => expect(await timesStopped(name)).toBe(stops + 1));
    await lock[Symbol.asyncDispose]();
    const isInTime = performance.now() - startedAtMs < callMs / 2;
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    await eventually(() => expect(processes.pidOf(name)).not.toBe(pid));
    return isInTime ? { statuses, pid } : undefined;
  }

  test.each(Object.entries(tables))(
    'finishes the calls in flight and exits cleanly: %s',
    async (name, [owner, table]) => {
      const { statuses, pid } = await untilInTime(() => stopDuringCalls(name, { owner, table }));
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(shown).toContainEqual(expect.stringContaining(`${name} (process ${pid}) ended: exit code 0`));
    },
  );

  test.each(['gateway', 'interaction'])(
    'answers a long poll with the unchanged conversation: %s',
    async (name) => {
      await isReady(system);
      const wanted = { customerId: `polls ${name}`, botId, status: 'Pending' };
      const { id } = (await workspace.api.post<{ id: string }>('/interactions', wanted)).body.data;
      const browser = await openBrowser(baseUrl, workspace, wanted.customerId);
      const { seq } = await browser.start(id);
      await using admin = await adminSession(system);
      const [clock] = await admin.query<{ now: Date }>('select now()');
      const poll = browser.api.get<{ seq: number; status: string }>(
        `/conversations/${id}?after=${seq}&wait=25`,
      );
      await eventually(async () => {
        const asked = `select 1 from pg_stat_activity where query like '%unnest%as known%' and pid <> pg_backend_pid()
      and usename = 'parley_interaction' and query_start > $1`;
        expect(await admin.query(asked, [clock?.now])).not.toEqual([]);
      });
      process.kill(processes.pidOf(name), 'SIGTERM');
      const { status, body } = await inTime(poll);
      expect([status, body.data.status, body.data.seq]).toEqual([200, 'InProgress', seq]);
    },
  );
}
