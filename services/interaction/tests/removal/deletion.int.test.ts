import { interactionDeleted } from '@parley/contracts/events';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeDeleted } from '../../src/removal/deletion-store.ts';
import { refusal, type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';
import { call, dumpOf, idempotencyKey, type Interactions, startInteractions } from '../fixture.ts';
import { twoQuestions } from '../model/two-questions.ts';

const nothing = { code: 'not_found', type: 'not-found', message: 'There is no such resource' };

let service: Interactions;
let workspace: WorkspaceWithConversations;
let botId: string;
let customerId: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  botId = await workspace.publish(twoQuestions());
  customerId = uuidv7();
});

const remove = (id: string, ifVersion?: number) =>
  service.interactions.deleteInteraction({ workspaceId: workspace.workspaceId, id, ifVersion }, call);

const removePage = (customerVersion: number, pageToken = '') =>
  service.interactions.deleteCustomerInteractions(
    { workspaceId: workspace.workspaceId, customerId, customerVersion, pageToken },
    call,
  );

/** The rows with this text, by their tables. */
async function rowsWith(text: string): Promise<string[]> {
  const rows = await dumpOf(service);
  const tables = rows.filter((row) => row.includes(text)).map((row) => row.slice(0, row.indexOf(':')));
  // A partition counts as its table.
  return tables.filter((table) => !/^(?:event|audit)_log_/.test(table));
}

describe('the deletion of tests', () => {
  it('has pages of the tests of a workspace, and leaves all others', async () => {
    const real = await workspace.create({ botId, customerId });
    const other = workspaceWithConversations(service);
    const foreign = await other.create({ botId: await other.publish(twoQuestions()), isTest: true });
    await workspace.createAll(Array.from({ length: 101 }, () => ({ botId, customerId, isTest: true })));
    const { workspaceId } = workspace;
    const deletePage = () => service.interactions.deleteTestInteractions({ workspaceId }, call);
    expect(await deletePage()).toEqual({ deleted: 100, hasMore: true });
    expect(await deletePage()).toEqual({ deleted: 1, hasMore: false });
    const { interactions } = await workspace.list();
    expect(interactions.map(({ id }) => id)).toEqual([real.id]);
    expect(await other.get(foreign.id)).toMatchObject({ isTest: true });
  });
});

