import { expect, test } from 'vitest';
import { answerAt, beginRun, shownOf } from './conversation.ts';
import type { PageAnswer, PageCall, Run } from './messages.ts';

const run: Run = {
  id: 'r',
  definition: {
    schemaVersion: 1,
    key: 'k',
    name: 'N',
    type: 'T',
    steps: [
      { id: 'score', kind: 'ask', text: 'How much?', input: { type: 'nps' } },
      { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' } },
      { id: 'bye', kind: 'end', text: 'Bye' },
    ],
  },
  context: {},
  advances: [],
};
const { signal } = new AbortController();
const conversationOf = async (given: Run) => {
  const conversation = await beginRun(given, signal);
  if (!conversation) throw new Error('the definition has faults');
  return conversation;
};

/** Calls as the page does. Returns the port, at which the answer arrives. */
function call(conversation: Awaited<ReturnType<typeof conversationOf>>, path: string, body?: object) {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<PageAnswer>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data as PageAnswer), { once: true });
  });
  port1.start();
  const url = `http://localhost/public/v1/${path}`;
  const request: PageCall = { method: body ? 'POST' : 'GET', url, authorization: 'Bearer r', body };
  return { port: port1, answer, ended: answerAt(port2, conversation, request, signal) };
}
const own = 'workspaces/preview/conversations/r';

test('a run repeats the inputs of the one before, from the step at which it begins', async () => {
  const advances = [{ stepId: 'score', answer: { value: 9 } }];
  expect(shownOf(await conversationOf({ ...run, advances }))).toMatchObject({
    status: 'InProgress',
    stepId: 'why',
    answers: [{ name: 'score', value: '9' }],
    advances,
  });
  const later = await conversationOf({ ...run, beginsAt: 'why' });
  later.start();
  expect(shownOf(later)).toMatchObject({ stepId: 'why', answers: [] });
});

test('a definition with faults begins no conversation, and neither does a run that was ended', async () => {
  expect(await beginRun({ ...run, definition: {} }, signal)).toBeUndefined();
  expect(await beginRun(run, AbortSignal.abort())).toBeUndefined();
});

test('a call of the page is answered at its port', async () => {
  const conversation = await conversationOf(run);
  const { answer } = call(conversation, `${own}/start`, {});
  expect(await answer).toMatchObject({ status: 200, envelope: { data: { seq: 1 } } });
  expect(await call(conversation, 'elsewhere').answer).toMatchObject({ status: 404 });
});

test('a call that waits ends when its page cancels it', async () => {
  const conversation = await conversationOf(run);
  conversation.start();
  const { port, ended } = call(conversation, `${own}?after=9&wait=25`);
  port.postMessage(null);
  await ended;
});
