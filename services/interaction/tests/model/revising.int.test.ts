import type { Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { type ModelEndpoint, startModelEndpoint } from '@parley/testing/peers/model-endpoint';
import { eventually } from '@parley/testing/eventually';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  asked,
  refusal,
  type WorkspaceWithConversations,
  workspaceWithConversations,
} from '../conversations.ts';
import { call, dumpOf, type Interactions, startInteractions } from '../fixture.ts';

let endpoint: ModelEndpoint;
let service: Interactions;
let workspace: WorkspaceWithConversations;
/** What the model says to the prompts of a test, by their data. */
let respond: (data: string) => Promise<'good' | 'bad'>;
let prompts: string[];

beforeAll(async () => {
  endpoint = await startModelEndpoint(async ({ messages }) => {
    const data = messages.at(-1)?.content ?? '';
    prompts.push(data);
    return { says: { label: await respond(data) } };
  });
  const env = { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'model-of-a-test', LLM_TIMEOUT_MS: '20000' };
  service = await startInteractions({ env });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
});
beforeEach(() => {
  workspace = workspaceWithConversations(service);
  service.people.set('ada', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
  prompts = [];
  respond = (data) => Promise.resolve(data.includes('bad') ? 'bad' : 'good');
});

/** Asks for a score, then why it is good or bad, then for a name, and last for a word. */
const scored = (more: Record<string, unknown> = {}) => ({
  schemaVersion: 1,
  key: 'scored',
  name: 'Scored',
  type: 'Test',
  revise: true,
  evaluation: { score: {}, why: {}, verdict: {}, name: { pii: true } },
  steps: [
    { id: 'score', kind: 'ask', text: 'Score?', input: { type: 'nps' }, evaluation: 'score' },
    {
      id: 'verdict',
      kind: 'set',
      evaluation: { verdict: "answers.score > 6 ? 'good' : 'bad'" },
    },
    { id: 'thanks', kind: 'say', text: 'You gave {{answers.score}}.' },
    {
      id: 'good',
      kind: 'ask',
      when: 'answers.score > 6',
      text: 'Why so good?',
      input: { type: 'text' },
      evaluation: 'why',
    },
    {
      id: 'bad',
      kind: 'ask',
      when: 'answers.score <= 6',
      text: 'Why so bad?',
      input: { type: 'text' },
      evaluation: 'why',
    },
    { id: 'name', kind: 'ask', text: 'Your name?', input: { type: 'text' }, pii: true, evaluation: 'name' },
    { id: 'word', kind: 'ask', text: 'A last word?', input: { type: 'text' } },
    { id: 'bye', kind: 'end', text: 'Bye, {{answers.name}}.' },
  ],
  ...more,
});

/** Asks what somebody thinks, lets a model judge it, and asks on. */
const judged = {
  schemaVersion: 1,
  key: 'judged',
  name: 'Judged',
  type: 'Test',
  revise: true,
  steps: [
    { id: 'think', kind: 'ask', text: 'What do you think?', input: { type: 'text' } },
    { id: 'other', kind: 'ask', text: 'What else?', input: { type: 'text' } },
    {
      id: 'judge',
      kind: 'llm',
      mode: 'classify',
      prompt: 'Is {{answers.think}} good or bad?',
      labels: ['good', 'bad'],
      saveAs: 'label',
      onError: { goto: 'age' },
    },
    { id: 'told', kind: 'say', text: 'That sounds {{answers.label}}.' },
    { id: 'age', kind: 'ask', text: 'Your age?', input: { type: 'text' } },
    { id: 'town', kind: 'ask', text: 'Your town?', input: { type: 'text' } },
    { id: 'end', kind: 'end' },
  ],
};

async function begin(definition: unknown) {
  const { id } = await workspace.offer(await workspace.publish(definition));
  const session = workspace.session();
  let snapshot = await workspace.begin(session, id);
  const talk = {
    id,
    session,
    get now() {
      return snapshot;
    },
    async refresh() {
      snapshot = await workspace.read(session, id);
      return snapshot;
    },
    async say(...answers: Answer[]) {
      for (const answer of answers) {
        const message = { seq: snapshot.seq, stepId: asked(snapshot), answer };
        ({ snapshot } = await workspace.post(session, id, message));
        while (snapshot.awaiting) {
          await workspace.read(session, id, { after: snapshot.seq, waitSeconds: 5 });
          snapshot = await workspace.read(session, id);
        }
      }
      return snapshot;
    },
    revise: async (stepId: string, answer: Answer, seq = snapshot.seq, messageId = uuidv7()) => {
      const message = { id: messageId, seq, stepId, answer, revises: true as const };
      const posted = await workspace.post(session, id, message);
      if (!posted.stale) ({ snapshot } = posted);
      return posted;
    },
  };
  return talk;
}

const shown = ({ entries }: Snapshot) =>
  entries.map(({ body, withdrawn }) => (withdrawn ? `- ${body}` : body));

describe('a revised answer', () => {
  it('takes the conversation another way, and keeps the answers that the new way comes to', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 }, { text: 'Fast' }, { text: 'Grace' });
    expect(talk.now.entries.filter(({ canRevise }) => canRevise).map(({ stepId }) => stepId)).toEqual([
      'score',
      'good',
      'name',
    ]);
    const { snapshot } = await talk.revise('score', { value: 2 });
    expect(shown(snapshot)).toEqual([
      'Score?',
      '- 9',
      '- You gave 9.',
      '- Why so good?',
      '- Fast',
      'Your name?',
      'Grace',
      '- A last word?',
      '2',
      'You gave 2.',
      'Why so bad?',
    ]);
    expect(asked(snapshot)).toBe('bad');
    const { data } = await workspace.get(talk.id);
    const { evaluation, transcript } = JSON.parse(data ?? '');
    expect(evaluation).toEqual({ score: '2', verdict: 'bad' });
    expect(transcript.map(({ body }: { body: string }) => body)).toEqual(
      snapshot.entries.map(({ body }) => body),
    );
    for (const entry of transcript) expect(Object.keys(entry)).toEqual(['body', 'timestamp', 'type']);

    const after = await talk.say({ text: 'Slow' });
    expect(asked(after)).toBe('word');
    expect(shown(after).slice(-2)).toEqual(['Slow', 'A last word?']);
    await talk.say({ text: 'No' });
    const completed = JSON.parse((await workspace.get(talk.id)).data ?? '');
    expect(completed.evaluation).toEqual({ score: '2', why: 'Slow', verdict: 'bad', name: 'Grace' });
    const { facts } = await service.facts.listConversationFacts(
      {
        conversations: [
          { workspaceId: workspace.workspaceId, interactionId: talk.id, version: 0, isStalled: false },
        ],
      },
      call,
    );
    expect(facts[0]?.steps.map(({ stepId, outcome }) => `${stepId} ${outcome}`)).toEqual([
      'score Answered',
      'bad Answered',
      'name Answered',
      'word Answered',
    ]);
    expect(await workspace.completions(talk.id)).toHaveLength(1);
  });

  it('is shown in other tabs, with all entries, because it withdraws some', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 }, { text: 'Fast' });
    const { seq } = talk.now;
    const other = workspace.read(talk.session, talk.id, { after: seq, waitSeconds: 20 });
    const { snapshot } = await talk.revise('score', { value: 10 });
    const { entries } = await other;
    expect(entries).toEqual(snapshot.entries);
    expect(entries.filter(({ withdrawn }) => withdrawn).map(({ body }) => body)).toContain('9');
  });

  it('shows the question of an earlier step with its answer', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 }, { text: 'Fast' });
    const reading = { session: talk.session, interactionId: talk.id, after: 0, waitSeconds: 0 };
    const read = (revisedStepId: string) =>
      service.conversations.getConversation({ ...reading, revisedStepId }, call);
    expect(JSON.parse((await read('score')).inputJson ?? '')).toMatchObject({ stepId: 'score', prefill: 9 });
    expect(asked(await read('bad'))).toBe('name');
  });

  it('is stored once, whatever the number of calls, and no other message has its id', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 });
    const { seq } = talk.now;
    const id = uuidv7();
    const first = await talk.revise('score', { value: 3 }, seq, id);
    expect(await talk.revise('score', { value: 3 }, seq, id)).toEqual(first);
    const reused = { code: 'already_exists', type: 'client-message-id-reused' };
    expect(await refusal(talk.revise('score', { value: 4 }, seq, id))).toMatchObject(reused);
    const message = { id, seq, stepId: 'score', answer: { value: 3 } };
    expect(await refusal(workspace.post(talk.session, talk.id, message))).toMatchObject(reused);
  });

  it('is one of two at once: the other tab gets the snapshot', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 });
    const { seq } = talk.now;
    const both = await Promise.all([3, 4].map((value) => talk.revise('score', { value }, seq)));
    expect(both.filter(({ stale }) => stale)).toHaveLength(1);
    const [one, other] = both.map(({ snapshot }) => snapshot);
    expect(one).toEqual(other);
  });

  it('and the end: one wins', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 }, { text: 'Fast' }, { text: 'Grace' });
    const { seq } = talk.now;
    const end = workspace.post(talk.session, talk.id, { seq, stepId: 'word', answer: { text: 'No' } });
    const [revised, ended] = await Promise.allSettled([talk.revise('score', { value: 2 }, seq), end]);
    const isRevised = revised.status === 'fulfilled' && !revised.value.stale;
    const isEnded = ended.status === 'fulfilled' && !ended.value.stale;
    expect([isRevised, isEnded].filter(Boolean)).toHaveLength(1);
    expect((await workspace.completions(talk.id)).length).toBe(isEnded ? 1 : 0);
  });

  const redaction = (id: string) => ({
    workspaceId: workspace.workspaceId,
    customerId: id,
    customerVersion: 2,
    details: [],
    pageToken: '',
  });
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['a completion by a call', (id) => workspace.update(id, { status: 'Completed' })],
    ['a withdrawal', (id) => workspace.update(id, { status: 'Expired' })],
    ['an anonymisation', () => service.interactions.redactCustomer(redaction('ada'), call)],
  ])('and %s: the revision is whole, or it is refused', async (_name, end) => {
    const talk = await begin(scored());
    await talk.say({ value: 9 });
    const [revised] = await Promise.allSettled([talk.revise('score', { value: 2 }), end(talk.id)]);
    const isRevised = revised.status === 'fulfilled';
    if (!isRevised)
      expect(['gone', 'not_found']).toContain((await refusal(Promise.reject(revised.reason))).code);
    const { status, data } = await workspace.get(talk.id);
    expect(status).not.toBe('InProgress');
    const { evaluation } = JSON.parse(data ?? '');
    expect(evaluation).toEqual({ score: isRevised ? '2' : '9', verdict: isRevised ? 'bad' : 'good' });
    expect(['gone', 'not_found']).toContain((await refusal(talk.revise('score', { value: 5 }))).code);
  });

  it('is refused after the end, by other bots, and without a valid answer; nothing is written', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 });
    const before = await dumpOf(service);
    const unanswerable = { code: 'unprocessable', type: 'unanswerable-answer' };
    for (const [stepId, answer] of [
      ['score', { value: 11 }],
      ['score', { text: 'well' }],
      ['score', { skip: true }],
      ['good', { text: 'Not asked yet' }],
      ['verdict', { text: 'good' }],
      ['nowhere', { text: 'x' }],
    ] as [string, Answer][]) {
      expect(await refusal(talk.revise(stepId, answer)), stepId).toMatchObject(unanswerable);
    }
    expect(await talk.revise('score', { value: 3 }, talk.now.seq - 1)).toMatchObject({ stale: true });
    expect(await dumpOf(service)).toEqual(before);
    await workspace.update(talk.id, { status: 'Expired' });
    expect(await refusal(talk.revise('score', { value: 3 }))).toMatchObject({ code: 'gone' });
    expect((await talk.refresh()).entries.some(({ canRevise }) => canRevise)).toBe(false);

    const plain = await begin(scored({ revise: false, key: 'plain' }));
    await plain.say({ value: 9 });
    for (const { stepId, canRevise, withdrawn } of plain.now.entries) {
      expect([stepId, canRevise, withdrawn]).toEqual([null, null, null]);
    }
    const off = { code: 'permission_denied', type: 'revising-off' };
    expect(await refusal(plain.revise('score', { value: 3 }))).toMatchObject(off);
  });

  it('is refused after 50 revisions', async () => {
    const talk = await begin(scored());
    await talk.say({ value: 9 });
    for (let n = 0; n < 50; n += 1) await talk.revise('score', { value: n % 11 });
    expect(talk.now.entries.some(({ canRevise }) => canRevise)).toBe(false);
    expect(await refusal(talk.revise('score', { value: 5 }))).toMatchObject({ type: 'revising-off' });
  });

  it('leaves nothing of a withdrawn personal answer after an anonymisation', async () => {
    service.people.set('ada', { firstName: '', lastName: '', email: '' });
    const talk = await begin(scored());
    await talk.say({ value: 9 }, { text: 'Thaddeus was kind' }, { text: 'Thaddeus' });
    await talk.revise('name', { text: 'Ottokar' });
    await talk.revise('good', { text: 'Nobody else' });
    const request = {
      workspaceId: workspace.workspaceId,
      customerId: 'ada',
      customerVersion: 2,
      details: [],
    };
    await service.interactions.redactCustomer({ ...request, pageToken: '' }, call);
    const kept = (await dumpOf(service)).filter((row) => row.includes(talk.id)).join('\n');
    expect(kept).toContain('was kind');
    expect(kept).not.toMatch(/Thaddeus|Ottokar/);
  });
});