describe('the deletion of an interaction', () => {
  it('leaves only its id, and raises one event', async () => {
    const secret = `Secret${uuidv7()}`;
    const fields = { botId, customerId, status: 'Pending', idempotency: idempotencyKey(secret) } as const;
    const made = await workspace.create(fields);
    const session = await workspace.newSession(customerId);
    const begun = await workspace.begin(session, made.id);
    const score = { seq: begun.seq, stepId: 'score', answer: { value: 9 } };
    const { snapshot } = await workspace.post(session, made.id, score);
    await workspace.post(session, made.id, { seq: snapshot.seq, stepId: 'why', answer: { text: secret } });
    expect(new Set(await rowsWith(secret))).toEqual(new Set(['interaction', 'idempotency_record']));
    expect(await rowsWith(made.id)).toEqual(expect.arrayContaining(['message', 'idempotency_record']));

    await remove(made.id);

    expect(await rowsWith(secret)).toEqual([]);
    expect(new Set(await rowsWith(made.id))).toEqual(
      new Set(['deleted_interaction', 'past_contact', 'event_log', 'audit_log', 'idempotency_record']),
    );
    const record = service.db.selectFrom('idempotencyRecord').where('resourceId', '=', made.id);
    expect(
      await record
        .select(['response', 'fingerprint'])
        .where('workspaceId', '=', workspace.workspaceId)
        .execute(),
    ).toEqual([{ response: null, fingerprint: Buffer.of() }]);
    const raised = await workspace.raised(made.id);
    expect(raised.filter((name) => name === 'deleted')).toHaveLength(1);
    expect(await refusal(workspace.get(made.id))).toEqual(nothing);
    expect((await workspace.list()).total).toBe(0);
  });

  it('is not found when repeated, for another workspace and for an unknown id', async () => {
    const made = await workspace.create({ botId });
    const foreign = { workspaceId: uuidv7(), id: made.id };
    expect(await refusal(service.interactions.deleteInteraction(foreign, call))).toEqual(nothing);
    await remove(made.id);
    expect(await refusal(remove(made.id))).toEqual(nothing);
    expect(await refusal(remove(uuidv7()))).toEqual(nothing);
  });

  it('is aborted and changes nothing if the interaction has another version', async () => {
    const made = await workspace.create({ botId });
    expect(await refusal(remove(made.id, made.version + 1))).toMatchObject({ code: 'aborted' });
    expect(await workspace.get(made.id)).toEqual(made);
    await remove(made.id, made.version);
  });

  it('ends waiting calls, the link and its sessions', async () => {
    const { id, linkToken } = await workspace.offer(botId, { customerId });
    await using other = await service.startReplica();
    const session = workspace.linkSession(id);
    const { seq } = await workspace.begin(session, id);
    const request = { session, interactionId: id, after: seq, waitSeconds: 20 };
    const waiting = [service, other].map(({ conversations }) =>
      refusal(conversations.getConversation(request, call)),
    );
    await remove(id);
    expect(await Promise.all(waiting)).toEqual([nothing, nothing]);
    expect(await refusal(service.conversations.openLink({ token: linkToken }, call))).toEqual(nothing);
    const answer = { seq, stepId: 'score', answer: { text: 'late' } };
    expect(await refusal(workspace.post(session, id, answer))).toEqual(nothing);
    expect(await rowsWith('late')).toEqual([]);
  });

  it('lets no retry with its Idempotency-Key create it again', async () => {
    const key = uuidv7();
    const fields = { botId, customerId, idempotency: idempotencyKey(key) };
    const made = await workspace.create(fields);
    await remove(made.id);
    for (let times = 0; times < 2; times += 1) {
      expect(await refusal(workspace.tryCreate(fields))).toEqual(nothing);
    }
    expect((await workspace.list()).total).toBe(0);
  });

  it('lets a later anonymisation of its customer end, which changes nothing about it', async () => {
    const fields = { botId, customerId, idempotency: idempotencyKey(uuidv7()) };
    const made = await workspace.create(fields);
    const other = await workspace.create({ botId, customerId, idempotency: idempotencyKey(uuidv7()) });
    await remove(made.id);
    const { workspaceId } = workspace;
    const request = { workspaceId, customerId, customerVersion: 2, details: ['Zebedee'] };
    const redacted: string[] = [];
    for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
      const page = await service.interactions.redactCustomer({ ...request, pageToken }, call);
      redacted.push(...page.interactionIds);
      pageToken = page.nextPageToken || undefined;
    }
    expect(redacted).toEqual([other.id]);
    expect(await refusal(workspace.tryCreate(fields))).toEqual(nothing);
  });

  it('lets no retry of its bulk creation create it again, or return it', async () => {
    const { workspaceId } = workspace;
    const shared = { workspaceId, idempotency: null, status: 'Draft', priority: 'Low' } as const;
    const item = { ...shared, customerId, botId, context: [] };
    const interactions = [item, { ...item, customerId: uuidv7() }];
    const request = { workspaceId, interactions, idempotency: idempotencyKey('bulk') };
    const { results } = await service.interactions.createInteractions(request, call);
    const [first, second] = results.map(({ interaction }) => interaction?.id ?? '');
    await remove(first ?? '');
    expect(await rowsWith(first ?? '')).not.toContain('interaction');
    const again = await service.interactions.createInteractions(request, call);
    expect(again.results).toMatchObject([{ error: { type: 'not-found' } }, { interaction: { id: second } }]);
    expect((await workspace.list()).total).toBe(1);
    const answers = service.db.selectFrom('idempotencyRecord').where('resourceId', '=', first ?? '');
    expect(await answers.select('response').where('workspaceId', '=', workspaceId).execute()).toEqual([
      { response: null },
    ]);
  });

  it('has nothing for a webhook that asks for the body later', async () => {
    const made = await workspace.create({ botId, status: 'Completed' });
    await remove(made.id);
    const { workspaceId } = workspace;
    const events = [{ workspaceId, interactionId: made.id, status: 'Completed' as const }];
    const { bodies } = await service.interactions.listEventBodies({ events }, call);
    expect(bodies).toMatchObject([{ interaction: Buffer.of(), result: Buffer.of() }]);
  });
});

