import { describe, expect, inject, test } from 'vitest';
import { createConversationWorkspace, messageTo } from './conversation.ts';

// Contract, section 7: the status of each outcome of a customer's message. Tests of the interaction service cover the
// outcomes.

const { baseUrl } = inject('local');

const { workspace, browser, create, begin } = await createConversationWorkspace(baseUrl, inject('operator'));

describe('a message', () => {
  test('that is repeated gets its answer again; another one with its id is 409', async () => {
    const { id, snapshot } = await begin();
    const message = messageTo(snapshot, { value: 10 });
    const taken = await browser.send(id, message);
    expect(taken.status).toBe(200);
    const again = await browser.send(id, message);
    expect([again.status, again.body]).toEqual([200, taken.body]);
    const { status, body } = await browser.send(id, { ...message, answer: { value: 3 } });
    expect([status, body.type, body.data]).toEqual([409, 'client-message-id-reused', null]);
  });

  test('that answers an older state is 409 with the current snapshot in data', async () => {
    const { id, snapshot } = await begin();
    const now = await browser.say(id, snapshot, { value: 4 });
    const { status, body } = await browser.send(id, messageTo(snapshot, { value: 8 }));
    expect([status, body.code, body.success]).toEqual([409, 409, false]);
    expect(body.data).toEqual(now);
    expect(body.requestId).toBeTruthy();
  });

  test('with an answer that does not fit is 422', async () => {
    const { id, snapshot } = await begin();
    const { status, body } = await browser.send(id, messageTo(snapshot, { value: 11 }));
    expect([status, body.code, body.data]).toEqual([422, 422, null]);
    expect((await browser.look(id)).body.data).toEqual(snapshot);
  });

  test.each<[string, (good: object) => unknown, string[]]>([
    ['nothing', () => undefined, ['']],
    ['an empty object', () => ({}), ['/answer', '/clientMessageId', '/expectedSeq', '/stepId']],
    ['no answer', (good) => ({ ...good, answer: {} }), ['/answer']],
    ['two answers', (good) => ({ ...good, answer: { value: 1, text: '1' } }), ['/answer']],
    ['skip: false', (good) => ({ ...good, answer: { skip: false } }), ['/answer/skip']],
    ['text that is a number', (good) => ({ ...good, answer: { text: 5 } }), ['/answer/text']],
    ['text with NUL', (good) => ({ ...good, answer: { text: 'a\0' } }), ['/answer/text']],
    ['a value with NUL', (good) => ({ ...good, answer: { value: ['a\0'] } }), ['/answer/value']],
    ['half of an emoji', (good) => ({ ...good, answer: { text: 'a\ud83d' } }), ['/answer/text']],
    [
      'an unknown kind of answer',
      (good) => ({ ...good, answer: { values: [] } }),
      ['/answer', '/answer/values'],
    ],
    ['an empty id', (good) => ({ ...good, clientMessageId: '' }), ['/clientMessageId']],
    ['an id that is a number', (good) => ({ ...good, clientMessageId: 1 }), ['/clientMessageId']],
    ['a negative sequence number', (good) => ({ ...good, expectedSeq: -1 }), ['/expectedSeq']],
    ['a sequence number that is a text', (good) => ({ ...good, expectedSeq: '2' }), ['/expectedSeq']],
    ['an unknown field', (good) => ({ ...good, locale: 'en' }), ['/locale']],
  ])('with %s is 400', async (_name, change, pointers) => {
    const { id, snapshot } = await begin();
    const { status, body } = await browser.send(id, change(messageTo(snapshot, { value: 1 })));
    expect([status, body.code, body.data]).toEqual([400, 400, null]);
    expect([...new Set(body.errors?.map(({ pointer }) => pointer))].toSorted()).toEqual(pointers);
    expect((await browser.look(id)).body.data).toEqual(snapshot);
  });

  test('to an ended conversation is 410', async () => {
    const { id, snapshot } = await begin();
    await workspace.api.patch(`/interactions/${id}`, { status: 'Completed' });
    const { status, body } = await browser.send(id, messageTo(snapshot, { value: 12 }));
    expect([status, body.code, body.data]).toEqual([410, 410, null]);
  });

  test('before the start is 409', async () => {
    const { id } = await create();
    const early = { clientMessageId: 'early', expectedSeq: 0, stepId: 'score', answer: { value: 1 } };
    const { status, body } = await browser.send(id, early);
    expect([status, body.type, body.data]).toEqual([409, 'not-started', null]);
  });
});
