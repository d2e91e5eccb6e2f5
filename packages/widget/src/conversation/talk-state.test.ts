import { ParleyError, type Snapshot } from '@parley/client/public';
import { describe, expect, it, test } from 'vitest';
import type { Outgoing, TalkState } from '../model.ts';
import { withSnapshot, questionOf, withRefusal, withResult, initialTalk } from './talk-state.ts';

const entry = (seq: number): Snapshot['entries'][number] => ({
  seq,
  type: 'bot',
  body: `${seq}`,
  timestamp: seq,
});
const snapshot = (seq: number, after = 0, status: Snapshot['status'] = 'InProgress'): Snapshot => ({
  status,
  seq,
  entries: Array.from({ length: seq - after }, (_, index) => entry(after + index + 1)),
  input: { stepId: 'a', type: 'text', required: true },
  awaiting: null,
  progress: 0,
  expiresAt: null,
  botName: 'Bo',
});
const outgoing = (state: Outgoing['state'], stepId = 'a'): Outgoing => ({
  stepId,
  answer: { text: 'x' },
  words: 'x',
  state,
});
const empty = initialTalk();
const taken = true;

describe('a snapshot', () => {
  it('adds each entry once and in order, although responses overlap and overtake each other', () => {
    const some = [snapshot(2), snapshot(3, 2), snapshot(3), snapshot(5, 2), snapshot(4, 0), snapshot(5)];
    for (const order of [some, some.toReversed()]) {
      const state = order.reduce(
        (before, next) => ({ ...before, ...withSnapshot(before, next, taken) }),
        empty,
      );
      expect(state.snapshot?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('replaces nothing newer', () => {
    const state = { ...empty, snapshot: snapshot(3, 0, 'Completed') };
    expect(withSnapshot(state, snapshot(2), taken)).toEqual({});
  });

  it('has the current name of the bot', () => {
    const called = { ...empty, botName: 'Before' };
    expect(withSnapshot(called, snapshot(1), taken).botName).toBe('Bo');
  });

  it('of a conversation that has begun waits for the customer to resume it', () => {
    expect(withSnapshot(empty, snapshot(2), false).stage).toBe('resumable');
    expect(withSnapshot(empty, snapshot(2), taken).stage).toBe('talking');
    expect(withSnapshot(empty, snapshot(0, 0, 'Pending'), taken).stage).toBe('ready');
  });

  it('removes a rejected answer when its question is no longer current', () => {
    const refusedIn = (stepId: string): TalkState => ({
      ...empty,
      snapshot: snapshot(2),
      outgoing: outgoing('refused', stepId),
    });
    expect(withSnapshot(refusedIn('a'), snapshot(3), taken)).not.toHaveProperty('outgoing');
    expect(withSnapshot(refusedIn('b'), snapshot(3), taken)).toMatchObject({ outgoing: undefined });
  });
});

describe('the result of an answer', () => {
  const sending: TalkState = {
    ...empty,
    stage: 'talking',
    snapshot: snapshot(2),
    outgoing: outgoing('sending'),
    isOffline: true,
  };

  it('removes the pending answer together with the new snapshot', () => {
    const change = withResult(sending, { snapshot: snapshot(4), outgoing: undefined }, taken);
    expect(change).toMatchObject({ snapshot: { seq: 4 }, outgoing: undefined, isOffline: false });
  });

  it('returns a rejected answer to the customer, also with a newer snapshot', () => {
    const ahead = { ...sending, snapshot: snapshot(5) };
    const change = withResult(ahead, { snapshot: snapshot(4), outgoing: outgoing('refused') }, taken);
    expect(change).toEqual({ outgoing: outgoing('refused'), isOffline: false });
    expect(withResult(sending, { outgoing: outgoing('refused') }, taken)).toEqual(change);
  });
});

const serverFault = { reference: 'r-1' };

test.each([
  [410, 'expired', undefined],
  [404, 'unavailable', undefined],
  [400, 'unavailable', serverFault],
  [undefined, 'unavailable', undefined],
])(
  'a call that is rejected for good, with %s, leaves the conversation %s and online',
  (status, stage, fault) => {
    const error = new ParleyError({ status, type: 'any', detail: '', requestId: 'r-1' });
    expect(withRefusal(error)).toEqual({ stage, isOffline: false, serverFault: fault });
  },
);

test('an answer that the server cannot accept comes with the reference of the call', () => {
  const fault = new ParleyError({ status: 403, type: 'any', detail: '', requestId: 'r-1' });
  expect(withResult(empty, { outgoing: outgoing('refused'), fault }, taken)).toMatchObject({ serverFault });
});

test('a question accepts an answer while the conversation is in progress and no other answer is pending', () => {
  const asked: TalkState = { ...empty, stage: 'talking', snapshot: snapshot(2) };
  const question = { seq: 2, stepId: 'a' };
  expect(questionOf(asked)).toEqual(question);
  expect(questionOf({ ...asked, outgoing: outgoing('refused') })).toEqual(question);
  const silent = { ...snapshot(2), input: null };
  for (const change of [
    { outgoing: outgoing('sending') },
    { outgoing: outgoing('waiting') },
    { stage: 'resumable' },
    { stage: 'unavailable' },
    { snapshot: silent },
    { snapshot: undefined },
  ] satisfies Partial<TalkState>[]) {
    expect(questionOf({ ...asked, ...change })).toBeUndefined();
  }
});
