import type { BotDefinition } from '@parley/bot/definition';
import { beginConversation } from '@parley/bot/engine';
import type { PostMessageRequest } from '@parley/contracts/interaction/v1/conversation';
import { AppError } from '@parley/runtime/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '@parley/bot/slices';
import { fingerprintOf, judge as judgeInSlices } from './answering.ts';

const judge = (...args: Parameters<typeof judgeInSlices>) => runAtOnce(judgeInSlices(...args));

type Message = Pick<PostMessageRequest, 'expectedSeq' | 'stepId' | 'answer'>;

const definition: BotDefinition = {
  schemaVersion: 1,
  key: 'two-questions',
  name: 'Two questions',
  type: 'Test',
  evaluation: { score: {}, why: { pii: true } },
  steps: [
    { id: 'hi', kind: 'say', text: 'Hi {{customer.firstName|there}}!' },
    { id: 'score', kind: 'ask', text: 'How many?', input: { type: 'nps' }, evaluation: 'score' },
    { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' }, required: false, evaluation: 'why' },
    { id: 'bye', kind: 'end', text: 'Bye.' },
  ],
};
const now = new Date('2026-11-21T09:30:00.125Z');
const customer = { id: 'ada', firstName: 'Ada', lastName: 'L', email: 'ada@example.com' };
const turn = beginConversation(definition, { customer, context: {}, now: now.getTime() / 1_000 });
const conversation = {
  status: 'InProgress' as const,
  seq: turn.entries.length,
  state: turn.state,
  transcript: turn.entries,
};
const text = (value: string): Message['answer'] => ({ $case: 'text', value });
const value = (value: unknown): Message['answer'] => ({ $case: 'valueJson', value: JSON.stringify(value) });
const skip: Message['answer'] = { $case: 'skip', value: true };
const message = (answer: Message['answer'], seq = conversation.seq, stepId = 'score'): Message => ({
  expectedSeq: seq,
  stepId,
  answer,
});

function errorOf(verdict: ReturnType<typeof judge>): unknown {
  return 'error' in verdict ? { code: verdict.error.code, type: verdict.error.type } : verdict;
}

describe('a message', () => {
  it('that answers the question continues the conversation', () => {
    for (const answer of [value(9), text(' 9 ')]) {
      const verdict = judge(conversation, definition, message(answer), now, false);
      expect(verdict).toMatchObject({
        change: { seq: 4, evaluation: { score: '9' }, state: { stepId: 'why' } },
      });
      expect(verdict).not.toHaveProperty('change.status');
      expect(verdict).toHaveProperty('change.transcript', expect.arrayContaining(turn.entries));
    }
  });

  it('that answers the last question completes the conversation', () => {
    const first = judge(conversation, definition, message(value(9)), now, false);
    if (!('change' in first)) throw new Error('the first answer was rejected');
    const later = { ...conversation, ...first.change };
    const verdict = judge(later, definition, message(skip, 4, 'why'), now, false);
    expect(verdict).toMatchObject({ change: { status: 'Completed', seq: 6, evaluation: { score: '9' } } });
  });

  it('that answers an older state of the conversation is stale', () => {
    for (const stale of [
      message(value(9), 1),
      message(value(9), 3),
      message(value(9), conversation.seq, 'why'),
      message(value(9), 0, ''),
    ]) {
      expect(judge(conversation, definition, stale, now, false)).toEqual({ stale: true });
    }
  });

  it('that arrives while the conversation waits for the model is stale', () => {
    const state = { ...turn.state, stepId: null, awaiting: { stepId: 'score' } };
    for (const stepId of ['score', 'why', '']) {
      const verdict = judge(
        { ...conversation, state },
        definition,
        message(value(9), conversation.seq, stepId),
        now,
        false,
      );
      expect(verdict).toEqual({ stale: true });
    }
  });

  it('that does not fit the question is rejected', () => {
    for (const answer of [value(11), value('9'), value(null), text('many'), skip]) {
      expect(errorOf(judge(conversation, definition, message(answer), now, false))).toEqual({
        code: 'unprocessable',
        type: 'unanswerable-answer',
      });
    }
  });

  it('without an answer is a fault of the request', () => {
    const answers: Message['answer'][] = [
      null,
      { $case: 'skip', value: false },
      { $case: 'valueJson', value: '{' },
    ];
    for (const answer of answers) {
      expect(() => judge(conversation, definition, message(answer), now, false)).toThrow(AppError);
    }
  });

  it('to a conversation that has ended is gone, and to one that has not begun not started', () => {
    for (const status of ['Completed', 'Expired'] as const) {
      const verdict = judge({ ...conversation, status }, definition, message(value(9)), now, false);
      expect(errorOf(verdict)).toEqual({ code: 'gone', type: 'conversation-ended' });
    }
    const unstarted = { status: 'Pending' as const, seq: 0, state: null, transcript: null };
    const notStarted = { code: 'failed_precondition', type: 'not-started' };
    expect(errorOf(judge(unstarted, null, message(value(9), 0), now, false))).toEqual(notStarted);
    expect(
      errorOf(judge({ ...conversation, status: 'Pending' }, definition, message(value(9)), now, false)),
    ).toEqual(notStarted);
  });
});

describe('the fingerprint of a message', () => {
  const answer = fc.oneof(fc.string().map(text), fc.jsonValue().map(value), fc.constant(skip));
  const anyMessage = fc.record({ expectedSeq: fc.nat(), stepId: fc.string(), answer });

  it('is the same only for the same message', () => {
    fc.assert(
      fc.property(anyMessage, anyMessage, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(fingerprintOf(one).equals(fingerprintOf(other))).toBe(same);
        expect(fingerprintOf({ ...one }).equals(fingerprintOf(one))).toBe(true);
      }),
    );
  });

  it('differs in each of its parts', () => {
    const one = message(text('9'), 2, 'score');
    const others = [
      message(text('9'), 3, 'score'),
      message(text('9'), 2, 'why'),
      message(value('9'), 2),
      message(text('8'), 2),
    ];
    for (const other of others) expect(fingerprintOf(other).equals(fingerprintOf(one))).toBe(false);
  });
});
