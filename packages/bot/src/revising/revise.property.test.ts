import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draft, samples, valid } from '../../tests/definitions.ts';
import { order } from '../../tests/order.ts';
import { sampleQuestions } from '../../tests/sample-questions.ts';
import { answerTo, customer, definitions, models, now, type Try } from '../../tests/random-conversations.ts';
import { type BotDefinition, validateDefinition } from '../validation/definition.ts';
import {
  type Answer,
  answer,
  type Entry,
  type ModelOutcome,
  beginConversation,
  type Turn,
} from '../engine/engine.ts';
import { promptData } from '../engine/path.ts';
import type { AskStep } from '../definition/format.ts';
import type { Input } from '../questions/types.ts';
import { runAtOnce } from '../bounds/slices.ts';
import { answerModel } from '../model/model-answer.ts';
import { planOf } from '../plan/plan.ts';
import {
  revise as reviseInSlices,
  revisableSteps,
  transcriptAfter,
  withWaiting as withWaitingInSlices,
} from './revise.ts';

const revise = (...args: Parameters<typeof reviseInSlices>) => runAtOnce(reviseInSlices(...args));
const withWaiting = (...args: Parameters<typeof withWaitingInSlices>) =>
  runAtOnce(withWaitingInSlices(...args));

/** A model whose results depend on nothing but the step and the values of its prompt. */
type Oracle = (definition: BotDefinition, turn: Turn) => ModelOutcome;

type Talk = { turn: Turn; transcript: Entry[] };

function oracleOf(model: readonly ModelOutcome[] | undefined): Oracle | undefined {
  if (model === undefined) return undefined;
  const known = new Map<string, ModelOutcome>();
  return (definition, { state }) => {
    const step = planOf(definition).llms.get(state.awaiting?.stepId ?? '');
    if (step === undefined) throw new Error('nothing is asked');
    const key = JSON.stringify([step.id, promptData(planOf(definition), state, step)]);
    const outcome = known.get(key) ?? model[known.size] ?? { failed: true };
    known.set(key, outcome);
    return outcome;
  };
}

const event = (oracle: Oracle | undefined) => ({ now, hasModel: oracle !== undefined });

function add({ transcript }: Talk, turn: Turn): Talk {
  return { turn, transcript: transcriptAfter(transcript, turn) };
}

/** Answers for the model until the conversation waits for the customer, or has ended. */
function settle(definition: BotDefinition, talk: Talk, oracle: Oracle | undefined): Talk {
  let next = talk;
  while (next.turn.state.awaiting !== undefined && oracle !== undefined) {
    const { state } = next.turn;
    const given = answerModel(definition, state, { outcome: oracle(definition, next.turn), now });
    const answered =
      'rejected' in given ? answerModel(definition, state, { outcome: { failed: true }, now }) : given;
    if ('rejected' in answered) throw new Error('a failure is never rejected');
    next = add(
      next,
      withWaiting(definition, { state, transcript: next.transcript }, answered, event(oracle)),
    );
  }
  return next;
}

function say(
  definition: BotDefinition,
  talk: Talk,
  { stepId, given }: { stepId: string; given: Answer },
  oracle: Oracle | undefined,
): Talk | undefined {
  const { state } = talk.turn;
  const turn = answer(definition, state, { stepId, answer: given, ...event(oracle) });
  if ('rejected' in turn) return undefined;
  const told = { state, transcript: talk.transcript };
  return settle(definition, add(talk, withWaiting(definition, told, turn, event(oracle))), oracle);
}

function begin(definition: BotDefinition, oracle: Oracle | undefined): Talk {
  const turn = beginConversation(definition, { customer, context: {}, ...event(oracle) });
  return settle(definition, { turn, transcript: turn.entries }, oracle);
}

