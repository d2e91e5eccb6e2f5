import { interactionReminderDue } from '@parley/contracts/events';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { raiseDue } from '../src/changing/availability-store.ts';
import { migrations } from '../src/migrations/index.ts';
import type { Tables } from '../src/schema.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';
import { survey } from './definitions.ts';
import { call, idempotencyKey, type Interactions, startInteractions } from './fixture.ts';

const hourSeconds = 3_600;
const reminding = {
  ...survey,
  key: 'reminding',
  reminders: [{ afterSeconds: hourSeconds }, { afterSeconds: 3 * hourSeconds }],
};

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

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

/** Lets so much time pass for an interaction. */
async function pass(id: string, seconds: number): Promise<void> {
  const { workspaceId } = workspace;
  const by = sql`${seconds} * interval '1 second'`;
  await sql`update interaction set available_from = available_from - ${by}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(system.db);
  await sql`update availability set available_at = available_at - ${by}, due_at = due_at - ${by}
    where workspace_id = ${workspaceId} and interaction_id = ${id}`.execute(system.db);
  await raiseDue(system.db);
  // Another replica may have claimed it.
  await eventually(async () => expect((await dueIn(id)) ?? 0).toBeGreaterThanOrEqual(0));
}

/** In how many seconds the next thing is due; undefined for nothing. */
async function dueIn(id: string): Promise<number | undefined> {
  const row = await system.db
    .selectFrom('availability')
    .select('dueAt')
    .where('workspaceId', '=', workspace.workspaceId)
    .where('interactionId', '=', id)
    .executeTakeFirst();
  return row?.dueAt ? Math.ceil((row.dueAt.getTime() - Date.now()) / 1_000) : undefined;
}

async function countRows(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from availability where workspace_id = ${workspace.workspaceId}`.execute(
    system.db,
  );
  return rows[0]?.n ?? 0;
}

const pendingOf = async () =>
  (await system.conversations.getPending({ session: workspace.session() }, call)).pending?.interactionId;

