import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samples } from '../../tests/definitions.ts';
import { order } from '../../tests/order.ts';
import {
  answerTo,
  customer,
  definitions,
  details,
  models,
  now,
  tries,
  type Try,
} from '../../tests/random-conversations.ts';
import { redactedEntries, redactedEvaluation, redactedState, removerAtOnce } from '../../tests/redact.ts';
import type { BotDefinition } from '../validation/definition.ts';
import {
  answer,
  currentInput,
  type Entry,
  type ModelOutcome,
  beginConversation,
  type Turn,
} from './engine.ts';
import { answerModel } from '../model/model-answer.ts';
import { modelQuestion } from '../model/model-question.ts';

/** Plays the attempts and checks every turn against the promises of the engine. */
function play(
  definition: BotDefinition,
  script: Try[],
  model?: ModelOutcome[],
): { turn: Turn; entries: Entry[] } {
  const hasModel = model !== undefined;
  const left = [...(model ?? [])];
  const entries: Entry[] = [];
  /**
   * Continues until the conversation waits for the customer or ends, which it does whatever the model
   * answers.
   */
  const settle = (next: Turn): Turn => {
    entries.push(...next.entries);
    expectSound(definition, next, entries);
    if (next.state.awaiting === undefined) return next;
    expect(hasModel).toBe(true);
    expect(modelQuestion(definition, next.state, entries)?.messages.length).toBeGreaterThan(1);
    const outcome: ModelOutcome = left.shift() ?? { failed: true };
    const event = { outcome, now };
    const before = JSON.stringify(next);
    const answered = answerModel(definition, next.state, event);
    expect(JSON.stringify(next)).toBe(before);
    expect(answerModel(definition, JSON.parse(JSON.stringify(next.state)), event)).toEqual(answered);
    if ('rejected' in answered) return settle({ ...next, entries: [] });
    expect(answered.progress).toBeGreaterThanOrEqual(next.progress);
    return settle(answered);
  };
  let turn = settle(beginConversation(definition, { customer, context: {}, now, hasModel }));
  for (const one of script) {
    if (turn.input === null) break;
    const event = { stepId: turn.input.stepId, answer: answerTo(turn.input, one), now, hasModel };
    const before = JSON.stringify(turn);
    const outcome = answer(definition, turn.state, event);
    expect(JSON.stringify(turn)).toBe(before);
    expect(answer(definition, JSON.parse(JSON.stringify(turn.state)), event)).toEqual(outcome);
    if ('rejected' in outcome) continue;
    expect(outcome.entries[0]?.type).toBe('customer');
    expect(outcome.progress).toBeGreaterThanOrEqual(turn.progress);
    turn = settle(outcome);
  }
  return { turn, entries };
}

function expectSound(definition: BotDefinition, turn: Turn, entries: Entry[]): void {
  // It waits for the customer or the model, or it has ended: exactly one of these.
  const { awaiting, modelTurns = 0 } = turn.state;
  expect([turn.ended, turn.input !== null, awaiting !== undefined].filter(Boolean)).toHaveLength(1);
  expect(modelTurns).toBeLessThanOrEqual(20);
  expect(turn.input).toEqual(currentInput(definition, turn.state, now));
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(turn.state.seq).toBe(entries.length);
  entries.forEach(({ body, timestamp, personal }, index) => {
    expect(timestamp).toBeGreaterThan(entries[index - 1]?.timestamp ?? 0);
    expect(body.length).toBeLessThanOrEqual(4000);
    for (const [from, to] of personal ?? []) expect(body.slice(from, to)).toHaveLength(to - from);
  });
  for (const key of Object.keys(turn.evaluation)) expect(definition.evaluation).toHaveProperty(key);
  // In the form of jsonb. A typed backslash is written as two and begins no escape.
  const written = JSON.stringify([turn.state, entries, turn.evaluation]).replaceAll('\\\\', '');
  expect(written).not.toMatch(/\\ud[89a-f]|\\u0000/);
  expect(turn.progress).toBeGreaterThanOrEqual(0);
  expect(turn.progress).toBeLessThanOrEqual(1);
}

describe('for any answers, the conversation waits or ends, and keeps its promises', () => {
  test.each([...samples, order].map((definition) => ({ definition, key: definition.key })))(
    '$key',
    ({ definition }) => {
      fc.assert(
        fc.property(tries, models, (script, model) => void play(definition, script, model)),
        { numRuns: 60 },
      );
    },
  );

  test('small bots of any structure', () => {
    fc.assert(
      fc.property(
        definitions,
        tries,
        models,
        (definition, script, model) => void play(definition, script, model),
      ),
      { numRuns: 150 },
    );
  });
});

test('a redacted conversation contains no detail, and redacting is idempotent', () => {
  const redact = (definition: BotDefinition, { turn, entries }: ReturnType<typeof play>) => {
    const remove = removerAtOnce(definition, { state: turn.state, context: [] }, details);
    return {
      entries: redactedEntries(entries, remove),
      state: redactedState(definition, turn.state, remove),
      evaluation: redactedEvaluation(definition, turn.evaluation, remove),
    };
  };
  fc.assert(
    fc.property(
      fc.oneof(definitions, fc.constantFrom(...samples, order)),
      tries,
      models,
      (definition, script, model) => {
        const conversation = play(definition, script, model);
        const once = redact(definition, conversation);
        const kept = JSON.stringify(once).toLowerCase();
        // The whole word only: a customer may have typed more letters around it.
        for (const word of ['zaphod', 'beeblebrox']) {
          expect(kept).not.toMatch(
            new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_\\\\])${word}(?![\\p{L}\\p{N}\\p{M}_])`, 'u'),
          );
        }
        const twice = redact(definition, {
          turn: { ...conversation.turn, state: once.state, evaluation: once.evaluation },
          entries: once.entries,
        });
        expect(twice).toEqual(once);
      },
    ),
    { numRuns: 150 },
  );
});