/** All but the transcript: its numbers, its times, and attempts to answer the current question. */
function essenceOf({ turn }: Talk) {
  const {
    seq: _s,
    lastTimestamp: _l,
    bytes: _b,
    activeSeconds: _a,
    path: _p,
    retryCount: _r,
    chat,
    ...state
  } = turn.state;
  const { input, progress, evaluation, ended, endStepId } = turn;
  return { state: { ...state, turns: chat?.turns }, input, progress, evaluation, ended, endStepId };
}

/** The same answers, given at once: each question gets the first of its step that is left. */
function atOnce(definition: BotDefinition, talk: Talk, oracle: Oracle | undefined): Talk {
  const left = [...(talk.turn.state.path?.steps ?? [])];
  let next = begin(definition, oracle);
  for (;;) {
    const { stepId } = next.turn.state;
    const at = left.findIndex(({ id, abandoned, result }) => id === stepId && !abandoned && !result);
    const [step] = at < 0 ? [] : left.splice(at, 1);
    if (step === undefined) return next;
    const given: Answer = step.value === undefined ? { skip: true } : { value: step.value };
    const said = say(definition, next, { stepId: step.id, given }, oracle);
    if (said === undefined) throw new Error('an answer that was given once is valid');
    next = said;
  }
}

type Op = Try & { at: number; revises: boolean };

const ops = fc.array(
  fc.record({
    pick: fc.nat(11),
    word: fc.constantFrom('yes', '7', 'x'),
    at: fc.nat(30),
    revises: fc.boolean(),
  }),
  { maxLength: 24 },
);

/** Bots whose course depends on yes and no: by branches, conditions, texts and what a model makes of them. */
const branching = fc
  .array(
    fc.record({
      kind: fc.constantFrom('ask', 'ask', 'ask', 'say', 'set', 'branch', 'classify'),
      about: fc.nat(5),
      jump: fc.nat(3),
      required: fc.boolean(),
      when: fc.constantFrom(undefined, undefined, 'true', 'false'),
    }),
    { minLength: 3, maxLength: 9 },
  )
  .map((plans) => {
    const asks = plans.flatMap(({ kind }, index) => (kind === 'ask' || index === 0 ? [index] : []));
    const steps = plans.map(({ kind, about, jump, required, when }, index) => {
      const id = `s${index}`;
      const subject = `answers.s${asks[about % asks.length]}`;
      const forward = `s${Math.min(index + 1 + jump, plans.length)}`;
      const base = {
        id,
        kind,
        ...(when && index > 0 && { when: `(has(${subject}) && ${subject}) == ${when}` }),
      };
      if (kind === 'ask' || index === 0) {
        return {
          ...base,
          kind: 'ask',
          text: `${id}?`,
          input: { type: 'yesNo' },
          required,
          evaluation: `k${index}`,
        };
      }
      if (kind === 'say') return { ...base, text: `${id} {{${subject}|none}}` };
      if (kind === 'set') return { ...base, evaluation: { set: `has(${subject}) && ${subject}` } };
      const yes = { if: `has(${subject}) && ${subject}`, goto: forward };
      if (kind === 'branch') return { ...base, next: [yes, { else: `s${index + 1}` }] };
      const asked = {
        mode: 'classify',
        prompt: `{{${subject}|none}}`,
        labels: ['a', 'b'],
        saveAs: `m${index}`,
      };
      const next = [{ if: `answers.m${index} == 'a'`, goto: forward }, { else: `s${index + 1}` }];
      return { ...base, kind: 'llm', ...asked, onError: { goto: forward }, next };
    });
    const keys = Object.fromEntries([...plans.map((_, index) => [`k${index}`, {}]), ['set', {}]]);
    return draft([...steps, { id: `s${plans.length}`, kind: 'end' }], { evaluation: keys, revise: true });
  })
  // Steps that no way leads to are faults.
  .filter((bot) => 'definition' in validateDefinition(bot))
  .map(valid);

let revisions = 0;

