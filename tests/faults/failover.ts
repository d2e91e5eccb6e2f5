import { rename } from 'node:fs/promises';
import type { System } from '@parley/local/system';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { startTestSystem } from '@parley/testing/setup/system';
import { beforeAll, expect, test } from 'vitest';
import { interactionIdsOf } from '../webhooks/delivering-workspace.ts';
import { type Processes, processesOf } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { startAnonymisations, startCreations, startRotations } from './failover-load.ts';
import { startSteadyConversations } from './steady-conversations.ts';

export interface FailingOver {
  system: System;
  processes: Processes;
  /** What it has shown on the terminal, with the time. */
  shown: { line: string; at: number }[];
}

/** Starts it. The stack ends it. */
export async function startFailingOver(stack: AsyncDisposableStack): Promise<FailingOver> {
  const shown: FailingOver['shown'] = [];
  const show = (line: string): unknown => shown.push({ line, at: performance.now() });
  const options = { restartable: true, standby: true, replicas: { gateway: 2 }, show };
  const system = stack.use(await startTestSystem(options));
  return { system, processes: processesOf(system), shown };
}

/** How long after a promotion services may need until they write. */
const writeMsMax = 15_000;

export function failoverTests(failingOver: () => FailingOver): void {
  let system: System;
  let processes: Processes;
  let shown: FailingOver['shown'];
  let workspace: TestWorkspace;
  let receiver: Receiver;
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    ({ system, processes, shown } = failingOver());
    receiver = stack.use(await startReceiver());
    return () => stack.disposeAsync();
  });

  /** Returns which server has which role, once the standby may replace the primary. */
  const roles = (): Promise<{ primary: string; standby: string }> =>
    eventually(() => {
      const found = shown
        .map(({ line }) => /^(postgres-\d) has all commits of (postgres-\d)/.exec(line))
        .findLast(Boolean);
      return { standby: found?.[1] ?? expect.unreachable('no standby'), primary: found?.[2] ?? '' };
    });

  /** Returns when the line was shown. */
  const whenShown = (text: string, after: number): Promise<number> =>
    eventually(() => {
      const found = shown.find(({ line, at }) => at > after && line.includes(text));
      return found?.at ?? expect.unreachable(`not shown: ${text}`);
    });

  /** Takes the files of the primary away from it. */
  async function loseDisk(): Promise<void> {
    await using connection = await openSqlConnection(system.local().postgresUrl);
    const [{ folder = '' } = {}] = await connection.query(
      "select current_setting('data_directory') as folder",
    );
    await rename(String(folder), `${String(folder)}.lost`);
  }

  async function startLoad() {
    const { baseUrl, gateways } = system.local();
    workspace = await createWorkspace(baseUrl, system.operator);
    await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
    const botId = await workspace.publish(npsBot);
    return {
      conversations: startSteadyConversations(gateways, workspace, botId),
      creations: startCreations(workspace),
      rotations: await startRotations(system),
      anonymisations: startAnonymisations(workspace),
    };
  }

  test.each([
    ['killed, and loses its disk', 'SIGKILL'],
    ['frozen', 'SIGSTOP'],
  ] as const)(
    'when the primary is %s, nothing acknowledged is lost, and services write within 15 seconds of the promotion',
    async (fate, signal) => {
      const { primary, standby } = await roles();
      const load = await startLoad();
      const { conversations, creations, rotations, anonymisations } = load;
      const goesOn = async (since: number): Promise<void> => {
        await eventually(() => {
          expect(creations.acknowledgedSince(since)).toBeGreaterThan(3);
          expect(rotations.acknowledgedSince(since)).toBeGreaterThan(1);
          expect(anonymisations.begunSince(since)).toBeGreaterThan(1);
        });
      };
      await goesOn(0);
      const endedAt = performance.now();
      if (signal === 'SIGKILL') await loseDisk();
      process.kill(processes.pidOf(primary), signal);
      const promotedAt = await whenShown(`${standby} is promoted`, endedAt);
      await eventually(() => expect(creations.acknowledgedSince(promotedAt)).toBeGreaterThan(0), {
        timeoutMs: writeMsMax,
      });
      const writtenAt = creations.firstSince(promotedAt);
      console.error(
        `primary ${fate}: promoted after ${Math.round(promotedAt - endedAt)} ms, ` +
          `writes again ${Math.round(writtenAt - promotedAt)} ms later`,
      );
      await goesOn(promotedAt);
      await whenShown(`${primary} has all commits`, promotedAt);
      const before = conversations.completed.length;
      await eventually(() => expect(conversations.completed.length).toBeGreaterThan(before));
      await Promise.all(Object.values(load).map((one) => one.stop()));

      await creations.verify();
      rotations.verify();
      await anonymisations.verify();
      for (const { customerId, interactionId } of conversations.completed) {
        const { body } = await workspace.api.get(`/interactions/${interactionId}`);
        expect(body.data).toMatchObject({ customerId, status: 'Completed' });
      }
      const ids = conversations.completed.map(({ interactionId }) => interactionId);
      await eventually(() =>
        expect(interactionIdsOf(receiver.requests)).toEqual(expect.arrayContaining(ids)),
      );
    },
  );

  test('without a standby, calls go on', async () => {
    const { standby } = await roles();
    process.kill(processes.pidOf(standby), 'SIGKILL');
    expect((await workspace.api.post('/customers', { id: 'without a standby' })).status).toBe(200);
    await eventually(async () => {
      await using connection = await openSqlConnection(system.local().postgresUrl);
      expect(await connection.query('select sync_state from pg_stat_replication')).toEqual([
        { sync_state: 'sync' },
      ]);
    });
  });
}
