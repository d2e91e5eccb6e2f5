import fc from 'fast-check';
import { expect, test } from 'vitest';
import { samples } from '../../tests/definitions.ts';
import { order } from '../../tests/order.ts';
import {
  answerTo,
  customer,
  definitions,
  models,
  tries,
  type Try,
} from '../../tests/random-conversations.ts';
import type { BotDefinition } from '../validation/definition.ts';
import { type Answer, answer, type ModelOutcome, beginConversation, type Turn } from '../engine/engine.ts';
import { answerModel } from '../model/model-answer.ts';
import { factsOf } from './facts.ts';
import { figureOfKind, questionsOf, type ValueKind } from './questions.ts';
import { waysFrom } from '../definition/outline.ts';
import type { ShownStep } from '../plan/conversation.ts';

const startedAt = 1_767_225_600;

/** What an observer of the turns sees: what `factsOf` must say. */
type Observed = { shown: Map<string, ShownStep['outcome']>; activeSeconds: number; lastAt: number };

/** Plays a conversation with pauses of random length, and observes it from outside. */
function observe(
  definition: BotDefinition,
  script: readonly (Try & { pause: number })[],
  model: readonly ModelOutcome[] | undefined,
): { turn: Turn; observed: Observed } {
  const left = [...(model ?? [])];
  const hasModel = model !== undefined;
  const observed: Observed = { shown: new Map(), activeSeconds: 0, lastAt: 0 };
  let now = startedAt;
  const see = (turn: Turn, answered?: { stepId: string; given: Answer }): Turn => {
    if (answered && turn.state.stepId !== answered.stepId) {
      const { stepId, given } = answered;
      // Free text that is no answer abandons a question after its last retry: then nothing is stored.
      const isAnswer = Object.hasOwn(turn.state.answers, stepId);
      const isChat = definition.steps.some((step) => step.id === stepId && step.kind === 'llm');
      if ('skip' in given) observed.shown.set(stepId, 'skipped');
      else if (isAnswer || isChat) observed.shown.set(stepId, 'answered');
    }
    for (const { timestamp } of turn.entries) {
      if (observed.lastAt > 0) observed.activeSeconds += Math.min(timestamp - observed.lastAt, 1_800);
      observed.lastAt = timestamp;
    }
    if (turn.input) {
      const { stepId } = turn.input;
      const outcome = observed.shown.get(stepId);
      observed.shown.delete(stepId);
      observed.shown.set(stepId, outcome);
    }
    if (!turn.state.awaiting) return turn;
    const next = answerModel(definition, turn.state, { outcome: left.shift() ?? { failed: true }, now });
    return 'rejected' in next ? see({ ...turn, entries: [] }) : see(next);
  };
  let turn = see(beginConversation(definition, { customer, context: {}, now, hasModel }));
  for (const one of script) {
    if (!turn.input) break;
    now += one.pause;
    const { stepId } = turn.input;
    const given = answerTo(turn.input, one);
    const outcome = answer(definition, turn.state, { stepId, answer: given, now, hasModel });
    if (!('rejected' in outcome)) turn = see(outcome, { stepId, given });
  }
  return { turn, observed };
}

const pausedTries = fc
  .tuple(tries, fc.infiniteStream(fc.nat(5_000)))
  .map(([script, pauses]) => script.map((one) => ({ ...one, pause: pauses.next().value ?? 0 })));

/** Returns the text of the evaluation that has the values: own words, which count as `other`, may be any. */
function writtenAs(kind: ValueKind, values: readonly string[]): RegExp {
  const places = values.map((value) => value.split('/'));
  const texts = {
    ranks: places.map(([, value]) => value).join(', '),
    rows: places.map((place) => place.join(': ')).join('; '),
  };
  const figure = figureOfKind(kind);
  const text = figure === 'ranks' || figure === 'rows' ? texts[figure] : values.join(',');
  return new RegExp(`^${text.replaceAll('.', '\\.').replace(/(^|,)other$/, '$1.+')}$`, 's');
}

