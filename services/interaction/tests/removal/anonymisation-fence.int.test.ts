import { AppError } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { repeatedly } from '@parley/testing/repeatedly';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertInteractions } from '../../src/creating/creation-store.ts';
import { loadInteraction } from '../../src/interactions/store.ts';
import { notice, survey } from '../definitions.ts';
import { call, dumpOf, idempotencyKey, type Interactions, startInteractions } from '../fixture.ts';
import {
  asked,
  refusal,
  type WorkspaceWithConversations,
  workspaceWithConversations,
} from '../conversations.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: WorkspaceWithConversations;
let botId: string;
let customerId: string;
/** Unique for each test, so that all tables can be searched. */
let firstName: string;
beforeEach(async () => {
  workspace = workspaceWithConversations(system);
  botId = await workspace.publish(survey);
  customerId = uuidv7();
  firstName = `Name${uuidv7().replaceAll('-', '')}`;
  system.people.set(customerId, { firstName });
});

/** Anonymises like the customer service: clears the row, raises its version, and then redacts all stores. */
async function anonymise(version = 2): Promise<void> {
  system.people.set(customerId, { version });
  await redact(version);
}

async function redact(customerVersion: number): Promise<void> {
  const { workspaceId } = workspace;
  let pageToken = '';
  do {
    const request = { workspaceId, customerId, customerVersion, details: [firstName], pageToken };
    pageToken = (await system.interactions.redactCustomer(request, call)).nextPageToken;
  } while (pageToken !== '');
}

/** A day passes for what is stored. A replica that starts looks at once for what is due. */
async function afterADay(): Promise<void> {
  const { workspaceId } = workspace;
  await sql`
    update fence set raised_at = now() - interval '25 hours' where workspace_id = ${workspaceId}`.execute(
    system.db,
  );
  await using _ = await system.startReplica();
  await eventually(async () => {
    expect((await dumpOf(system)).filter((row) => row.includes(customerId))).toEqual([]);
  });
}

async function leftovers(): Promise<string[]> {
  return (await dumpOf(system)).filter((row) => row.includes(firstName));
}

/** Runs it with details that the customer service has read before the anonymisation and returns after it. */
async function withWhatWasReadBefore<T>(work: () => Promise<T>): Promise<T> {
  const released = Promise.withResolvers<void>();
  const readings = system.ensured.length;
  system.keptBack.set(customerId, released.promise);
  const working = work();
  await eventually(() => expect(system.ensured.length).toBeGreaterThan(readings));
  system.keptBack.delete(customerId);
  await anonymise();
  released.resolve();
  return working;
}

it.each([
  { made: 'a conversation', definition: survey, status: 'InProgress', key: null },
  { made: 'a conversation under an Idempotency-Key', definition: survey, status: 'InProgress', key: 'key' },
  { made: 'a conversation that ends at once', definition: notice, status: 'Completed', key: null },
])('$made with earlier details is stored without them', async ({ definition, status, key }) => {
  const bot = await workspace.publish({ ...definition, key: 'another' });
  const idempotency = key === null ? null : idempotencyKey(key);
  const { interaction } = await withWhatWasReadBefore(() =>
    workspace.tryCreate({ botId: bot, customerId, status: 'InProgress', idempotency }),
  );
  expect(await leftovers()).toEqual([]);
  expect(interaction).toMatchObject({ status, version: 1 });
  expect((await workspace.list({ customerId })).total).toBe(1);
});

it('details from before are refused also when the fence has forgotten the customer', async () => {
  const { id } = await workspace.create({ botId, customerId: uuidv7() });
  const row = await loadInteraction(system.db, workspace.workspaceId, id);
  if (!row) throw new Error('there is no row');
  await anonymise(3);
  await afterADay();
  const late = (customerVersion: number) => ({
    row: { ...row, id: uuidv7(), customerId },
    customerVersion,
    events: [],
  });
  expect(await insertInteractions(system.db, [late(2)])).toEqual([undefined]);
  expect(await insertInteractions(system.db, [late(3)])).toMatchObject([{ customerId }]);
});

it('waits for a creation in progress, and redacts it', async () => {
  const { id } = await workspace.create({ botId, customerId, status: 'InProgress' });
  const row = await loadInteraction(system.db, workspace.workspaceId, id);
  if (!row) throw new Error('there is no row');
  const late = uuidv7();
  let redacting: Promise<void> | undefined;
  await system.db.transaction().execute(async (trx) => {
    await insertInteractions(trx, [{ row: { ...row, id: late }, customerVersion: 1, events: [] }]);
    redacting = anonymise();
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(trx);
      expect(rows).toHaveLength(1);
    });
  });
  await redacting;
  expect(await leftovers()).toEqual([]);
  expect((await workspace.get(late)).status).toBe('Expired');
});

