import type { Snapshot } from '@parley/client/public';
import { describe, expect, it } from 'vitest';
import type { TalkState } from './model.ts';
import { adopted } from './talk-state.ts';

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
});
const empty: TalkState = {
  stage: 'loading',
  botName: '',
  snapshot: undefined,
  outgoing: undefined,
  isOffline: false,
};
const taken = true;

describe('a snapshot that is adopted', () => {
  it('leaves each entry once and in order, however answers overlap and overtake each other', () => {
    const some = [snapshot(2), snapshot(3, 2), snapshot(3), snapshot(5, 2), snapshot(4, 0), snapshot(5)];
    for (const order of [some, some.toReversed()]) {
      const state = order.reduce((before, next) => ({ ...before, ...adopted(before, next, taken) }), empty);
      expect(state.snapshot?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('undoes nothing that is newer', () => {
    const state = { ...empty, snapshot: snapshot(3, 0, 'Completed') };
    expect(adopted(state, snapshot(2), taken)).toEqual({});
  });

  it('asks the customer before it goes on with a talk that has begun', () => {
    expect(adopted(empty, snapshot(2), false).stage).toBe('resumable');
    expect(adopted(empty, snapshot(2), taken).stage).toBe('talking');
    expect(adopted(empty, snapshot(0, 0, 'Pending'), taken).stage).toBe('ready');
  });

  it('takes a refused answer away once its question is not asked any more', () => {
    const refusedIn = (stepId: string): TalkState => {
      const outgoing = { stepId, answer: { text: 'x' }, words: 'x', state: 'refused' as const };
      return { ...empty, snapshot: snapshot(2), outgoing };
    };
    expect(adopted(refusedIn('a'), snapshot(3), taken)).not.toHaveProperty('outgoing');
    expect(adopted(refusedIn('b'), snapshot(3), taken)).toMatchObject({ outgoing: undefined });
  });
});
