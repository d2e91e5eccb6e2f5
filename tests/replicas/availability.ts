import { createWorkspace } from '@parley/testing/api';
import { openSqlConnection } from '@parley/testing/database/sql';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Replicated } from './system.ts';

const count = 300;

export function availabilityTests(replicated: () => Replicated): void {
  test('a kill of all replicas while much is due neither loses nor doubles an event', async () => {
    const { processes, system } = replicated();
    const { baseUrl, postgresUrl } = system.local();
    const { id: workspaceId, client, publish } = await createWorkspace(baseUrl, system.operator);
    const botId = await publish(Object.assign({}, npsBot, { reminders: [{ afterSeconds: 3_600 }] }));
    const availableFrom = new Date(Date.now() + 3_600_000).toISOString();
    const wanted = { botId, status: 'Pending', availableFrom } as const;
    const interactions = Array.from({ length: count }, (_, n) => ({ ...wanted, customerId: `c ${n}` }));
    await client.interactions.createBulk({ interactions });

    await using connection = await openSqlConnection(postgresUrl);
    const due = `update interaction.availability set due_at = now(), available_at = now() - interval '3700 seconds'
      where workspace_id = $1`;
    await connection.query(due, [workspaceId]);
    await Promise.all(['interaction-1', 'interaction-2'].map((name) => processes.end(name, 'SIGKILL')));

    const raised = async () => {
      const rows = await connection.query(
        `select count(*)::int as n, count(distinct about)::int as abouts from interaction.event_log
         where workspace_id = $1 and type = any($2)
         group by type order by type`,
        [workspaceId, ['parley.interaction.available.v1', 'parley.interaction.reminder-due.v1']],
      );
      return rows as { n: number; abouts: number }[];
    };
    const once = { n: count, abouts: count };
    await eventually(async () => expect(await raised()).toEqual([once, once]));
    const left = await connection.query(
      'select from interaction.availability where workspace_id = $1 and due_at is not null',
      [workspaceId],
    );
    expect(left).toEqual([]);
    expect(await raised()).toEqual([once, once]);
  });
}
