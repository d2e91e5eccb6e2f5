import { expect, test } from 'vitest';
import type { BotDefinition } from '../validation/definition.ts';
import type { ConversationState } from '../plan/conversation.ts';
import { compareCourses, replay } from './replay.ts';
import { type ScriptAnswer, simulate } from './simulate.ts';

const bot: BotDefinition = {
  schemaVersion: 1,
  key: 'coffee',
  name: 'Coffee',
  type: 'Survey',
  evaluation: { score: {}, why: {} },
  steps: [
    {
      id: 'score',
      kind: 'ask',
      text: 'How good?',
      input: { type: 'nps' },
      evaluation: 'score',
      next: [{ if: 'answers.score >= 9', goto: 'thanks' }, { else: 'why' }],
    },
    { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' }, evaluation: 'why', required: false },
    { id: 'sorry', kind: 'end', text: 'Sorry.' },
    { id: 'thanks', kind: 'end', text: 'Thanks!' },
  ],
};

/** The bot with these steps in place of its own, by id. */
function changed(...steps: BotDefinition['steps']): BotDefinition {
  const byId = new Map(steps.map((step) => [step.id, step]));
  return { ...bot, steps: bot.steps.map((step) => byId.get(step.id) ?? step) };
}

function finished(...answers: ScriptAnswer[]): ConversationState {
  const { ended, state } = simulate(bot, { answers });
  expect(ended).toBe(true);
  return state;
}

const diffOf = (state: ConversationState, after: BotDefinition) =>
  compareCourses(replay(bot, state), replay(after, state));

const [score, why] = bot.steps;
if (score?.kind !== 'ask' || why?.kind !== 'ask') throw new Error('the bot asks two questions');

test('a conversation takes the way that it has taken', () => {
  expect(replay(bot, finished({ value: 3 }, { value: 'cold' }))).toEqual({
    stepIds: ['score', 'why'],
    endStepId: 'sorry',
    evaluation: { score: '3', why: 'cold' },
    stopped: null,
    heard: [
      { stepId: 'score', text: 'How good?' },
      { stepId: 'why', text: 'Why?' },
      { stepId: null, text: 'Sorry.' },
    ],
  });
  expect(replay(bot, finished({ value: 3 }, { skip: true }))).toMatchObject({ evaluation: { score: '3' } });
  expect(replay(bot, finished({ value: 9 }))).toMatchObject({ stepIds: ['score'], endStepId: 'thanks' });
});

test('other words are another text for those who hear them, also in choices and at the end', () => {
  const cold = finished({ value: 3 }, { value: 'cold' });
  expect(diffOf(cold, bot)).toBeUndefined();
  expect(diffOf(cold, changed({ ...score, text: 'Rate our coffee' }))).toMatchObject({
    takesAnotherWay: false,
    evaluation: [],
    texts: [{ stepId: 'score', before: 'How good?', after: 'Rate our coffee' }],
  });
  const labelled = changed({ ...score, input: { type: 'nps', labels: { low: 'bad', high: 'good' } } });
  expect(diffOf(cold, labelled)?.texts).toEqual([
    { stepId: 'score', before: 'How good?', after: 'How good?\nbad\ngood' },
  ]);
  const sorry = changed({ id: 'sorry', kind: 'end', text: 'We are sorry.' });
  expect(diffOf(cold, sorry)?.texts).toEqual([{ stepId: null, before: 'Sorry.', after: 'We are sorry.' }]);
  expect(diffOf(finished({ value: 9 }), sorry)).toBeUndefined();
});

test('another condition sends some another way, to another end and another evaluation', () => {
  const strict = changed({
    ...score,
    next: [{ if: 'answers.score >= 10', goto: 'thanks' }, { else: 'why' }],
  });
  expect(diffOf(finished({ value: 10 }), strict)).toBeUndefined();
  // The new question is optional, so it is skipped.
  expect(diffOf(finished({ value: 9 }), strict)).toMatchObject({
    takesAnotherWay: true,
    endsDifferently: true,
    evaluation: [],
    before: { endStepId: 'thanks' },
    after: { stepIds: ['score', 'why'], endStepId: 'sorry', stopped: null },
  });
  const lenient = changed({
    ...score,
    next: [{ if: 'answers.score >= 3', goto: 'thanks' }, { else: 'why' }],
  });
  expect(diffOf(finished({ value: 3 }, { value: 'cold' }), lenient)).toMatchObject({
    endsDifferently: true,
    evaluation: [{ key: 'why', before: 'cold', after: null }],
  });
});

test('stops at a question that nobody has answered, and at an answer that is refused now', () => {
  const asksMore = changed({ id: 'thanks', kind: 'ask', text: 'Name?', input: { type: 'text' } });
  expect(diffOf(finished({ value: 9 }), asksMore)).toMatchObject({
    endsDifferently: false,
    after: { stopped: { stepId: 'thanks', reason: 'no-answer' } },
  });
  const wantsNumber = changed({ ...why, input: { type: 'number' } });
  expect(diffOf(finished({ value: 3 }, { value: 'cold' }), wantsNumber)).toMatchObject({
    takesAnotherWay: false,
    after: { stopped: { stepId: 'why', reason: 'refused' } },
  });
});

test('a definition that asks for ever ends', () => {
  const forEver = changed({ ...score, next: 'score' });
  expect(diffOf(finished({ value: 3 }, { skip: true }), forEver)?.after).toMatchObject({
    endStepId: null,
    stopped: null,
  });
});
