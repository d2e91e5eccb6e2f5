import { expect, inject, test } from 'vitest';
import { createPublicClient } from '@parley/client/public';
import { api } from '@parley/testing/api';
import {
  browserWith,
  createConversationWorkspace,
  messageId,
  openBrowser,
  type Snapshot,
} from './conversation.ts';

// Contract, part 3, section 17: the status of each outcome of a revision. Tests of the interaction service cover the
// outcomes.

const { baseUrl } = inject('local');

const { workspace, browser } = await createConversationWorkspace(baseUrl, inject('operator'));

const bot = (revise: boolean) => ({
  schemaVersion: 1,
  key: `revised-${revise}`,
  name: 'Revised',
  type: 'Test',
  ...(revise && { revise }),
  evaluation: { score: {}, why: {} },
  steps: [
    { id: 'score', kind: 'ask', text: 'Score?', input: { type: 'nps' }, evaluation: 'score' },
    {
      id: 'why',
      kind: 'ask',
      when: 'answers.score < 7',
      text: 'Why?',
      input: { type: 'text' },
      evaluation: 'why',
    },
    { id: 'name', kind: 'ask', text: 'Name?', input: { type: 'text' } },
    { id: 'bye', kind: 'end', text: 'Bye' },
  ],
});

const bots = new Map<boolean, string>();
for (const revise of [true, false]) {
  const { body } = await workspace.api.post<{ id: string }>('/bots', bot(revise));
  bots.set(revise, body.data.id);
}

type Revised = Omit<Snapshot, 'entries'> & {
  entries: (Snapshot['entries'][number] & { stepId?: string; canRevise?: true; withdrawn?: true })[];
};

/** A conversation whose customer has given a score. */
async function scored(score: number, revise = true) {
  const wanted = { customerId: 'c', botId: bots.get(revise), status: 'Pending' };
  const { body } = await workspace.api.post<{ id: string; link: string }>('/interactions', wanted);
  const { id, link } = body.data;
  const snapshot = await browser.say(id, await browser.start(id), { value: score });
  const revisionOf = (value: unknown, of: Snapshot = snapshot) => ({
    clientMessageId: messageId(),
    expectedSeq: of.seq,
    stepId: 'score',
    answer: { value },
  });
  const revise_ = (revision: unknown, by = browser) =>
    by.api.post<Revised>(`/conversations/${id}/revise`, revision);
  return { id, link, snapshot, revisionOf, revise: revise_ };
}

test('a revision continues at the first question without an answer; a repeated one gets its answer again', async () => {
  const { id, revisionOf, revise } = await scored(9);
  const revision = revisionOf(2);
  const { status, body } = await revise(revision);
  expect([status, body.data.input?.stepId]).toEqual([200, 'why']);
  expect(
    body.data.entries.map(({ body: text, stepId, canRevise, withdrawn }) => [
      text,
      stepId,
      canRevise,
      withdrawn,
    ]),
  ).toEqual([
    ['Score?', undefined, undefined, undefined],
    ['9', 'score', undefined, true],
    ['Name?', undefined, undefined, true],
    ['2', 'score', true, undefined],
    ['Why?', undefined, undefined, undefined],
  ]);
  expect((await revise(revision)).body).toEqual(body);
  expect((await revise({ ...revision, answer: { value: 3 } })).body.type).toBe('client-message-id-reused');
  const asked = await browser.look(id, '?revisedStepId=score');
  expect(asked.body.data.input).toMatchObject({ stepId: 'score', type: 'nps', prefill: 2 });
  const details = await workspace.api.get<{ details: object }>(`/interactions/${id}?include=details`);
  expect(details.body.data.details).toMatchObject({ withdrawn: [2, 3] });
});

test('409 with the snapshot for an older state, 422 for no answer, 410 after the end, 403 for other bots', async () => {
  const { id, snapshot, revisionOf, revise } = await scored(9);
  const stale = await revise({ ...revisionOf(3), expectedSeq: 1 });
  expect([stale.status, stale.body.type, stale.body.data]).toEqual([409, 'stale-sequence', snapshot]);
  const none = await revise(revisionOf(11));
  expect([none.status, none.body.type, none.body.data]).toEqual([422, 'unanswerable-answer', null]);
  const unanswered = await revise({ ...revisionOf(3), stepId: 'name' });
  expect([unanswered.status, unanswered.body.type]).toEqual([422, 'unanswerable-answer']);
  expect((await browser.look(id)).body.data).toEqual(snapshot);
  await browser.say(id, snapshot, { text: 'Anna' });
  const late = await revise(revisionOf(3));
  expect([late.status, late.body.type, late.body.data]).toEqual([410, 'conversation-ended', null]);

  const other = await scored(9, false);
  for (const entry of other.snapshot.entries) {
    expect(Object.keys(entry)).toEqual([
      'seq',
      'type',
      'body',
      'timestamp',
      ...(entry.type === 'customer' ? ['outOf'] : []),
    ]);
  }
  const off = await other.revise(other.revisionOf(3));
  expect([off.status, off.body.type, off.body.data]).toEqual([403, 'revising-off', null]);
  const details = await workspace.api.get<{ details: object }>(`/interactions/${other.id}?include=details`);
  expect(details.body.data.details).not.toHaveProperty('withdrawn');
});

test('a client of a browser revises with its method', async () => {
  const { id, revisionOf } = await scored(9);
  const { sessionToken } = browser;
  const session = createPublicClient({ baseUrl }).session({ workspaceId: workspace.id, sessionToken });
  expect(await session.reviseAnswer(id, revisionOf(1))).toMatchObject({ input: { stepId: 'why' } });
});

test('only the session of the conversation revises it', async () => {
  const { snapshot, revisionOf, revise, id } = await scored(9);
  await workspace.api.post('/customers', { id: 'd', firstName: 'Dora' });
  const stranger = await openBrowser(baseUrl, workspace, 'd');
  expect((await revise(revisionOf(3), stranger)).status).toBe(404);
  expect((await revise(revisionOf(3), browserWith(baseUrl, workspace.id, 'no-session'))).status).toBe(401);
  const key = api(`${baseUrl}/v1/workspaces/${workspace.id}`, undefined);
  expect((await key.post(`/conversations/${id}/revise`, revisionOf(3))).status).toBe(404);
  expect((await browser.look(id)).body.data).toEqual(snapshot);
});
