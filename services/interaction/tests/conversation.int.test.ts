import { readFile } from 'node:fs/promises';
import { validateDefinition } from '@parley/bot/definition';
import type { Script } from '@parley/bot/simulate';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import { eventually } from '@parley/testing/eventually';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConversation, loadLightConversation } from '../src/conversations/store.ts';
import { call, type Interactions, startInteractions } from './fixture.ts';
import {
  type Answer,
  asked,
  refusal,
  type WorkspaceWithConversations,
  workspaceWithConversations,
} from './conversations.ts';
import { twoQuestions } from './model/two-questions.ts';

const nothing = { code: 'not_found', type: 'not-found', message: 'There is no such resource' };
const ended = { code: 'gone', type: 'conversation-ended' };

let service: Interactions;
let workspace: WorkspaceWithConversations;
let bot: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  service.people.set('ada', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
  bot = await workspace.publish(twoQuestions());
});

/** A conversation in progress, before its first answer: two entries. */
async function begun(given: Parameters<WorkspaceWithConversations['offer']>[1] = {}) {
  const { id } = await workspace.offer(bot, given);
  const session = workspace.session();
  return { id, session, snapshot: await workspace.begin(session, id) };
}

const nine: { seq: number; stepId: string; answer: Answer } = {
  seq: 2,
  stepId: 'score',
  answer: { value: 9 },
};
const because: { seq: number; stepId: string; answer: Answer } = {
  seq: 4,
  stepId: 'why',
  answer: { text: 'Fast.' },
};

describe('the interaction that waits for a session', () => {
  const pending = async (session = workspace.session(), locale?: string) => {
    const { pending } = await service.conversations.getPending({ session, locale }, call);
    return pending;
  };

  it('is null without interactions', async () => {
    expect(await pending()).toBeNull();
  });

  it('has the bot’s name and first words', async () => {
    const { id, expiresAt } = await workspace.offer(bot, { expirySeconds: 600 });
    expect(await pending()).toEqual({
      interactionId: id,
      status: 'Pending',
      type: 'Test',
      priority: 'Medium',
      botName: 'Two questions',
      teaser: 'Hi Ada!',
      expiresAt,
      more: 0,
      effort: { questionsMin: 2, questionsMax: 2, minutes: 1 },
      isTest: null,
    });
  });

  it('has first words in the customer’s language if the bot has it', async () => {
    await workspace.offer(
      await workspace.publish(twoQuestions({ en: 'Good day!', de: 'Guten Tag!' }, 'polyglot')),
    );
    expect(await pending(undefined, 'de-AT')).toMatchObject({ teaser: 'Guten Tag!' });
    for (const locale of [undefined, 'fr', 'no language tag']) {
      expect(await pending(undefined, locale)).toMatchObject({ teaser: 'Good day!' });
    }
  });

  it('is read without the customer if the first words do not need it', async () => {
    await workspace.offer(await workspace.publish(twoQuestions('Good day!', 'nameless')));
    // A call for the customer would fail now.
    service.people.delete('ada');
    expect(await pending()).toMatchObject({ teaser: 'Good day!' });
  });

  it('is the right one among more than are compared at once, and all are counted', async () => {
    for (let n = 0; n < 120; n += 1) await workspace.offer(bot, { priority: 'Low' });
    const { id } = await workspace.offer(bot, { priority: 'High' });
    expect(await pending()).toMatchObject({ interactionId: id, more: 120 });
  });

  it('is chosen by priority, then in progress before pending, then the oldest', async () => {
    const offer = async (given: Parameters<typeof workspace.offer>[1] = {}) =>
      (await workspace.offer(bot, given)).id;
    const low = await offer({ priority: 'Low', status: 'InProgress' });
    const pendingFirst = await offer();
    const begunFirst = await offer({ status: 'InProgress' });
    const begunLater = await offer();
    const highFirst = await offer({ priority: 'High' });
    const highLater = await offer({ priority: 'High' });
    await workspace.begin(workspace.session(), begunLater);
    const expected = [highFirst, highLater, begunFirst, begunLater, pendingFirst, low];
    const order: string[] = [];
    for (let next = await pending(); next; next = await pending()) {
      expect(next.more).toBe(expected.length - 1 - order.length);
      order.push(next.interactionId);
      await workspace.update(next.interactionId, { status: 'Expired' });
    }
    expect(order).toEqual(expected);
  });

  it('is not a draft, not ended or overdue, and not another customer’s', async () => {
    await workspace.offer(bot, { status: 'Draft', priority: 'High' });
    await workspace.offer(bot, { status: 'Completed', priority: 'High' });
    await workspace.offer(bot, { status: 'Expired', priority: 'High' });
    await workspace.offer(bot, { expirySeconds: 0.001, priority: 'High' });
    await workspace.offer(bot, { customerId: 'bob' });
    expect(await pending()).toBeNull();
    expect(await pending({ ...workspace.session('bob'), workspaceId: uuidv7() })).toBeNull();
  });
});

