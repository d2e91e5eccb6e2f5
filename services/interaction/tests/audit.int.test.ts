import { auditShown, rememberShown, seenMs } from '@parley/audit/shown';
import { withClientAddress } from '@parley/rpc/grants';
import { inWork } from '@parley/runtime/scheduling/work';
import { testGrants } from '@parley/testing/peers/callers';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';
import { call, type Interactions, startInteractions } from './fixture.ts';
import { twoQuestions } from './model/two-questions.ts';

let service: Interactions;
beforeAll(async () => {
  service = await startInteractions();
});
afterAll(() => service[Symbol.asyncDispose]());

let workspace: WorkspaceWithConversations;
let botId: string;
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  botId = await workspace.publish(twoQuestions());
});

async function rowsOf(id: string): Promise<string[]> {
  const rows = await service.db
    .selectFrom('auditLog')
    .select(['action', 'targets'])
    .where('workspaceId', '=', workspace.workspaceId)
    .orderBy('id')
    .execute();
  return rows.filter(({ targets }) => targets.some((target) => target.id === id)).map(({ action }) => action);
}

describe('a person', () => {
  const asPerson = () => {
    const holder = { $case: 'personId', value: uuidv7() } as const;
    const { workspaceId } = workspace;
    const grant = testGrants.issue({ workspaceIds: [workspaceId], holder, holderName: 'Ada' }, 60);
    return { ...call, grant: withClientAddress(grant, '2001:db8::7') };
  };

  it('who opens a conversation leaves a row, and an API key does not', async () => {
    const { workspaceId } = workspace;
    const { id } = await workspace.create({ botId, status: 'Pending' });
    await service.interactions.getInteraction({ workspaceId, id }, asPerson());
    expect(await rowsOf(id)).toEqual(['interaction.created']);
    const customerId = uuidv7();
    const begun = await workspace.create({ botId, customerId, status: 'Pending' });
    await workspace.begin(await workspace.newSession(customerId), begun.id);
    await workspace.get(begun.id);
    await workspace.list();
    expect(await rowsOf(begun.id)).toEqual(['interaction.created']);
    await service.interactions.getInteraction({ workspaceId, id: begun.id }, asPerson());
    await service.interactions.listInteractions(
      { workspaceId, page: { page: 1, pageSize: 5 }, evaluation: [] },
      asPerson(),
    );
    expect(await rowsOf(begun.id)).toEqual([
      'interaction.created',
      'interaction.opened',
      'interactions.listed',
    ]);
    const row = await service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('action', '=', 'interaction.opened')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ actorType: 'person', actorName: 'Ada', clientAddress: '2001:db8::7' });
  });

  it('leaves one row an hour for a conversation, however often a page shows it again', async () => {
    const { workspaceId } = workspace;
    const customerId = uuidv7();
    const begun = await Promise.all(
      [1, 2].map(async () => {
        const made = await workspace.create({ botId, customerId, status: 'Pending' });
        await workspace.begin(await workspace.newSession(customerId), made.id);
        return made;
      }),
    );
    const [first, second] = begun.map(({ id }) => id);
    const [ada, eva] = [asPerson(), asPerson()];
    const listBy = (person: typeof ada) =>
      service.interactions.listInteractions(
        { workspaceId, page: { page: 1, pageSize: 5 }, evaluation: [] },
        person,
      );
    const openBy = (person: typeof ada) =>
      service.interactions.getInteraction({ workspaceId, id: first ?? '' }, person);
    for (let refresh = 0; refresh < 3; refresh += 1) {
      await Promise.all([listBy(ada), listBy(ada)]);
      await Promise.all([openBy(ada), openBy(ada)]);
    }
    const ofAda = ['interaction.created', 'interactions.listed', 'interaction.opened'];
    expect(await rowsOf(first ?? '')).toEqual(ofAda);
    expect(await rowsOf(second ?? '')).toEqual(ofAda.slice(0, 2));
    await openBy(eva);
    await listBy(eva);
    expect(await rowsOf(first ?? '')).toEqual([...ofAda, 'interaction.opened']);
  });

  it('leaves another one when an hour has passed without it', async () => {
    const { workspaceId } = workspace;
    const actor = {
      type: 'person',
      id: uuidv7(),
      name: 'Ada',
      requestId: 'r',
      clientAddress: undefined,
    } as const;
    const thing = { type: 'interaction', id: uuidv7() };
    const showing = { workspaceId, action: 'interaction.opened', things: [thing] } as const;
    let nowMs = 0;
    const deps = { db: service.db, shown: rememberShown(() => nowMs) };
    const openAt = (ms: number) => {
      nowMs = ms;
      return inWork({ tenant: workspaceId, signal: undefined, actor }, () => auditShown(deps, showing));
    };
    for (const ms of [1, seenMs, seenMs + 1]) await openAt(ms);
    expect(await rowsOf(thing.id)).toHaveLength(1);
    await openAt(2 * seenMs + 2);
    expect(await rowsOf(thing.id)).toHaveLength(2);
  });
});

describe('a change whose connection is lost before its row is written', () => {
  /** Runs the change while nobody can write rows, and ends its connection. */
  async function interrupted(change: () => Promise<unknown>): Promise<void> {
    await using connection = await openSqlConnection(service.adminUrl);
    await connection.query('begin');
    await connection.query('lock table interaction.audit_log in access exclusive mode');
    const failed = expect(change()).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(async () => {
      const ended = await connection.query(
        `select pg_terminate_backend(pid) from pg_locks where not granted and relation = 'interaction.audit_log'::regclass`,
      );
      expect(ended).toHaveLength(1);
    });
    await failed;
    await connection.query('rollback');
  }

  it('does not happen: a creation', async () => {
    const customerId = uuidv7();
    await interrupted(() => workspace.create({ botId, customerId }));
    expect((await workspace.list()).total).toBe(0);
    expect(await rowsOf(customerId)).toEqual([]);
  });

  it('does not happen: a change, and a deletion', async () => {
    const { workspaceId } = workspace;
    const { id } = await workspace.create({ botId, priority: 'Low' });
    await interrupted(() =>
      service.interactions.updateInteraction({ workspaceId, id, priority: 'High' }, call),
    );
    await interrupted(() => service.interactions.deleteInteraction({ workspaceId, id }, call));
    expect(await workspace.get(id)).toMatchObject({ priority: 'Low', version: 1 });
    expect(await rowsOf(id)).toEqual(['interaction.created']);
  });
});
