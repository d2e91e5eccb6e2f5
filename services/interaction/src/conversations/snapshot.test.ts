import type { BotDefinition } from '@parley/bot/definition';
import { answer, beginConversation } from '@parley/bot/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochSeconds } from '../interactions/turn-change.ts';
import { snapshotOf } from './snapshot.ts';

const definition: BotDefinition = {
  schemaVersion: 1,
  key: 'two-questions',
  name: 'Two questions',
  type: 'Test',
  evaluation: { score: {} },
  steps: [
    { id: 'hi', kind: 'say', text: 'Hi {{customer.firstName|there}}!' },
    { id: 'score', kind: 'ask', text: 'How many?', input: { type: 'nps' }, evaluation: 'score' },
    { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' }, required: false },
    { id: 'bye', kind: 'end' },
  ],
};
const now = new Date('2026-11-21T09:30:00.125Z');
const customer = { id: 'ada', firstName: 'Ada', lastName: 'L', email: 'ada@example.com' };
const turn = beginConversation(definition, { customer, context: {}, now: epochSeconds(now) });
const conversation = {
  status: 'InProgress' as const,
  seq: turn.entries.length,
  state: turn.state,
  transcript: turn.entries,
  expiresAt: null,
  availableFrom: null,
  botName: 'Two questions, renamed',
  isTest: false,
};
const unstarted = { ...conversation, status: 'Pending' as const, seq: 0, state: null, transcript: null };

describe('a snapshot', () => {
  it('contains the newer entries and the question, and nothing else of the conversation', () => {
    const snapshot = snapshotOf(conversation, definition, 1, now);
    expect(snapshot).toEqual({
      status: 'InProgress',
      seq: 2,
      entries: [{ seq: 2, type: 'bot', body: 'How many?', timestamp: expect.any(Number) }],
      inputJson: JSON.stringify({ stepId: 'score', type: 'nps', required: true, min: 0, max: 10 }),
      progress: 0,
      expiresAt: null,
      botName: 'Two questions, renamed',
    });
    expect(JSON.stringify(snapshotOf(conversation, definition, 0, now))).not.toMatch(
      /personal|ada@example|evaluation/,
    );
  });

  it('has no question before the start and after the end', () => {
    expect(snapshotOf(unstarted, null, 0, now)).toMatchObject({ seq: 0, entries: [], progress: 0 });
    for (const status of ['Pending', 'Completed', 'Expired'] as const) {
      expect(snapshotOf({ ...conversation, status }, definition, 0, now).inputJson).toBeUndefined();
    }
  });

  it('shows that the conversation waits for the model, only while it is in progress', () => {
    const state = { ...turn.state, stepId: null, awaiting: { stepId: 'why' } };
    expect(snapshotOf({ ...conversation, state }, definition, 0, now)).toMatchObject({
      awaiting: 'llm',
      inputJson: undefined,
      progress: 0,
    });
    for (const status of ['Pending', 'Completed', 'Expired'] as const) {
      expect(snapshotOf({ ...conversation, status, state }, definition, 0, now).awaiting).toBeUndefined();
    }
  });

  it('has the progress of the engine, and 1 after the completion', () => {
    const event = { stepId: 'score', answer: { value: 9 }, now: epochSeconds(now) };
    const next = answer(definition, turn.state, event);
    if ('rejected' in next) throw new Error(next.rejected.detail);
    expect(next.progress).toBeGreaterThan(0);
    expect(snapshotOf({ ...conversation, state: next.state }, definition, 0, now).progress).toBe(
      next.progress,
    );
    expect(snapshotOf({ ...conversation, status: 'Expired' }, definition, 0, now).progress).toBe(
      turn.progress,
    );
    expect(snapshotOf({ ...conversation, status: 'Completed' }, definition, 0, now).progress).toBe(1);
    expect(snapshotOf({ ...unstarted, status: 'Completed' }, definition, 0, now).progress).toBe(1);
  });

  it('returns each entry once to a reader of newer entries, from any position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 }), (after) => {
        const { entries } = snapshotOf(conversation, definition, after, now);
        expect(entries.map(({ seq }) => seq)).toEqual([1, 2].filter((seq) => seq > after));
      }),
    );
  });
});