/** What `answerTo` needs of a question. */
function questionOf({ id, input, required }: AskStep): Input {
  const other = 'other' in input && input.other ? { label: 'Other', maxLength: 60 } : undefined;
  return { stepId: id, type: input.type, required: required !== false, ...(other && { other }) };
}

/** Answers and revises in turn. Calls `check` after each accepted revision and answer. */
function interleave(
  definition: BotDefinition,
  script: readonly Op[],
  oracle: Oracle | undefined,
  check: (talk: Talk) => void,
): void {
  let talk = begin(definition, oracle);
  for (const { at, revises, ...one } of script) {
    const { state, input } = talk.turn;
    if (input === null || !state.path) return;
    const steps = [...revisableSteps(state).values()];
    const ask = definition.steps.find(({ id }) => id === steps[at % steps.length]?.id);
    if (!revises || ask?.kind !== 'ask') {
      talk = say(definition, talk, { stepId: input.stepId, given: answerTo(input, one) }, oracle) ?? talk;
      check(talk);
      continue;
    }
    const question = questionOf(ask);
    const told = { state, transcript: talk.transcript };
    const given = { stepId: ask.id, answer: answerTo(question, one), ...event(oracle) };
    const before = JSON.stringify(told);
    const turn = revise(definition, told, given);
    expect(JSON.stringify(told)).toBe(before);
    expect(revise(definition, JSON.parse(before) as typeof told, given)).toEqual(turn);
    if ('rejected' in turn) continue;
    expectSound(turn, told.transcript);
    revisions += 1;
    talk = settle(definition, add(talk, turn), oracle);
    check(talk);
  }
}

function expectSound(turn: Turn, before: readonly Entry[]): void {
  const known = new Map(before.map((entry) => [entry.seq, entry]));
  for (const seq of turn.withdrawn ?? []) expect(known.get(seq)?.withdrawn).toBeUndefined();
  turn.entries.forEach(({ seq }, at) => expect(seq).toBe(before.length + 1 + at));
  expect(turn.entries[0]?.type).toBe('customer');
  expect(turn.state.seq).toBe(before.length + turn.entries.length);
  expect([turn.ended, turn.input !== null, turn.state.awaiting !== undefined].filter(Boolean)).toHaveLength(
    1,
  );
}

test('a revised conversation is the one that had answered so at once, and goes on as it', () => {
  let compared = 0;
  fc.assert(
    fc.property(branching, ops, models, (definition, script, model) => {
      const oracle = oracleOf(model);
      interleave(definition, script, oracle, (talk) => {
        const other = atOnce(definition, talk, oracle);
        expect(essenceOf(talk)).toEqual(essenceOf(other));
        compared += 1;
        // Former answers behind the current question are neither on the path nor off it.
        if (talk.turn.state.path?.waiting) return;
        const told = (entries: Entry[]) =>
          entries.flatMap(({ type, body, withdrawn }) => (withdrawn ? [] : `${type}: ${body}`)).sort();
        expect(told(talk.transcript)).toEqual(told(other.transcript));
      });
    }),
    { numRuns: 400 },
  );
  expect(compared).toBeGreaterThan(300);
  expect(revisions).toBeGreaterThan(100);
});

test('so it is with questions of all types, retries and chats', () => {
  fc.assert(
    fc.property(
      fc
        .oneof(definitions, fc.constantFrom(...samples, order))
        .map((definition) => valid({ ...definition, revise: true })),
      ops,
      models,
      (definition, script, model) => {
        const oracle = oracleOf(model);
        interleave(definition, script, oracle, (talk) => {
          const { path, chat } = talk.turn.state;
          const isLikeAnother = (path?.steps ?? []).every(
            ({ abandoned, result }) => !abandoned && !result?.chat,
          );
          if (!isLikeAnother || chat) return;
          expect(essenceOf(talk)).toEqual(essenceOf(atOnce(definition, talk, oracle)));
        });
      },
    ),
    { numRuns: 120 },
  );
});