it('while a fence rises, creations for its customer wait, and concurrent ones for others do not', async () => {
  const { workspaceId } = workspace;
  const raised = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const raising = system.db.transaction().execute(async (trx) => {
    await sql`select raise_fence(${workspaceId}, ${customerId}, 1)`.execute(trx);
    raised.resolve();
    await released.promise;
  });
  await raised.promise;
  const others = Array.from({ length: 20 }, () => ({ botId, customerId: uuidv7() }));
  const waiting = workspace.create({ botId, customerId });
  await Promise.all(others.map((other) => workspace.create(other)));
  expect((await workspace.list({ customerId })).total).toBe(0);
  released.resolve();
  await raising;
  await waiting;
  expect((await workspace.list({ customerId })).total).toBe(1);
});

it('redacts interactions and answers from between the clearing of the row and the fence', async () => {
  const before = workspace.session(customerId);
  system.people.set(customerId, { version: 2 });
  const { id } = await workspace.offer(botId, { customerId });
  const { seq } = await workspace.begin(before, id);
  await redact(2);
  const said = { seq, stepId: 'score', answer: { text: firstName } };
  expect(await refusal(workspace.post(before, id, said))).toMatchObject({ code: 'not_found' });
  expect((await workspace.get(id)).status).toBe('Expired');
});

it.each([
  { when: 'at once', isLater: false },
  { when: 'when the fence has forgotten the customer', isLater: true },
])('an earlier session cannot see later interactions, a later one can, $when', async ({ isLater }) => {
  const before = workspace.session(customerId);
  await anonymise();
  if (isLater) await afterADay();
  const { id } = await workspace.offer(botId, { customerId });
  const nothing = { code: 'not_found', type: 'not-found' };
  expect(await refusal(workspace.read(before, id))).toMatchObject(nothing);
  expect(await refusal(workspace.begin(before, id))).toMatchObject(nothing);
  expect(await system.conversations.getPending({ session: before }, call)).toEqual({ pending: null });
  const after = await workspace.newSession(customerId);
  expect((await system.conversations.getPending({ session: after }, call)).pending?.interactionId).toBe(id);
  expect((await workspace.begin(after, id)).status).toBe('InProgress');
});

it('that is resumed keeps interactions with later details', async () => {
  const before = await workspace.create({ botId, customerId, status: 'InProgress' });
  await anonymise(2);
  const { version } = await workspace.get(before.id);
  system.people.set(customerId, { version: 3, firstName: 'Later' });
  const { id } = await workspace.create({ botId, customerId, status: 'InProgress' });
  await redact(2);
  expect(await workspace.get(before.id)).toMatchObject({ status: 'Expired', version });
  const kept = await workspace.get(id);
  expect(kept).toMatchObject({ status: 'InProgress', version: 1 });
  expect(kept.data).toContain('Hi Later!');
  await anonymise(4);
  expect((await workspace.get(id)).data).toContain('Hi [removed]!');
});

it('leaves no personal data while conversations are created, started, answered and closed concurrently', async () => {
  const notices = await workspace.publish(notice);
  const session = () => workspace.newSession(customerId);
  const begin = async (): Promise<void> => {
    const { id } = await workspace.offer(botId, { customerId });
    const { seq } = await workspace.begin(await session(), id);
    const { snapshot } = await workspace.post(await session(), id, {
      seq,
      stepId: 'score',
      answer: { value: 9 },
    });
    await workspace.post(await session(), id, {
      ...snapshot,
      stepId: asked(snapshot),
      answer: { text: 'None' },
    });
  };
  const make = (bot: string) => async (): Promise<void> => {
    const idempotency = Math.random() < 0.5 ? idempotencyKey('same') : null;
    await workspace.tryCreate({ botId: bot, customerId, status: 'InProgress', idempotency });
  };
  const close = async (): Promise<void> => {
    const { id } = await workspace.create({ botId, customerId, status: 'Draft' });
    await workspace.update(id, { status: 'InProgress' });
    await workspace.update(id, { status: 'Completed' });
  };
  const works = [begin, make(botId), make(notices), close];
  for (let round = 0; round < 3; round += 1) {
    customerId = uuidv7();
    system.people.set(customerId, { firstName });
    let done = 0;
    const write = async (loop: number): Promise<void> => {
      await works[loop % works.length]?.().catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
      done += 1;
    };
    const writing = repeatedly(write, { parallel: 2 * works.length });
    try {
      await eventually(() => expect(done).toBeGreaterThan(10));
      await anonymise();
      expect(await leftovers()).toEqual([]);
    } finally {
      await writing.stop();
    }
    expect(await leftovers()).toEqual([]);
  }
});

/** Returns whether the interaction has expired, or is no longer visible to the session. */
function isRefusal(error: unknown): boolean {
  const types = ['not-found', 'conversation-ended', 'illegal-transition'];
  return error instanceof AppError && types.includes(error.type);
}