describe("the deletion of a customer's interactions", () => {
  it('has the same interactions in a repeated page, and leaves those of others', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await workspace.create({ botId, customerId })).id);
    const other = await workspace.create({ botId, customerId: uuidv7() });
    const alone = await workspace.create({ botId, customerId });
    await remove(alone.id);
    const page = await removePage(2);
    expect(page).toEqual({ interactionIds: ids, nextPageToken: '' });
    expect(await removePage(2)).toEqual(page);
    expect((await workspace.list()).interactions.map(({ id }) => id)).toEqual([other.id]);
    const events = await service.db
      .selectFrom('eventLog')
      .select('about')
      .where('workspaceId', '=', workspace.workspaceId)
      .where('type', '=', interactionDeleted.subject)
      .execute();
    expect(events.map(({ about }) => about).toSorted()).toEqual([...ids, alone.id].toSorted());
  });

  it('goes on in pages, each of which can be repeated', async () => {
    const made = await Promise.all(
      Array.from({ length: 101 }, () => workspace.create({ botId, customerId })),
    );
    const first = await removePage(2);
    expect(await removePage(2)).toEqual(first);
    const second = await removePage(2, first.nextPageToken);
    expect(second.nextPageToken).toBe('');
    expect([...first.interactionIds, ...second.interactionIds]).toEqual(made.map(({ id }) => id).toSorted());
  });

  it('keeps late interactions out, and those of a customer that was created again', async () => {
    await workspace.create({ botId, customerId });
    await removePage(2);
    // The customer service still answers with the deleted customer.
    service.people.set(customerId, { version: 1 });
    expect(await refusal(workspace.tryCreate({ botId, customerId }))).toMatchObject({ code: 'unavailable' });
    service.people.set(customerId, { version: 3 });
    const later = await workspace.create({ botId, customerId });
    expect((await removePage(2)).interactionIds).not.toContain(later.id);
    expect(await workspace.get(later.id)).toEqual(later);
  });

  it('leaves what a customer that was created again has before the first page, unseen by earlier sessions', async () => {
    const before = await workspace.newSession(customerId);
    const earlier = await workspace.create({ botId, customerId });
    service.people.set(customerId, { version: 3, deletedVersion: 2 });
    const { id } = await workspace.offer(botId, { customerId });
    expect(await refusal(workspace.begin(before, id))).toEqual(nothing);
    expect((await removePage(2)).interactionIds).toEqual([earlier.id]);
    await workspace.begin(await workspace.newSession(customerId), id);
  });

  it('ends the sessions of the customer', async () => {
    const session = await workspace.newSession(customerId);
    await removePage(2);
    service.people.set(customerId, { version: 3 });
    const later = await workspace.offer(botId, { customerId });
    expect(await refusal(workspace.begin(session, later.id))).toEqual(nothing);
    await workspace.begin(await workspace.newSession(customerId), later.id);
  });
});

it('notes of deletions are kept as long as the event log', async () => {
  const made = await workspace.create({ botId });
  await remove(made.id);
  await purgeDeleted(service.db, 30);
  expect(await rowsWith(made.id)).toContain('deleted_interaction');
  await sql`
    ${acrossWorkspaces('a test')}
    update deleted_interaction set deleted_at = now() - interval '31 days' where id = ${made.id}`.execute(
    service.db,
  );
  await purgeDeleted(service.db, 30);
  expect(await rowsWith(made.id)).not.toContain('deleted_interaction');
});