/** A bot that asks a question of each type, some of them only after certain answers. */
const everyType = valid(
  draft(
    [
      ...Object.entries(sampleQuestions).flatMap(([name, { text, input, values }]) => {
        const question = {
          id: name,
          kind: 'ask',
          text: { en: text[0], ar: text[1] },
          input,
          required: false,
          pii: name === 'email',
          evaluation: name,
        };
        const said = { id: `${name}-said`, kind: 'say', text: `{{answers.${name}|nothing}}` };
        // What follows depends on whether there is an answer, and which one.
        const detail = {
          id: `${name}-more`,
          kind: 'ask',
          text: `More about {{answers.${name}}}?`,
          when: `has(answers.${name})${values[0] === true ? ` && answers.${name}` : ''}`,
          input: { type: 'text' },
          required: false,
        };
        return [question, said, detail];
      }),
      { id: 'bye', kind: 'end', text: 'Bye' },
    ],
    {
      locale: 'en',
      revise: true,
      evaluation: Object.fromEntries(Object.keys(sampleQuestions).map((name) => [name, {}])),
    },
  ),
);

/** All ways to answer a sample question: each value, typed, in own words, not at all, and some that are no answer. */
function waysToAnswer(name: string): Answer[] {
  const { values, typed } = sampleQuestions[name as keyof typeof sampleQuestions];
  const given = values.length > 0 ? values : ['Slartibartfast', 'Ford'];
  return [
    ...given.map((value): Answer => ({ value })),
    ...[typed ?? 'Arthur', '\ud83da\0 what?', ''].map((text): Answer => ({ text })),
    { skip: true },
    ...[null, [], {}, -1, 'no such choice'].map((value): Answer => ({ value })),
  ];
}

function answerAll(definition: BotDefinition, from: Talk): Talk {
  let talk = from;
  for (let { input } = talk.turn; input !== null; { input } = talk.turn) {
    const { stepId } = input;
    const [first] = Object.hasOwn(sampleQuestions, stepId) ? waysToAnswer(stepId) : [];
    const said = say(definition, talk, { stepId, given: first ?? { text: `about ${stepId}` } }, undefined);
    if (said === undefined) throw new Error(`the answer to ${stepId} was rejected`);
    talk = said;
  }
  return talk;
}

test('a question of each type is revised in every way of answering, at every step', () => {
  const names = Object.keys(sampleQuestions);
  let accepted = 0;
  let talk = begin(everyType, undefined);
  const { input } = talk.turn;
  expect(input?.stepId).toBe(names[0]);
  for (const [at, name] of names.entries()) {
    const [first] = waysToAnswer(name);
    while (talk.turn.input && talk.turn.input.stepId !== name) {
      const { stepId } = talk.turn.input;
      talk = say(everyType, talk, { stepId, given: { text: `about ${stepId}` } }, undefined) ?? talk;
    }
    talk = say(everyType, talk, { stepId: name, given: first ?? { skip: true } }, undefined) ?? talk;
    // Each earlier question, from here.
    for (const earlier of names.slice(0, at + 1)) {
      for (const given of waysToAnswer(earlier)) {
        const told = { state: talk.turn.state, transcript: talk.transcript };
        const before = JSON.stringify(told);
        const turn = revise(everyType, told, { stepId: earlier, answer: given, ...event(undefined) });
        expect(JSON.stringify(told)).toBe(before);
        if ('rejected' in turn) continue;
        expectSound(turn, told.transcript);
        const revised = add(talk, turn);
        expect(essenceOf(revised), `${earlier} at ${name}`).toEqual(
          essenceOf(atOnce(everyType, revised, undefined)),
        );
        accepted += 1;
      }
    }
  }
  expect(accepted).toBeGreaterThan(names.length * names.length);
  expect(answerAll(everyType, talk).turn.ended).toBe(true);
});
