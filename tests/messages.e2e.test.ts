import { eventually } from '@parley/testing/eventually';
import { describe, expect, inject, test } from 'vitest';
import { createConversationWorkspace, messageTo } from './conversation.ts';

// Contract, section 7: the outcome of a customer's message.

const { baseUrl } = inject('local');

const { workspace, browser, create, read, begin } = await createConversationWorkspace(
  baseUrl,
  inject('operator'),
);

describe('a message', () => {
  test('that is repeated gets its answer again with one effect, also after the conversation has continued or ended', async () => {
    const { id, snapshot } = await begin();
    const first = messageTo(snapshot, { value: 10 });
    const taken = await browser.send(id, first);
    expect(taken.status).toBe(200);
    expect((await browser.send(id, first)).body.data).toEqual(taken.body.data);
    const last = messageTo(taken.body.data, { skip: true });
    const ended = await browser.send(id, last);
    expect(ended.body.data.status).toBe('Completed');
    for (const message of [first, last]) {
      const again = await browser.send(id, message);
      expect([again.status, again.body.success]).toEqual([200, true]);
    }
    expect((await browser.send(id, last)).body.data).toEqual(ended.body.data);
    const data = JSON.parse((await read(id)).data ?? '') as { transcript: { type: string }[] };
    expect(data.transcript.filter(({ type }) => type === 'customer')).toHaveLength(2);
  });

  test('with the id of another one is 409, during the conversation and after it', async () => {
    const { id, snapshot } = await begin();
    const message = messageTo(snapshot, { value: 10 });
    const taken = await browser.send(id, message);
    const other = { ...message, answer: { value: 3 } };
    expect((await browser.send(id, other)).status).toBe(409);
    const next = messageTo(taken.body.data, { text: 'x' }, message.clientMessageId);
    expect((await browser.send(id, next)).status).toBe(409);
    await browser.say(id, taken.body.data, { skip: true });
    expect((await browser.send(id, other)).status).toBe(409);
    const data = JSON.parse((await read(id)).data ?? '') as { evaluation: { nps_score: string } };
    expect(data.evaluation.nps_score).toBe('10');
  });

  test('of one conversation is independent of that of another', async () => {
    const [one, two] = [await begin(), await begin()];
    const message = messageTo(one.snapshot, { value: 10 }, 'the same id');
    expect((await browser.send(one.id, message)).status).toBe(200);
    expect((await browser.send(two.id, { ...message, answer: { value: 2 } })).status).toBe(200);
  });

  test('that answers an older state is 409 with the current snapshot in data, and changes nothing', async () => {
    const { id, snapshot } = await begin();
    const now = await browser.say(id, snapshot, { value: 4 });
    const stale = [
      messageTo(snapshot, { value: 8 }),
      { ...messageTo(now, { value: 8 }), expectedSeq: 0 },
      { ...messageTo(now, { value: 8 }), expectedSeq: now.seq + 1 },
      { ...messageTo(now, { value: 8 }), stepId: 'score' },
      { ...messageTo(now, { value: 8 }), stepId: 'no such step' },
    ];
    for (const message of stale) {
      const { status, body } = await browser.send(id, message);
      expect([status, body.code, body.success]).toEqual([409, 409, false]);
      expect(body.data).toEqual(now);
      expect(body.requestId).toBeTruthy();
    }
    expect((await browser.look(id)).body.data).toEqual(now);
  });

  test('from two tabs concurrently: one is accepted, the other one is stale', async () => {
    const { id, snapshot } = await begin();
    const answers = await Promise.all(
      [1, 9].map((value) => browser.send(id, messageTo(snapshot, { value }))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [loser] = answers.filter(({ status }) => status === 409);
    expect(loser?.body.data).toEqual((await browser.look(id)).body.data);
  });

  test('sent ten times concurrently is accepted once', async () => {
    const { id, snapshot } = await begin();
    const message = messageTo(snapshot, { value: 5 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.send(id, message)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
  });

  test.each<[string, unknown]>([
    ['a score that is too high', { value: 11 }],
    ['an invalid score', { value: 4.5 }],
    ['a score as text in value', { value: '9' }],
    ['null', { value: null }],
    ['a list', { value: [9] }],
    ['an object', { value: { a: 1 } }],
    ['true', { value: true }],
    ['a required question skipped', { skip: true }],
    ['blank text', { text: '   ' }],
    ['no text', { text: '' }],
  ])('with %s is 422 and writes nothing; its id can be used again', async (_name, answer) => {
    const { id, snapshot } = await begin();
    const before = await read(id);
    const message = messageTo(snapshot, answer);
    const { status, body } = await browser.send(id, message);
    expect([status, body.code, body.data]).toEqual([422, 422, null]);
    expect((await browser.look(id)).body.data).toEqual(snapshot);
    expect(await read(id)).toEqual(before);
    expect((await browser.send(id, { ...message, answer: { value: 7 } })).status).toBe(200);
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

  test('to an ended conversation is 410, also to an expired one', async () => {
    const closed = await begin();
    await workspace.api.patch(`/interactions/${closed.id}`, { status: 'Completed' });
    const expired = await begin();
    await workspace.api.patch(`/interactions/${expired.id}`, { status: 'Expired' });
    const timed = await begin();
    await workspace.api.patch(`/interactions/${timed.id}`, { expiry: 0.01 });
    for (const { id, snapshot } of [closed, expired, timed]) {
      await eventually(async () => {
        const { status, body } = await browser.send(id, messageTo(snapshot, { value: 12 }));
        expect([status, body.code, body.data]).toEqual([410, 410, null]);
      });
    }
    expect((await browser.look(closed.id)).body.data).toMatchObject({ status: 'Completed', input: null });
  });

  test('before the start is rejected and starts nothing', async () => {
    const { id } = await create();
    const { status } = await browser.send(id, {
      clientMessageId: 'early',
      expectedSeq: 0,
      stepId: 'score',
      answer: { value: 1 },
    });
    expect(status).toBe(409);
    expect((await read(id)).status).toBe('Pending');
  });

  test('in words is parsed if possible, and the question repeated otherwise', async () => {
    const { id, snapshot } = await begin();
    const puzzled = await browser.say(id, snapshot, { text: 'very likely' });
    expect(puzzled.input?.stepId).toBe('score');
    expect(puzzled.seq).toBe(snapshot.seq + 2);
    const understood = await browser.say(id, puzzled, { text: ' 9 ' });
    expect(understood.input?.stepId).toBe('why');
  });

  test('with markup, templates and emoji stays unchanged', async () => {
    const { id, snapshot } = await begin();
    const why = await browser.say(id, snapshot, { value: 10 });
    const text = `<b>{{customer.email}}</b> **x** "quoted" \\ 😀\nsecond line`;
    const ended = await browser.say(id, why, { text });
    expect(ended.entries.map(({ body }) => body)).toContain(text);
    const data = JSON.parse((await read(id)).data ?? '') as { evaluation: { reason: string } };
    expect(data.evaluation.reason).toBe(text);
  });
});
