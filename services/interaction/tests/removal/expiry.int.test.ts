import { interactionStalled } from '@parley/contracts/events';
import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stallBatch } from '../../src/changing/stalled-store.ts';
import { saveInteraction } from '../../src/changing/change-store.ts';
import { loadInteraction } from '../../src/interactions/store.ts';
import { survey } from '../definitions.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';
import { call, type Interactions, startInteractions } from '../fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: WorkspaceWithConversations;
let botId: string;
beforeEach(async () => {
  workspace = workspaceWithConversations(system);
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
      const before = status === 'InProgress' ? ['created', 'started'] : ['created'];
      expect(await workspace.raised(id)).toEqual([...before, 'expired by clock']);
    },
  );

  it.each([true, false])(
    'has expired those of a list when it is read, in a short answer: %s',
    async (onlyShort) => {
      const ofCustomer = { workspaceId: workspace.workspaceId, customerId: 'ada', onlyShort };
      const lists = [
        () => workspace.list({ onlyShort }),
        () => workspace.list({ onlyShort, status: 'Expired' }),
        () => workspace.list({ onlyShort, priority: 'Medium', botId }),
        () => workspace.list({ onlyShort, updatedFrom: new Date(Date.now() - 60_000) }),
        () => system.interactions.listCustomerInteractions(ofCustomer, call),
      ];
      for (const list of lists) {
        const id = await due('Pending');
        const { interactions } = await list();
        expect(interactions.map(({ status }) => status)).toEqual(interactions.map(() => 'Expired'));
        expect(interactions[0]?.id).toBe(id);
      }
      expect(await workspace.list({ onlyShort, status: 'Pending' })).toMatchObject({
        interactions: [],
        total: 0,
      });
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
    const found = await workspace.get(id);
    // A trigger has set it.
    expect(found).toEqual({ ...completed, expiresAt, updatedAt: found.updatedAt });
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
    expect(await workspace.raised(id)).toEqual(['created', 'expired by clock']);
  });

  it('rejects a change that was decided in time and is saved too late', async () => {
    const { row, id } = await eventually(async () => {
      const { id } = await workspace.create({ botId, status: 'Pending', expirySeconds: 1 });
      const row = await loadInteraction(system.db, workspace.workspaceId, id);
      // If not, the machine was too busy to read it in time.
      expect(row?.status).toBe('Pending');
      return { id, row: row as NonNullable<typeof row> };
    });
    await eventually(async () => expect(Date.now()).toBeGreaterThan(row.expiresAt?.getTime() ?? 0));
    expect(
      await saveInteraction(system.db, {
        before: row,
        change: { status: 'Completed' },
        events: [],
        message: null,
      }),
    ).toBeUndefined();
    expect((await workspace.get(id)).status).toBe('Expired');
  });

  it('and the client have one winner each time: Completed or Expired, with its event only', async () => {
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
          const last = status === 'Completed' ? 'completed' : 'expired by clock';
          expect(await workspace.raised(id)).toEqual(['created', last]);
        }),
      );
    }
    expect([...outcomes].every((status) => status === 'Completed' || status === 'Expired')).toBe(true);
  });
});

describe('a conversation stalls', () => {
  const rowOf = (id: string) =>
    system.db
      .selectFrom('interaction')
      .select(['startedAt', 'stallsAt', 'version'])
      .where('workspaceId', '=', workspace.workspaceId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const stall = async (id: string): Promise<void> => {
    await system.db
      .updateTable('interaction')
      .set({ stallsAt: new Date(Date.now() - 1) })
      .where('workspaceId', '=', workspace.workspaceId)
      .where('id', '=', id)
      .execute();
    await stallBatch(system.db);
    await eventually(async () => expect((await rowOf(id)).stallsAt).toBeNull());
  };
  const lastStepOf = async (id: string): Promise<string> => {
    const { payload } = await system.db
      .selectFrom('eventLog')
      .select('payload')
      .where('workspaceId', '=', workspace.workspaceId)
      .where('about', '=', id)
      .where('type', '=', interactionStalled.subject)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return interactionStalled.message.decode(payload).lastStepId;
  };

  it('once per silence, with the step that waits for its answer, and unseen by clients', async () => {
    const { id } = await workspace.offer(botId);
    const session = workspace.session();
    const { seq } = await workspace.begin(session, id);
    const { version } = await rowOf(id);
    await stall(id);
    await stallBatch(system.db);
    expect(await workspace.raised(id)).toEqual(['created', 'started', 'stalled']);
    expect(await lastStepOf(id)).toBe('score');
    expect((await rowOf(id)).version).toBe(version);
    await workspace.post(session, id, { seq, stepId: 'score', answer: { value: 9 } });
    await stall(id);
    expect(await workspace.raised(id)).toEqual(['created', 'started', 'stalled', 'resumed', 'stalled']);
    expect(await lastStepOf(id)).toBe('reason');
  });

  it('after the time that its bot states: by default a day, or never', async () => {
    const waits: (number | undefined)[] = [];
    const bots = [
      { key: 'a' },
      { key: 'b', stalledAfterSeconds: 60 },
      { key: 'c', stalledAfterSeconds: null },
    ];
    for (const more of bots) {
      const { id } = await workspace.create({
        botId: await workspace.publish({ ...survey, ...more }),
        status: 'InProgress',
      });
      const { startedAt, stallsAt } = await rowOf(id);
      waits.push(stallsAt ? (stallsAt.getTime() - (startedAt?.getTime() ?? 0)) / 1_000 : undefined);
    }
    expect(waits).toEqual([86_400, 60, undefined]);
  });

  it('not after it has ended', async () => {
    for (const status of ['Completed', 'Expired'] as const) {
      const { id } = await workspace.create({ botId, status: 'InProgress' });
      await workspace.update(id, { status });
      await system.db
        .updateTable('interaction')
        .set({ stallsAt: new Date(Date.now() - 1) })
        .where('workspaceId', '=', workspace.workspaceId)
        .where('id', '=', id)
        .execute();
      await stallBatch(system.db);
      expect(await workspace.raised(id)).not.toContain('stalled');
    }
  });
});