test('the facts of any conversation are what its turns have shown', () => {
  fc.assert(
    fc.property(
      fc.oneof(definitions, fc.constantFrom(...samples, order)),
      pausedTries,
      models,
      (definition, script, model) => {
        const { turn, observed } = observe(definition, script, model);
        const { steps, lastStepId, evaluation } = factsOf(definition, turn.state, turn.evaluation);
        expect(steps.map(({ id, outcome }) => [id, outcome])).toEqual([...observed.shown]);
        expect(lastStepId).toBe([...observed.shown.keys()].at(-1) ?? null);
        expect(evaluation.map(({ key }) => key)).toEqual(Object.keys(turn.evaluation));
        expect(turn.state.activeSeconds).toBeCloseTo(observed.activeSeconds, 1);
        const { steps: questions, evaluation: keys } = questionsOf(definition);
        const ids = questions.map(({ id }) => id);
        for (const { id } of steps) expect(ids).toContain(id);
        for (const { key, kind, values } of evaluation) {
          const declared = keys.find((one) => one.key === key);
          expect(kind).toBe(declared?.kind);
          if (kind === 'text') expect(values).toEqual([]);
          else expect(turn.evaluation[key]).toMatch(writtenAs(kind, values));
          if (declared && declared.values.length > 0) {
            const isRanking = figureOfKind(kind) === 'ranks';
            for (const value of values) {
              expect(declared.values).toContain(isRanking ? value.replace(/^\d+\//, '') : value);
            }
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Whether a plain question is never repeated: all ways of its bot lead forward. */
function leadsForward({ steps }: BotDefinition): boolean {
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  return steps.every((step, from) =>
    waysFrom(step, steps[from + 1]?.id).every(({ to }) => (places.get(to) ?? 0) > from),
  );
}

test('the ways of any conversation are a walk of its bot, and those out of a plain question its answers', () => {
  let questions = 0;
  fc.assert(
    fc.property(
      fc.oneof(definitions, fc.constantFrom(...samples, order)),
      pausedTries,
      models,
      (definition, script, model) => {
        const { turn } = observe(definition, script, model);
        const { steps, ways } = factsOf(definition, turn.state, turn.evaluation);
        const [first] = definition.steps;
        const reached = new Set([first?.id]);
        for (const { from, to } of ways) {
          const at = definition.steps.findIndex(({ id }) => id === from);
          const step = definition.steps[at];
          const possible = step ? waysFrom(step, definition.steps[at + 1]?.id) : [];
          expect(possible.map((way) => way.to)).toContain(to);
          expect(reached).toContain(from);
          reached.add(to);
        }
        expect(new Set(ways.map(({ from, to }) => `${from}/${to}`)).size).toBe(ways.length);
        for (const { id } of steps) expect(reached).toContain(id);
        const { stepId, awaiting } = turn.state;
        if (stepId ?? awaiting?.stepId) expect(reached).toContain(stepId ?? awaiting?.stepId);
        if (turn.endStepId !== null) expect(reached).toContain(turn.endStepId);
        for (const step of definition.steps) {
          if (step.kind !== 'ask' || step.when !== undefined || step.retry !== undefined) continue;
          const out = ways.filter(({ from }) => from === step.id).length;
          const isAnswered = steps.some(({ id, outcome }) => id === step.id && outcome !== undefined);
          if (leadsForward(definition)) expect(out).toBe(isAnswered ? 1 : 0);
          else expect(out > 0).toBe(isAnswered);
          questions += 1;
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(questions).toBeGreaterThan(300);
});

test('a conversation from before states had steps has those that are answered, and the current one', () => {
  const [nps] = samples;
  if (!nps) throw new Error('there is no sample');
  const begun = beginConversation(nps, { customer, context: {}, now: startedAt });
  const stepId = begun.state.stepId ?? '';
  const turn = answer(nps, begun.state, { stepId, answer: { value: 9 }, now: startedAt });
  if ('rejected' in turn) throw new Error('the answer was rejected');
  const { steps: _steps, ...state } = turn.state;
  expect(factsOf(nps, state, turn.evaluation).steps).toEqual([
    { id: stepId, outcome: 'answered' },
    { id: state.stepId },
  ]);
});
