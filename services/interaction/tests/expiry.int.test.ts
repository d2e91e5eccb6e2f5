import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadInteraction, saveInteraction } from '../src/interactions/store.ts';
import { survey } from './definitions.ts';
import { type Interactions, startInteractions, workspaceOf, type Workspace } from './fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

/** An interaction that is overdue, while the database still has its old status. */
async function due(status: 'Draft' | 'Pending' | 'InProgress'): Promise<string> {
  const { id } = await workspace.create({ botId, status });
  await system.db
    .updateTable('interaction')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where('workspaceId', '=', workspace.workspaceId)
    .where('id', '=', id)
    .execute();
  return id;
}

describe('the clock', () => {
  it.each(['Draft', 'Pending', 'InProgress'] as const)(
    'has expired a %s one when it is read',
    async (status) => {
      const id = await due(status);
      const read = await workspace.get(id);
      expect(read).toMatchObject({ status: 'Expired', version: 2 });
      expect(read.data === null).toBe(status !== 'InProgress');
      expect(await workspace.events(id)).toEqual([]);
    },
  );

  it('has expired one before the client changes it', async () => {
    for (const change of [{ status: 'Completed' }, { expirySeconds: 60 }, { status: 'Draft' }] as const) {
      await expect(workspace.update(await due('Pending'), change)).rejects.toMatchObject({
        code: 'failed_precondition',
      });
    }
  });

  it('does not expire one that gets more time while a list waits for it', async () => {
    const id = await due('Pending');
    const ofRow = system.db
      .updateTable('interaction')
      .where('workspaceId', '=', workspace.workspaceId)
      .where('id', '=', id);
    const expiresAt = new Date(Date.now() + 60_000);
    const { listed } = await system.db.transaction().execute(async (trx) => {
      await trx.executeQuery(ofRow.set({ expiresAt }));
      const listing = workspace.list();
      await eventually(async () => {
        const { rows } = await sql<{ waiting: boolean }>`
          select exists (
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          ) as waiting`.execute(trx);
        expect(rows).toEqual([{ waiting: true }]);
      });
      return { listed: listing };
    });
    await listed;
    expect(await workspace.get(id)).toMatchObject({ status: 'Pending', expiresAt });
  });

  it('does not change one that has ended otherwise', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending', expirySeconds: 600 });
    const completed = await workspace.update(id, { status: 'Completed' });
    const expiresAt = new Date(Date.now() - 1);
    await system.db
      .updateTable('interaction')
      .set({ expiresAt })
      .where('workspaceId', '=', workspace.workspaceId)
      .where('id', '=', id)
      .execute();
    expect(await workspace.get(id)).toEqual({ ...completed, expiresAt });
  });

  it('expires one that nobody reads', async () => {
    const id = await due('Pending');
    await eventually(async () => {
      const row = await system.db
        .selectFrom('interaction')
        .select('status')
        .where('workspaceId', '=', workspace.workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      expect(row?.status).toBe('Expired');
    });
  });

  it('rejects a change that was decided in time and is saved too late', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending', expirySeconds: 1 });
    const row = await loadInteraction(system.db, workspace.workspaceId, id);
    expect(row?.status).toBe('Pending');
    if (!row) return;
    await eventually(async () => expect(Date.now()).toBeGreaterThan(row.expiresAt?.getTime() ?? 0));
    expect(await saveInteraction(system.db, row, { status: 'Completed' }, [], null)).toBeUndefined();
    expect((await workspace.get(id)).status).toBe('Expired');
  });

  it('and the client have one winner each time: Completed with an event, or Expired with none', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          workspace.create({ botId, status: 'Pending', expirySeconds: 0.01 + index * 0.004 }),
        ),
      );
      await Promise.all(
        made.map(async ({ id }) => {
          const [closed] = await Promise.allSettled([
            workspace.update(id, { status: 'Completed' }),
            workspace.list(),
            workspace.get(id),
          ]);
          const { status } = await workspace.get(id);
          outcomes.add(status);
          if (closed.status === 'fulfilled') expect(status).toBe('Completed');
          if (status === 'Pending') return;
          expect(await workspace.events(id)).toHaveLength(status === 'Completed' ? 1 : 0);
        }),
      );
    }
    expect([...outcomes].every((status) => status === 'Completed' || status === 'Expired')).toBe(true);
  });
});