describe('a revision in a conversation with a model', () => {
  it('keeps the result if the prompt has the same values, and asks again if not', async () => {
    const talk = await begin(judged);
    await talk.say({ text: 'A bad thing' }, { text: 'Nothing' }, { text: '40' });
    expect(asked(talk.now)).toBe('town');
    await talk.revise('other', { text: 'Something' });
    expect(prompts).toHaveLength(1);
    expect(shown(talk.now)).toContain('That sounds bad.');
    expect(asked(talk.now)).toBe('town');
    await talk.revise('think', { text: 'A nice thing' });
    await eventually(async () => expect((await talk.refresh()).awaiting).toBeNull());
    expect(prompts).toHaveLength(2);
    expect(shown(talk.now)).toEqual(
      expect.arrayContaining(['- That sounds bad.', 'That sounds good.', '40']),
    );
    expect(asked(talk.now)).toBe('town');
  });

  it('cancels the question that the model has not answered', async () => {
    const { promise, resolve } = Promise.withResolvers<'bad'>();
    respond = (data) => (data.includes('bad') ? promise : Promise.resolve('good'));
    const talk = await begin(judged);
    await talk.say({ text: 'A bad thing' });
    const message = { seq: talk.now.seq, stepId: 'other', answer: { text: 'Nothing' } };
    await workspace.post(talk.session, talk.id, message);
    await eventually(() => expect(prompts).toHaveLength(1));
    expect((await talk.refresh()).awaiting).toBe('llm');
    await talk.revise('think', { text: 'A nice thing' });
    await eventually(async () => expect((await talk.refresh()).awaiting).toBeNull());
    const before = shown(talk.now);
    resolve('bad');
    await talk.say({ text: '40' });
    expect(shown(talk.now).slice(0, before.length)).toEqual(before);
    expect(before).toContain('That sounds good.');
    expect(shown(talk.now).join()).not.toContain('sounds bad');
  });

  it.each<[string, (talk: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
    ['a revision', (talk) => talk.revise('think', { text: 'A nice thing' })],
    ['the end of the conversation', (talk) => workspace.update(talk.id, { status: 'Expired' })],
  ])('gives up the call to the model that %s drops, and no other one', async (_name, drop) => {
    const { promise, resolve } = Promise.withResolvers<'bad'>();
    respond = (data) => (data.includes('nice') ? Promise.resolve('good') : promise);
    const [dropped, kept] = [await begin(judged), await begin({ ...judged, key: 'kept' })];
    const before = endpoint.questions.length;
    for (const talk of [dropped, kept]) {
      await talk.say({ text: 'A bad thing' });
      const message = { seq: talk.now.seq, stepId: 'other', answer: { text: 'Nothing' } };
      await workspace.post(talk.session, talk.id, message);
      await eventually(() => expect(endpoint.questions.length).toBe(before + (talk === kept ? 2 : 1)));
      await talk.refresh();
    }
    // A change of the row that leaves the question gives up nothing.
    await workspace.update(kept.id, { priority: 'High' });
    await drop(dropped);
    const [ofDropped, ofKept] = endpoint.questions.slice(before).map(({ request }) => request.givenUp);
    await eventually(() => expect(ofDropped?.aborted).toBe(true));
    expect(ofKept?.aborted).toBe(false);
    resolve('bad');
    await eventually(async () => expect(shown(await kept.refresh())).toContain('That sounds bad.'));
    expect(ofKept?.aborted).toBe(false);
  });
});
