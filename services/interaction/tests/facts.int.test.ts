import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stallBatch } from '../src/changing/stalled-store.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';
import { call, type Interactions, startInteractions } from './fixture.ts';
import { twoQuestions } from './model/two-questions.ts';

let service: Interactions;
let workspace: WorkspaceWithConversations;
let botId: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  service.people.set('ada', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
  botId = await workspace.publish(twoQuestions());
});

const ask = (known: { id: string; workspaceId?: string; version?: number; isStalled?: boolean }[]) =>
  service.facts.listConversationFacts(
    {
      conversations: known.map(
        ({ id, workspaceId = workspace.workspaceId, version = 0, isStalled = false }) => ({
          workspaceId,
          interactionId: id,
          version,
          isStalled,
        }),
      ),
    },
    call,
  );

async function factsOf(id: string): Promise<ConversationFacts> {
  const { facts } = await ask([{ id }]);
  const [one] = facts;
  if (!one) throw new Error('there are no facts');
  return one;
}

/** A conversation in progress, of which nobody has answered a question. */
async function begun() {
  const { id } = await workspace.offer(botId);
  const session = workspace.session();
  await workspace.begin(session, id);
  const post = (seq: number, stepId: string, answer: Parameters<typeof workspace.post>[2]['answer']) =>
    workspace.post(session, id, { seq, stepId, answer });
  return { id, session, post };
}

async function stall(id: string): Promise<void> {
  await service.db
    .updateTable('interaction')
    .set({ stallsAt: new Date(Date.now() - 1) })
    .where('workspaceId', '=', workspace.workspaceId)
    .where('id', '=', id)
    .execute();
  await stallBatch(service.db);
}

describe('the facts of a conversation', () => {
  it('before its start are its bot and its status', async () => {
    const { id, version, createdAt } = await workspace.offer(botId);
    expect(await factsOf(id)).toEqual({
      workspaceId: workspace.workspaceId,
      interactionId: id,
      botId,
      botVersion: null,
      status: 'Pending',
      version,
      isStalled: false,
      isImport: false,
      isUnknown: false,
      isTest: null,
      createdAt,
      startedAt: null,
      completedAt: null,
      activeSeconds: null,
      steps: [],
      lastStepId: '',
      ways: [],
      evaluation: [],
    });
  });

  it('are the questions that were shown, with their outcomes, the ways between steps, and values that can be counted', async () => {
    const { id, post } = await begun();
    expect(await factsOf(id)).toMatchObject({
      botVersion: 1,
      steps: [{ stepId: 'score', outcome: 'OUTCOME_UNSPECIFIED' }],
      lastStepId: 'score',
      ways: [{ fromStepId: 'hi', toStepId: 'score' }],
      evaluation: [],
    });
    await post(2, 'score', { value: 9 });
    expect(await factsOf(id)).toMatchObject({
      status: 'InProgress',
      steps: [
        { stepId: 'score', outcome: 'Answered' },
        { stepId: 'why', outcome: 'OUTCOME_UNSPECIFIED' },
      ],
      lastStepId: 'why',
      ways: [
        { fromStepId: 'hi', toStepId: 'score' },
        { fromStepId: 'score', toStepId: 'why' },
      ],
      evaluation: [{ key: 'score', kind: 'Nps', values: ['9'] }],
    });
    await post(4, 'why', { skip: true });
    const facts = await factsOf(id);
    expect(facts).toMatchObject({
      status: 'Completed',
      steps: [
        { stepId: 'score', outcome: 'Answered' },
        { stepId: 'why', outcome: 'Skipped' },
      ],
      lastStepId: 'why',
    });
    const elapsed = (Number(facts.completedAt) - Number(facts.startedAt)) / 1_000;
    expect(facts.activeSeconds).toBeGreaterThan(0);
    expect(Math.abs((facts.activeSeconds ?? 0) - elapsed)).toBeLessThan(0.1);
  });

  it('have no personal value and no text', async () => {
    const { id, post } = await begun();
    await post(2, 'score', { value: 3 });
    await post(4, 'why', { text: 'My neighbour Eve' });
    const facts = await factsOf(id);
    expect(facts.evaluation).toContainEqual({ key: 'why', kind: 'KIND_UNSPECIFIED', values: [] });
    expect(JSON.stringify(facts)).not.toContain('Eve');
  });

  it('count each pause as at most 30 minutes', async () => {
    const { id } = await begun();
    await service.db
      .updateTable('interaction')
      .set({ startedAt: new Date('2026-01-01T00:00:00Z') })
      .where('workspaceId', '=', workspace.workspaceId)
      .where('id', '=', id)
      .execute();
    await workspace.update(id, { status: 'Completed' });
    const { activeSeconds, startedAt, completedAt } = await factsOf(id);
    expect((Number(completedAt) - Number(startedAt)) / 1_000).toBeGreaterThan(86_400);
    expect(activeSeconds).toBeLessThan(60);
  });

  it('tell an import from an interaction that was completed later', async () => {
    const imported = await workspace.create({ botId, status: 'Completed' });
    const expired = await workspace.create({ botId, status: 'Expired' });
    const { id } = await workspace.offer(botId);
    await workspace.update(id, { status: 'Completed' });
    expect((await factsOf(imported.id)).isImport).toBe(true);
    expect((await factsOf(expired.id)).isImport).toBe(true);
    expect((await factsOf(id)).isImport).toBe(false);
    const { id: tried } = await workspace.create({ botId, isTest: true });
    expect(await factsOf(tried)).toMatchObject({ isImport: false, isTest: true });
  });

  it('say that it has stalled, until an answer', async () => {
    const { id, post } = await begun();
    await stall(id);
    const { isStalled, version } = await factsOf(id);
    expect(isStalled).toBe(true);
    const changed = await ask([{ id, version }]);
    expect(changed.facts).toHaveLength(1);
    await post(2, 'score', { value: 9 });
    expect((await factsOf(id)).isStalled).toBe(false);
    expect(await workspace.raised(id)).toEqual(['created', 'started', 'stalled', 'resumed']);
  });

  it('of a bot that never stalls say so while nobody answers', async () => {
    const never = await workspace.publish({
      ...twoQuestions(undefined, 'never'),
      stalledAfterSeconds: null,
    });
    const { id } = await workspace.create({ botId: never, status: 'InProgress' });
    const { isStalled, version } = await factsOf(id);
    expect(isStalled).toBe(false);
    expect(await ask([{ id, version }])).toMatchObject({ facts: [], missingIds: [] });
  });
});