describe('starting', () => {
  it('runs the bot to its first question', async () => {
    const { id, session, snapshot } = await begun({ context: { product: 'Parley' } });
    expect(snapshot).toMatchObject({ status: 'InProgress', seq: 2, progress: 0, expiresAt: null });
    expect(snapshot.entries.map(({ seq, type, body }) => [seq, type, body])).toEqual([
      [1, 'bot', 'Hi Ada!'],
      [2, 'bot', 'How many for Parley?'],
    ]);
    expect(JSON.parse(snapshot.inputJson ?? '')).toMatchObject({
      stepId: 'score',
      type: 'nps',
      min: 0,
      max: 10,
    });
    expect(Math.abs((snapshot.entries[0]?.timestamp ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
    expect(await workspace.read(session, id)).toEqual(snapshot);
    const { status, data } = await workspace.get(id);
    expect(status).toBe('InProgress');
    expect(JSON.parse(data ?? '')).toMatchObject({ customer_id: 'ada', interaction_id: id, evaluation: {} });
  });

  it('happens once for concurrent calls', async () => {
    const { id } = await workspace.offer(bot);
    const begin = () => workspace.begin(workspace.session(), id);
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, begin));
    expect(first).toMatchObject({ status: 'InProgress', seq: 2 });
    for (const other of others) expect(other).toEqual(first);
    expect(await begin()).toEqual(first);
    const { version } = await workspace.get(id);
    expect(version).toBe(2);
  });

  it('pins the current version to the end', async () => {
    const early = await begun();
    const { id } = await workspace.offer(bot);
    const definition = JSON.stringify(twoQuestions('Welcome, {{customer.firstName|you}}!'));
    const { workspaceId } = workspace;
    await service.bots.publishBotVersion({ workspaceId, id: bot, definition, idempotency: null }, call);
    const late = await workspace.begin(workspace.session(), id);
    expect(late.entries[0]?.body).toBe('Welcome, Ada!');
    const { snapshot } = await workspace.post(early.session, early.id, nine);
    expect(snapshot.entries[0]?.body).toBe('Hi Ada!');
    expect(asked(snapshot)).toBe('why');
  });

  it('of one that has ended is rejected as gone', async () => {
    const closed = await workspace.offer(bot, { status: 'Completed' });
    const late = await workspace.offer(bot, { expirySeconds: 0.001 });
    const withdrawn = await workspace.offer(bot);
    await workspace.update(withdrawn.id, { status: 'Expired' });
    for (const { id } of [closed, late, withdrawn]) {
      expect(await refusal(workspace.begin(workspace.session(), id))).toMatchObject(ended);
    }
  });

  it('of one that came back from Expired continues where it was', async () => {
    const { id, session } = await begun();
    const { snapshot } = await workspace.post(session, id, nine);
    await workspace.update(id, { status: 'Expired' });
    await workspace.update(id, { status: 'Pending', expirySeconds: 600 });
    expect(await workspace.read(session, id)).toMatchObject({ status: 'Pending', seq: 4, inputJson: null });
    const again = await workspace.begin(session, id);
    expect(again).toMatchObject({ status: 'InProgress', seq: 4, inputJson: snapshot.inputJson });
    expect(again.entries).toEqual(snapshot.entries);
    const last = await workspace.post(session, id, because);
    expect(last.snapshot.status).toBe('Completed');
  });

  it('changes nothing while the customer’s details are unavailable', async () => {
    const { id } = await workspace.offer(bot, { customerId: 'stranger' });
    service.people.delete('stranger');
    const session = workspace.session('stranger');
    await refusal(workspace.begin(session, id));
    expect(await workspace.read(session, id)).toMatchObject({ status: 'Pending', seq: 0, entries: [] });
    service.people.set('stranger', {});
    expect((await workspace.begin(session, id)).entries[0]?.body).toBe('Hi there!');
  });

  it('completes at once with a bot without questions', async () => {
    const [hi, , , bye] = twoQuestions().steps;
    const quick = await workspace.publish({
      ...twoQuestions('Hello', 'quick'),
      evaluation: {},
      steps: [hi, bye],
    });
    const { id } = await workspace.offer(quick);
    expect(await workspace.begin(workspace.session(), id)).toMatchObject({
      status: 'Completed',
      seq: 2,
      progress: 1,
    });
    expect(await workspace.completions(id)).toHaveLength(1);
    expect(await refusal(workspace.begin(workspace.session(), id))).toMatchObject(ended);
  });
});

describe('reading', () => {
  it('returns newer entries than the reader has', async () => {
    const { id, session } = await begun();
    await workspace.post(session, id, nine);
    const newer = async (after: number) =>
      (await workspace.read(session, id, { after })).entries.map(({ seq }) => seq);
    expect(await newer(0)).toEqual([1, 2, 3, 4]);
    expect(await newer(3)).toEqual([4]);
    expect(await newer(4)).toEqual([]);
    expect(await newer(99)).toEqual([]);
  });

  it('has the bot’s current name before, during and after the conversation', async () => {
    const { id: waiting } = await workspace.offer(bot);
    const { id: over } = await workspace.offer(bot, { expirySeconds: 0.001 });
    const { id: running, session, snapshot } = await begun();
    expect(snapshot.botName).toBe('Two questions');
    const definition = JSON.stringify({ ...twoQuestions(), name: 'Two more questions' });
    const { workspaceId } = workspace;
    await service.bots.publishBotVersion({ workspaceId, id: bot, definition, idempotency: null }, call);
    for (const [id, status] of [
      [waiting, 'Pending'],
      [running, 'InProgress'],
      [over, 'Expired'],
    ] as const) {
      expect(await workspace.read(session, id)).toMatchObject({ status, botName: 'Two more questions' });
    }
    expect((await workspace.begin(session, waiting)).botName).toBe('Two more questions');
    expect((await workspace.post(session, running, nine)).snapshot.botName).toBe('Two more questions');
    const late = await workspace.post(session, running, nine);
    expect(late).toMatchObject({ stale: true, snapshot: { botName: 'Two more questions' } });
  });

  it('contains only the conversation itself', async () => {
    const { id, session } = await begun({ context: { product: 'Parley' } });
    await workspace.post(session, id, nine);
    const last = await workspace.post(session, id, because);
    const text = JSON.stringify(last.snapshot);
    for (const kept of ['personal', 'evaluation', 'ada@example.com', 'Lovelace', '"context"']) {
      expect(text).not.toContain(kept);
    }
  });

  it('of a conversation that has ended still works', async () => {
    const { id, session } = await begun();
    await workspace.post(session, id, nine);
    await workspace.update(id, { status: 'Completed' });
    const snapshot = await workspace.read(session, id);
    expect(snapshot).toMatchObject({ status: 'Completed', seq: 4, inputJson: null, progress: 1 });
    expect(snapshot.entries).toHaveLength(4);
  });

  it('of an interaction that was not started has no entries', async () => {
    const { id } = await workspace.offer(bot);
    const snapshot = await workspace.read(workspace.session(), id);
    expect(snapshot).toMatchObject({ status: 'Pending', seq: 0, entries: [], inputJson: null, progress: 0 });
  });
});

describe('a message', () => {
  it('that answers is stored, and the bot continues', async () => {
    const { id, session } = await begun();
    const { snapshot, stale } = await workspace.post(session, id, nine);
    expect(stale).toBe(false);
    expect(snapshot.entries.slice(2).map(({ type, body }) => [type, body])).toEqual([
      ['customer', '9'],
      ['bot', 'Why?'],
    ]);
    expect(snapshot.progress).toBeGreaterThan(0);
    expect(await workspace.read(session, id)).toEqual(snapshot);
  });

  it('that answers the last question completes the interaction with one event', async () => {
    const { id, session } = await begun();
    await workspace.post(session, id, nine);
    const { snapshot } = await workspace.post(session, id, because);
    expect(snapshot).toMatchObject({ status: 'Completed', seq: 6, inputJson: null, progress: 1 });
    expect(snapshot.entries.at(-1)?.body).toBe('Bye, and thanks.');
    const { status, data } = await workspace.get(id);
    expect(status).toBe('Completed');
    expect(JSON.parse(data ?? '')).toMatchObject({ evaluation: { score: '9', why: 'Fast.' } });
    expect(await workspace.completions(id)).toHaveLength(1);
  });

  it('that is repeated gets the stored outcome, also after the end, and has one effect', async () => {
    const { id, session } = await begun();
    const first = { ...nine, id: uuidv7() };
    const last = { ...because, id: uuidv7() };
    const outcome = await workspace.post(session, id, first);
    expect(await workspace.post(session, id, first)).toEqual(outcome);
    const end = await workspace.post(session, id, last);
    expect(await workspace.post(session, id, last)).toEqual(end);
    expect(await workspace.post(session, id, first)).toEqual(end);
    expect(await workspace.completions(id)).toHaveLength(1);
    expect(await workspace.get(id)).toMatchObject({ version: 4 });
  });

  it('that uses the id of another is rejected first', async () => {
    const { id, session } = await begun();
    const first = { ...nine, id: uuidv7() };
    await workspace.post(session, id, first);
    const reused = { code: 'already_exists', type: 'client-message-id-reused' };
    const others = [
      { ...first, answer: { value: 8 } },
      { ...first, stepId: 'why' },
      { ...first, seq: 1 },
      { ...because, id: first.id },
      { ...because, id: first.id, answer: { value: 7 } },
    ];
    for (const other of others)
      expect(await refusal(workspace.post(session, id, other))).toMatchObject(reused);
    await workspace.update(id, { status: 'Completed' });
    for (const other of others)
      expect(await refusal(workspace.post(session, id, other))).toMatchObject(reused);
    expect(await workspace.read(session, id)).toMatchObject({ seq: 4 });
  });

  it('may have the id of a message to another interaction', async () => {
    const message = { ...nine, id: uuidv7() };
    for (const value of [9, 2]) {
      const { id, session } = await begun();
      const { snapshot, stale } = await workspace.post(session, id, { ...message, answer: { value } });
      expect([stale, snapshot.entries[2]?.body]).toEqual([false, String(value)]);
    }
  });

  it('that answers an older state of the conversation returns the current one, and changes nothing', async () => {
    const { id, session } = await begun();
    const { snapshot } = await workspace.post(session, id, nine);
    for (const late of [
      nine,
      { ...because, seq: 0 },
      { ...because, seq: 3 },
      { ...because, seq: 5 },
      { ...because, stepId: 'score' },
      { ...because, stepId: 'no such step' },
    ]) {
      expect(await workspace.post(session, id, late)).toEqual({ snapshot, stale: true });
    }
    expect(await workspace.read(session, id)).toEqual(snapshot);
  });

  it('that was stale may be sent again under the same id for the current state', async () => {
    const { id, session } = await begun();
    await workspace.post(session, id, nine);
    const message = { ...because, id: uuidv7() };
    expect((await workspace.post(session, id, { ...message, seq: 2 })).stale).toBe(true);
    expect((await workspace.post(session, id, message)).snapshot.status).toBe('Completed');
  });

  it.each<[string, Answer]>([
    ['a value out of range', { value: 11 }],
    ['a fraction', { value: 4.5 }],
    ['a value of another type', { value: '9' }],
    ['null', { value: null }],
    ['a list', { value: [9] }],
    ['an object', { value: { a: 1 } }],
    ['true', { value: true }],
    ['words without a number', { text: 'many' }],
    ['blank text', { text: '   ' }],
    ['no text', { text: '' }],
    ['no required answer', { skip: true }],
  ])('with %s is rejected without a write, and its id stays free', async (_name, answer) => {
    const { id, session, snapshot } = await begun();
    const before = await workspace.get(id);
    const message = { ...nine, id: uuidv7() };
    const refused = await refusal(workspace.post(session, id, { ...message, answer }));
    expect(refused).toMatchObject({ code: 'unprocessable', type: 'unanswerable-answer' });
    expect(await workspace.read(session, id)).toEqual(snapshot);
    expect(await workspace.get(id)).toEqual(before);
    expect((await workspace.post(session, id, message)).snapshot.seq).toBe(4);
  });

  it('before the start is rejected', async () => {
    const { id } = await workspace.offer(bot);
    const refused = await refusal(workspace.post(workspace.session(), id, { ...nine, seq: 0 }));
    expect(refused).toMatchObject({ code: 'failed_precondition', type: 'not-started' });
    expect(await workspace.read(workspace.session(), id)).toMatchObject({ status: 'Pending', seq: 0 });
  });

  it('after the end is rejected as gone', async () => {
    const closed = await begun();
    await workspace.update(closed.id, { status: 'Completed' });
    const late = await begun({ expirySeconds: 600 });
    await workspace.update(late.id, { expirySeconds: 0.001 });
    const withdrawn = await begun();
    await workspace.update(withdrawn.id, { status: 'Expired' });
    for (const { id, session } of [closed, late, withdrawn]) {
      expect(await refusal(workspace.post(session, id, nine))).toMatchObject(ended);
    }
    expect(await workspace.completions(closed.id)).toHaveLength(1);
    expect(await workspace.completions(late.id)).toHaveLength(0);
  });

  it('may contain any characters', async () => {
    const { id, session } = await begun();
    await workspace.post(session, id, nine);
    const body =
      'null \u0000, quote \' " \\, <b>bold</b>, {{customer.email}}, emoji 👩‍👩‍👧, 漢字, lone \ud800';
    const { snapshot } = await workspace.post(session, id, { ...because, answer: { value: body } });
    const said = snapshot.entries.find(({ seq }) => seq === 5)?.body ?? '';
    expect(said).toContain('quote \' " \\, <b>bold</b>, {{customer.email}}, emoji 👩‍👩‍👧, 漢字');
    expect(said).not.toContain('\u0000');
    expect(snapshot.status).toBe('Completed');
  });
});

describe('an interaction that a session cannot see', () => {
  it('has the same error for reads, starts and messages', async () => {
    const draft = await workspace.offer(bot, { status: 'Draft' });
    const other = await workspace.offer(bot, { customerId: 'bob' });
    const elsewhere = workspaceWithConversations(service);
    const foreign = await elsewhere.offer(await elsewhere.publish(twoQuestions()));
    const started = await begun();
    const session = workspace.session();
    const linked = workspace.linkSession(other.id);
    const unseen = [
      [session, draft.id],
      [session, other.id],
      [session, foreign.id],
      [session, uuidv7()],
      [session, 'no-uuid'],
      [linked, started.id],
      [workspace.linkSession(draft.id), draft.id],
      [workspace.linkSession(started.id, 2), started.id],
      [elsewhere.session(), started.id],
    ] as const;
    for (const [who, id] of unseen) {
      expect(await refusal(workspace.read(who, id))).toEqual(nothing);
      expect(await refusal(workspace.read(who, id, { waitSeconds: 20 }))).toEqual(nothing);
      expect(await refusal(workspace.begin(who, id))).toEqual(nothing);
      expect(await refusal(workspace.post(who, id, nine))).toEqual(nothing);
    }
  });

  describe('after the customer’s anonymisation', () => {
    const anonymise = () => {
      const { workspaceId } = workspace;
      const details = ['Ada', 'Lovelace', 'ada@example.com'];
      return service.interactions.redactCustomer(
        { workspaceId, customerId: 'ada', customerVersion: 2, details, pageToken: '' },
        call,
      );
    };

    it('an earlier session sees none of the customer’s interactions', async () => {
      const { id, session } = await begun();
      await workspace.post(session, id, nine);
      await workspace.post(session, id, because);
      await anonymise();
      expect(await refusal(workspace.read(session, id))).toEqual(nothing);
      expect(await refusal(workspace.read(workspace.linkSession(id), id))).toEqual(nothing);
      const snapshot = await workspace.read(await workspace.newSession(), id);
      expect(snapshot).toMatchObject({ status: 'Completed', seq: 6 });
      expect(JSON.stringify(snapshot)).not.toContain('Ada');
    });

    it('an earlier session does not see one that waits again', async () => {
      const { id, session } = await begun();
      await anonymise();
      await workspace.update(id, { status: 'Pending', expirySeconds: 600 });
      const pending = (session: Session) => service.conversations.getPending({ session }, call);
      expect(await pending(session)).toEqual({ pending: null });
      expect((await pending(await workspace.newSession())).pending?.interactionId).toBe(id);
    });
  });
});

describe('concurrent', () => {
  it('a message reads no large content of a conversation before its turn', async () => {
    const enlarge = (id: string, bytes: number) =>
      sql`
        update interaction set evaluation = json_build_object('x', repeat('x', ${bytes}::int))
        where workspace_id = ${workspace.workspaceId} and id = ${id}`.execute(service.db);
    const { id } = await begun();
    const load = () => loadLightConversation(service.db, workspace.workspaceId, id);
    await enlarge(id, 20_000);
    const whole = await loadConversation(service.db, workspace.workspaceId, id);
    expect(await load()).toEqual({ ...whole, isLarge: false });
    await enlarge(id, 40_000);
    const content = { context: null, state: null, transcript: null, evaluation: null };
    const enlarged = await loadConversation(service.db, workspace.workspaceId, id);
    expect(await load()).toEqual({ ...enlarged, ...content, isLarge: true });
  });

  it('messages to other conversations do not wait for one that is locked', async () => {
    const [held, ...others] = await Promise.all(Array.from({ length: 5 }, () => begun()));
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holder = service.db.transaction().execute(async (trx) => {
      await sql`
        select from interaction
        where workspace_id = ${workspace.workspaceId} and id = ${held?.id} for update`.execute(trx);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const [waiting, ...posted] = [held, ...others].map((one) =>
      workspace.post(one?.session as Session, one?.id ?? '', nine),
    );
    for (const { stale, snapshot } of await Promise.all(posted)) {
      expect({ stale, seq: snapshot.seq }).toEqual({ stale: false, seq: 4 });
    }
    release.resolve();
    await holder;
    expect((await waiting)?.snapshot.seq).toBe(4);
  });

  it('a message is accepted behind a change of the conversation without a new version', async () => {
    const { id, session } = await begun();
    // As a conversation stalls, or is claimed for the model.
    const { posted } = await service.db.transaction().execute(async (trx) => {
      await sql`
        update interaction set stalls_at = stalls_at
        where workspace_id = ${workspace.workspaceId} and id = ${id}`.execute(trx);
      const posting = workspace.post(session, id, nine);
      posting.catch(() => {});
      await eventually(async () => {
        const { rows } = await sql`
          select 1 as one from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`.execute(
          trx,
        );
        expect(rows).toHaveLength(1);
      });
      return { posted: posting };
    });
    expect((await posted).snapshot.seq).toBe(4);
  });

  it('messages of many conversations are accepted, beside one whose id is used by another message', async () => {
    const conversations = await Promise.all(Array.from({ length: 40 }, () => begun()));
    const [used] = conversations;
    await workspace.post(used?.session as Session, used?.id ?? '', { ...nine, id: 'first' });
    const posted = await Promise.allSettled(
      conversations.map(({ id, session }, index) =>
        workspace.post(
          session,
          id,
          index === 0 ? { seq: 4, stepId: 'why', answer: { text: 'x' }, id: 'first' } : nine,
        ),
      ),
    );
    expect(posted.map(({ status }) => status)).toEqual(
      conversations.map((_, index) => (index === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(posted[0]).toMatchObject({ reason: { type: 'client-message-id-reused' } });
  });

  it('messages to large conversations of a workspace are all accepted, each once', async () => {
    const conversations = await Promise.all(Array.from({ length: 6 }, () => begun()));
    await sql`
      update interaction set transcript = jsonb_set(transcript::jsonb, '{0,body}', to_jsonb(repeat('x', 40000)))::json
      where workspace_id = ${workspace.workspaceId}`.execute(service.db);
    const outcomes = await Promise.all(
      conversations.flatMap(({ id, session }) => {
        const message = { ...nine, id: uuidv7() };
        return [workspace.post(session, id, message), workspace.post(session, id, message)];
      }),
    );
    for (const { stale, snapshot } of outcomes)
      expect({ stale, seq: snapshot.seq }).toEqual({ stale: false, seq: 4 });
    for (const { id, session } of conversations) {
      const { entries } = await workspace.read(session, id);
      expect(entries.map(({ body }) => body.length)).toEqual([
        40_000,
        expect.any(Number),
        1,
        expect.any(Number),
      ]);
    }
  });

  it('different messages: exactly one is accepted, the others are stale', async () => {
    const { id, session } = await begun();
    const posts = Array.from({ length: 8 }, (_, value) =>
      workspace.post(session, id, { ...nine, answer: { value } }),
    );
    const outcomes = await Promise.all(posts);
    expect(outcomes.filter(({ stale }) => !stale)).toHaveLength(1);
    const current = await workspace.read(session, id);
    for (const { snapshot } of outcomes) expect(snapshot).toEqual(current);
    expect(current.seq).toBe(4);
  });

  it('equal messages: all get the outcome, with one effect', async () => {
    const { id, session } = await begun();
    await workspace.post(session, id, nine);
    const last = { ...because, id: uuidv7() };
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => workspace.post(session, id, last)));
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ stale: false, snapshot: { status: 'Completed', seq: 6 } });
    expect(await workspace.completions(id)).toHaveLength(1);
  });

  it('different messages with one id: one is accepted, the others are rejected', async () => {
    const { id, session } = await begun();
    const one = uuidv7();
    const posts = Array.from({ length: 6 }, (_, value) =>
      workspace.post(session, id, { ...nine, id: one, answer: { value } }).then(
        ({ stale }) => (stale ? 'stale' : 'taken'),
        (error: { type: string }) => error.type,
      ),
    );
    const outcomes = (await Promise.all(posts)).toSorted();
    expect(outcomes).toEqual([...Array(5).fill('client-message-id-reused'), 'taken']);
  });

  it('calls, the last answer and the client’s close: one of them completes, with one event', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, session } = await begun();
      await workspace.post(session, id, nine);
      const [post, close] = await Promise.allSettled([
        workspace.post(session, id, because),
        workspace.update(id, { status: 'Completed' }),
      ]);
      expect(close.status).toBe('fulfilled');
      const { data } = await workspace.get(id);
      const said = JSON.stringify((JSON.parse(data ?? '') as { transcript: unknown }).transcript);
      expect(said.includes('Fast.')).toBe(post.status === 'fulfilled');
      expect(await workspace.completions(id)).toHaveLength(1);
    }
  });

  it('calls, an answer and another change by the client: both take effect', async () => {
    const { id, session } = await begun();
    const [{ stale }] = await Promise.all([
      workspace.post(session, id, nine),
      workspace.update(id, { priority: 'High' }),
      workspace.update(id, { expirySeconds: 600 }),
    ]);
    expect(stale).toBe(false);
    expect(await workspace.get(id)).toMatchObject({ priority: 'High', expiresAt: expect.any(Date) });
    expect(await workspace.read(session, id)).toMatchObject({ seq: 4 });
  });
});