describe('an interaction with availableFrom', () => {
  it('is not seen by its customer before, also not by its id, and is afterwards; its event is raised once', async () => {
    const { id, availableFrom } = await workspace.offer(botId, { availableFrom: inSeconds(600) });
    expect((await workspace.get(id)).availableFrom).toEqual(availableFrom);
    expect(await pendingOf()).toBeUndefined();
    await expect(workspace.read(workspace.session(), id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(workspace.begin(workspace.session(), id)).rejects.toMatchObject({ code: 'not_found' });
    await pass(id, 601);
    expect(await pendingOf()).toBe(id);
    await raiseDue(system.db);
    expect(await workspace.raised(id)).toEqual(['created', 'available']);
    await workspace.begin(workspace.session(), id);
    expect(await workspace.raised(id)).toEqual(['created', 'available', 'started']);
  });

  it('says at its link from when, and cannot be started there before', async () => {
    const { id, linkToken, availableFrom } = await workspace.offer(botId, { availableFrom: inSeconds(600) });
    const opened = () => system.conversations.openLink({ token: linkToken }, call);
    expect(await opened()).toMatchObject({ status: 'Pending', unavailable: false, availableFrom });
    const session = workspace.linkSession(id);
    await expect(workspace.begin(session, id)).rejects.toMatchObject({ type: 'not-available-yet' });
    await pass(id, 601);
    expect((await opened()).availableFrom).toBeNull();
    expect((await workspace.begin(session, id)).status).toBe('InProgress');
  });

  it('that is not in the future is available at once, also in bulk; without one there is no event and no row', async () => {
    const { id } = await workspace.offer(botId, { availableFrom: inSeconds(-600) });
    const { results } = await workspace.createAll(
      [
        { botId, status: 'Pending', availableFrom: inSeconds(-1) },
        { botId, status: 'Pending' },
      ],
      idempotencyKey('bulk'),
    );
    const [past, none] = results.map(({ interaction }) => interaction?.id ?? '');
    for (const one of [id, past]) {
      await eventually(async () => expect(await workspace.raised(one)).toEqual(['created', 'available']));
    }
    expect(await workspace.raised(none)).toEqual(['created']);
    expect(await countRows()).toBe(2);
  });

  it('is moved and cleared by PATCH, and is available at once then', async () => {
    const { id } = await workspace.offer(botId, { availableFrom: inSeconds(600) });
    const moved = await workspace.update(id, { availableFrom: inSeconds(7_200) });
    expect(moved).toMatchObject({ version: 2 });
    await pass(id, 601);
    expect(await workspace.raised(id)).toEqual(['created']);
    const cleared = await workspace.update(id, { clearsAvailableFrom: true });
    expect(cleared.availableFrom).toBeNull();
    await eventually(async () => expect(await workspace.raised(id)).toEqual(['created', 'available']));
    // Hidden again: the event was raised already.
    await workspace.update(id, { availableFrom: inSeconds(600) });
    expect(await pendingOf()).toBeUndefined();
    await pass(id, 601);
    expect(await pendingOf()).toBe(id);
    expect(await workspace.raised(id)).toEqual(['created', 'available']);
  });

  it('is raised for no draft, but when that is offered; and for none that has ended or was withdrawn', async () => {
    const draft = await workspace.create({ botId, availableFrom: inSeconds(-5) });
    await raiseDue(system.db);
    expect(await workspace.raised(draft.id)).toEqual(['created']);
    await workspace.update(draft.id, { status: 'Pending' });
    await eventually(async () => expect(await workspace.raised(draft.id)).toEqual(['created', 'available']));

    const ended: string[] = [];
    for (const status of ['Draft', 'Completed', 'Expired'] as const) {
      const { id } = await workspace.offer(botId, { availableFrom: inSeconds(600) });
      await workspace.update(id, { status });
      ended.push(id);
    }
    const expired = await workspace.offer(botId, { availableFrom: inSeconds(600), expirySeconds: 0.001 });
    const deleted = await workspace.offer(botId, { availableFrom: inSeconds(600) });
    const { workspaceId } = workspace;
    await system.interactions.deleteInteraction({ workspaceId, id: deleted.id }, call);
    for (const id of [...ended, expired.id, deleted.id]) {
      await pass(id, 601);
      expect(await workspace.raised(id)).not.toContain('available');
      expect(await dueIn(id)).toBeUndefined();
    }
  });

  it('is for drafts and offers, at most a year ahead', async () => {
    const tooLate = { botId, availableFrom: inSeconds(367 * 86_400) };
    await expect(workspace.create(tooLate)).rejects.toMatchObject({
      faults: [{ pointer: '/availableFrom' }],
    });
    for (const status of ['InProgress', 'Completed', 'Expired'] as const) {
      const creation = { botId, status, availableFrom: inSeconds(60) };
      await expect(workspace.create(creation)).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    const { id } = await workspace.create({ botId, status: 'InProgress' });
    await expect(workspace.update(id, { availableFrom: inSeconds(60) })).rejects.toMatchObject({
      type: 'illegal-availability',
    });
    expect((await workspace.update(id, { clearsAvailableFrom: true })).version).toBe(1);
  });
});

describe('reminders', () => {
  let remindingId: string;
  beforeEach(async () => {
    remindingId = await workspace.publish(reminding);
  });
  const numbersOf = async (id: string): Promise<number[]> => {
    const rows = await system.db
      .selectFrom('eventLog')
      .select('payload')
      .where('workspaceId', '=', workspace.workspaceId)
      .where('about', '=', id)
      .where('type', '=', interactionReminderDue.subject)
      .orderBy('id')
      .execute();
    return rows.map(({ payload }) => interactionReminderDue.message.decode(payload).number);
  };
  const shown = async (id: string) => {
    const request = { workspaceId: workspace.workspaceId, id, withReminders: true };
    return (await system.interactions.getInteraction(request, call)).reminders;
  };

  it('are due after the interaction became available, each once and in order, and shown until then', async () => {
    const { id } = await workspace.offer(remindingId, { availableFrom: inSeconds(600) });
    expect((await shown(id)).map(({ number }) => number)).toEqual([1, 2]);
    await pass(id, 601);
    expect(await numbersOf(id)).toEqual([]);
    expect(await dueIn(id)).toBeGreaterThan(hourSeconds - 60);
    await pass(id, hourSeconds);
    await raiseDue(system.db);
    expect(await numbersOf(id)).toEqual([1]);
    expect((await shown(id)).map(({ number }) => number)).toEqual([2]);
    await pass(id, 2 * hourSeconds);
    expect(await numbersOf(id)).toEqual([1, 2]);
    expect(await dueIn(id)).toBeUndefined();
    expect(await workspace.raised(id)).toEqual(['created', 'available', 'reminder-due', 'reminder-due']);
  });

  it('are not raised once the customer has started, and skipped when they are more than an hour late', async () => {
    const started = await workspace.offer(remindingId, { customerId: 'eve' });
    await workspace.begin(workspace.session('eve'), started.id);
    await pass(started.id, hourSeconds + 1);
    expect(await numbersOf(started.id)).toEqual([]);
    const { id } = await workspace.offer(remindingId);
    // An outage until after the first one.
    await pass(id, 3 * hourSeconds + 1);
    expect(await numbersOf(id)).toEqual([2]);
  });

  it('are of the version that was live when the interaction was offered', async () => {
    const { id } = await workspace.offer(remindingId);
    const { workspaceId } = workspace;
    const definition = JSON.stringify({ ...reminding, reminders: [{ afterSeconds: 2 * hourSeconds }] });
    await system.bots.publishBotVersion(
      { workspaceId, id: remindingId, definition, idempotency: null },
      call,
    );
    const later = await workspace.create({ botId: remindingId, status: 'Draft' });
    expect(await shown(later.id)).toEqual([]);
    await workspace.update(later.id, { status: 'Pending' });
    expect((await shown(id)).length).toBe(2);
    expect((await shown(later.id)).length).toBe(1);
  });

  it('are of tests, too, whether they are created as offers or become such', async () => {
    const made = await workspace.offer(remindingId, { isTest: true });
    const draft = await workspace.create({ botId: remindingId, status: 'Draft', isTest: true });
    await workspace.update(draft.id, { status: 'Pending' });
    for (const { id } of [made, draft]) {
      expect((await shown(id)).map(({ number }) => number)).toEqual([1, 2]);
      await pass(id, hourSeconds + 1);
      expect(await numbersOf(id)).toEqual([1]);
    }
  });

  it('end with an anonymisation and a deletion, and go on after an extension of what had expired', async () => {
    const { id } = await workspace.offer(remindingId, { customerId: 'eve' });
    await pass(id, hourSeconds + 1);
    await workspace.update(id, { status: 'Expired' });
    await pass(id, 2 * hourSeconds);
    expect(await numbersOf(id)).toEqual([1]);
    await workspace.update(id, { status: 'Pending', expirySeconds: 86_400 });
    await pass(id, 3 * hourSeconds + 1);
    expect(await numbersOf(id)).toEqual([1, 2]);
  });

  it('of three replicas at once are raised once', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push((await workspace.offer(remindingId)).id);
    const { workspaceId } = workspace;
    await sql`update availability set available_at = available_at - interval '3601 seconds',
      due_at = due_at - interval '3601 seconds' where workspace_id = ${workspaceId}`.execute(system.db);
    await Promise.all([raiseDue(system.db), raiseDue(system.db), raiseDue(system.db)]);
    for (const id of ids) await eventually(async () => expect(await numbersOf(id)).toEqual([1]));
  });
});

describe('what waits', () => {
  const columns = 'interaction_id, workspace_id, available_at, is_announcing, reminders, due_at';

  const rowsOfStatement = 2_000;

  /** Adds rows of workspaces without their interactions. */
  const addWaiting = async (workspaces: readonly string[], rowsOfEach: number, dueInSeconds: number) => {
    // In statements that a busy machine does not time out.
    for (let first = 1; first <= rowsOfEach; first += rowsOfStatement) {
      const last = Math.min(first + rowsOfStatement - 1, rowsOfEach);
      await sql`
        insert into availability (${sql.raw(columns)})
        select gen_random_uuid(), workspace_id, due_at, true, '{}', due_at
        from unnest(${workspaces}::uuid[]) as workspace_id, generate_series(${first}::int, ${last}::int) as n,
          lateral (select now() + ${dueInSeconds} * interval '1 second' + n * interval '1 ms' as due_at) as due`.execute(
        db,
      );
    }
    await sql`analyze availability`.execute(db);
  };

  // Without a service, which would raise it, too.
  let database: AsyncDisposable;
  let db: Interactions['db'];
  beforeAll(async () => {
    const stack = new AsyncDisposableStack();
    const created = stack.use(await createDatabase('interaction', migrations));
    ({ db } = stack.use(
      openDatabase<Tables>({ url: created.testUrl, logger: quietLogger, connectionsMax: 3 }),
    ));
    await sql`alter table availability drop constraint availability_interaction_id_fkey`.execute(db);
    await sql`alter table interaction drop constraint interaction_bot_id_fkey`.execute(db);
    database = stack.move();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(() => sql`truncate availability`.execute(db));

  it('costs the claim of what is due no more pages', async () => {
    const pages = async (): Promise<number> => {
      const { rows } = await sql<Record<string, string>>`
        explain (analyze, buffers, costs off, timing off)
        select ctid from availability where due_at <= now() order by due_at limit 200 for update skip locked`.execute(
        db,
      );
      const text = rows.flatMap((row) => Object.values(row)).join('\n');
      expect(text).toContain('Index Scan');
      expect(text).not.toContain('Seq Scan');
      return Number(/hit=(\d+)/.exec(text)?.[1] ?? 0) + Number(/read=(\d+)/.exec(text)?.[1] ?? 0);
    };
    await addWaiting([uuidv7()], 1_000, 86_400);
    const few = await pages();
    await addWaiting([uuidv7(), uuidv7()], 50_000, 86_400);
    expect(await pages()).toBeLessThanOrEqual(few + 4);
  });

  it('of one workspace, however much is due before, lets none of another one wait', async () => {
    await addWaiting([uuidv7()], 2_000, -60);
    const [id, workspaceId] = [uuidv7(), uuidv7()];
    await sql`
      insert into interaction (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context)
      values (${id}, ${workspaceId}, 'ada', ${uuidv7()}, 'Pending', 'Low', 'NPS', 'NPS', '[]')`.execute(db);
    await sql`
      insert into availability (${sql.raw(columns)})
      values (${id}, ${workspaceId}, now(), true, '{}', now())`.execute(db);
    expect(await raiseDue(db)).toEqual({ raised: 1, mayHaveMore: true });
  });
});