describe('a list of facts', () => {
  it('leaves out what the caller knows, and names what does not exist', async () => {
    const { id } = await begun();
    const { version } = await factsOf(id);
    const missing = uuidv7();
    expect(await ask([{ id, version }, { id: missing }])).toMatchObject({ facts: [], missingIds: [missing] });
    expect(await ask([{ id, workspaceId: uuidv7(), version }])).toMatchObject({
      facts: [],
      missingIds: [id],
    });
  });

  it('has at most 500', async () => {
    await expect(ask(Array.from({ length: 501 }, () => ({ id: uuidv7() })))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('a list of changes', () => {
  const begin = '00000000-0000-0000-0000-000000000000';
  const list = (
    places: { workspaceId?: string; transaction?: number; interactionId?: string }[],
    limit = 50,
  ) =>
    service.facts.listChangedConversations(
      {
        places: places.map((place) => ({
          workspaceId: workspace.workspaceId,
          transaction: 0,
          interactionId: begin,
          ...place,
        })),
        limit,
      },
      call,
    );

  it('has each interaction at its newest change, in the order of the changes, behind the place', async () => {
    const first = await begun();
    const second = await workspace.offer(botId);
    await first.post(2, 'score', { value: 9 });
    const { conversations, horizon, next } = await list([{}]);
    const { version } = await factsOf(first.id);
    expect(conversations.map((one) => [one.interactionId, one.version])).toEqual([
      [second.id, 1],
      [first.id, version],
    ]);
    expect(horizon).toBeLessThanOrEqual(next);
    const [one] = conversations;
    expect((await list([one ?? {}])).conversations).toEqual(conversations.slice(1));
    expect((await list([conversations[1] ?? {}])).conversations).toEqual([]);
  });

  it('names another server, as all facts do, if the table was restored from a dump', async () => {
    const { id } = await workspace.offer(botId);
    const names = async () => {
      const scanned = await service.facts.scanConversationFacts({ after: '', limit: 1 }, call);
      return new Set([(await list([])).server, (await ask([{ id }])).server, scanned.server]);
    };
    const [before = '', ...others] = await names();
    expect([others, before]).toEqual([[], expect.stringMatching(/^[\da-f]{16}$/)]);
    await sql`alter table interaction rename to interaction_before`.execute(service.db);
    try {
      await sql`create table interaction (like interaction_before including all)`.execute(service.db);
      const after = await names();
      expect(after.size).toBe(1);
      expect(after).not.toContain(before);
      await sql`drop table interaction`.execute(service.db);
    } finally {
      await sql`alter table interaction_before rename to interaction`.execute(service.db);
    }
    expect(await names()).toEqual(new Set([before]));
  });

  it('has at most the limit of each workspace, and nothing of others', async () => {
    const ids = [await workspace.offer(botId), await workspace.offer(botId)].map(({ id }) => id);
    const { conversations } = await list([{ workspaceId: uuidv7() }, {}], 1);
    expect(conversations.map(({ interactionId }) => interactionId)).toEqual(ids.slice(0, 1));
    await expect(list(Array.from({ length: 101 }, () => ({})))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('a conversation that cannot be read', () => {
  /** Also rows that a restore or an older release has left, which the triggers would refuse. */
  const write = (change: ReturnType<typeof sql>): Promise<unknown> =>
    service.db.transaction().execute(async (trx) => {
      await sql`alter table interaction disable trigger user`.execute(trx);
      await change.execute(trx);
      await sql`alter table interaction enable trigger user`.execute(trx);
    });

  async function expectUnknown(id: string): Promise<void> {
    const { id: other } = await begun();
    const { facts } = await ask([{ id }, { id: other }]);
    const unknown = new Map(facts.map(({ interactionId, isUnknown }) => [interactionId, isUnknown]));
    expect(unknown).toEqual(
      new Map([
        [id, true],
        [other, false],
      ]),
    );
    expect(facts.find(({ interactionId }) => interactionId === id)).toMatchObject({
      botId,
      status: 'InProgress',
      steps: [],
      ways: [],
      evaluation: [],
    });
    const scanned: ConversationFacts[] = [];
    for (let after = '', hasMore = true; hasMore; after = scanned.at(-1)?.interactionId ?? '') {
      const page = await service.facts.scanConversationFacts({ after, limit: 500 }, call);
      scanned.push(...page.facts);
      ({ hasMore } = page);
    }
    expect(scanned.find(({ interactionId }) => interactionId === id)).toMatchObject({ isUnknown: true });
    expect(scanned.find(({ interactionId }) => interactionId === other)).toMatchObject({ isUnknown: false });
  }

  it('because its definition is refused now does not fail the others', async () => {
    const { id, post } = await begun();
    await post(2, 'score', { value: 9 });
    botId = await workspace.publish(twoQuestions(undefined, 'refused'));
    const step = { id: 'x', kind: 'ask', text: 'x', input: { type: 'choice' }, evaluation: 'score' };
    await service.db
      .updateTable('botVersion')
      .set({ definition: JSON.stringify({ steps: [step], evaluation: { score: {} } }) })
      .where('workspaceId', '=', workspace.workspaceId)
      .where('botId', '=', botId)
      .execute();
    await write(sql`update interaction set bot_id = ${botId} where id = ${id}`);
    const refused = botId;
    botId = await workspace.publish(twoQuestions(undefined, 'fine'));
    const { facts } = await ask([{ id }, { id: (await begun()).id }]);
    expect(facts.map((one) => [one.botId, one.isUnknown])).toEqual(
      expect.arrayContaining([
        [refused, true],
        [botId, false],
      ]),
    );
  });

  it.each([
    ['state', sql`state = '{"stepId": "score", "steps": "score"}'`],
    ['evaluation', sql`evaluation = '[1]'`],
  ])('because its %s has another form does not fail the others', async (_, change) => {
    const { id } = await begun();
    await write(sql`update interaction set ${change} where id = ${id}`);
    await expectUnknown(id);
    await write(sql`delete from interaction where id = ${id}`);
  });
});

it('a scan has the facts of all interactions, in the order of their ids', async () => {
  const made = [await workspace.offer(botId), await workspace.create({ botId, status: 'InProgress' })];
  const found: string[] = [];
  const first = await service.facts.scanConversationFacts({ after: '', limit: 1 }, call);
  expect(first.total).toBeGreaterThanOrEqual(2);
  for (let page = first; ; ) {
    found.push(...page.facts.map(({ interactionId }) => interactionId));
    if (!page.hasMore) break;
    page = await service.facts.scanConversationFacts({ after: found.at(-1) ?? '', limit: 1 }, call);
  }
  expect(found).toEqual(found.toSorted());
  for (const { id } of made) expect(found.filter((one) => one === id)).toHaveLength(1);
});