interface Golden {
  bot: string;
  paths: { name: string; script: Script; transcript: string[]; evaluation: Record<string, string> }[];
}

const samples = new URL('../../../packages/bot/samples/', import.meta.url);
const readSample = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(file, samples), 'utf8'));
const keys = ['nps-follow-up', 'candidate-screening', 'appointment-reminder', 'tea-survey'];
const golden = await Promise.all(keys.map((key) => readSample(`golden/${key}.json`) as Promise<Golden>));
const conversations = golden.flatMap(({ bot, paths }) =>
  paths.map((path) => ({ title: `${bot}: ${path.name}`, bot, ...path })),
);

describe('each conversation of the sample bots', () => {
  it.each(conversations)(
    '$title, ends as expected with one event',
    async ({ bot, script, transcript, evaluation }) => {
      const definition = await readSample(`${bot}.json`);
      expect(validateDefinition(definition)).toHaveProperty('definition');
      const botId = await workspace.publish(definition);
      const customerId = `customer ${uuidv7()}`;
      service.people.set(customerId, { ...script.customer, id: customerId });
      const { id } = await workspace.offer(botId, { customerId, context: script.context ?? {} });
      const session = workspace.linkSession(id);
      let snapshot = await workspace.begin(session, id);
      for (const { stepId, ...answer } of script.answers) {
        const step = stepId ?? asked(snapshot);
        ({ snapshot } = await workspace.post(session, id, { seq: snapshot.seq, stepId: step, answer }));
      }
      expect(snapshot).toMatchObject({ status: 'Completed', progress: 1 });
      expect(snapshot.entries.map(({ type, body }) => `${type}: ${body}`)).toEqual(transcript);
      const { data } = await workspace.get(id);
      const history = JSON.parse(data ?? '') as { transcript: Record<string, unknown>[] };
      // What was shown is behind the fields of the seed, and only with answers to questions of the newer types.
      const shown = history.transcript.flatMap(({ body: _body, timestamp: _at, type, ...more }) =>
        Object.keys(more).map((name) => `${String(type)} ${name}`),
      );
      expect(new Set(shown)).toEqual(
        new Set(bot === 'tea-survey' ? ['customer order', 'customer consent'] : []),
      );
      const transcriptOfSeed = history.transcript.map(({ body, timestamp, type }) => ({
        body,
        timestamp,
        type,
      }));
      expect({ ...history, transcript: transcriptOfSeed }).toEqual({
        customer_id: customerId,
        interaction_id: id,
        evaluation,
        transcript: snapshot.entries.map(({ body, timestamp, type }) => ({ body, timestamp, type })),
      });
      expect(await workspace.completions(id)).toHaveLength(1);
    },
  );
});
