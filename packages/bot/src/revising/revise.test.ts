import { describe, expect, test } from 'vitest';
import { draft, valid } from '../../tests/definitions.ts';
import { type Answer, answer, type Entry, beginConversation, type Turn } from '../engine/engine.ts';
import { conversationBytesMax } from '../plan/conversation-size.ts';
import { runAtOnce } from '../bounds/slices.ts';
import { answerModel } from '../model/model-answer.ts';
import { modelQuestion } from '../model/model-question.ts';
import type { BotDefinition } from '../validation/definition.ts';
import { revise as reviseInSlices, transcriptAfter, withWaiting as withWaitingInSlices } from './revise.ts';

const revise = (...args: Parameters<typeof reviseInSlices>) => runAtOnce(reviseInSlices(...args));
const withWaiting = (...args: Parameters<typeof withWaitingInSlices>) =>
  runAtOnce(withWaitingInSlices(...args));

const customer = { id: 'c' };
const ask = (id: string, more: object = {}) => ({
  id,
  kind: 'ask',
  text: `${id}?`,
  input: { type: 'text' },
  ...more,
});
const yesNo = (id: string, more: object = {}) => ask(id, { input: { type: 'yesNo' }, ...more });
const revisable = (steps: object[], more: object = {}) => valid(draft(steps, { revise: true, ...more }));

/** Plays a conversation. A call of the model fails unless it is answered. */
function play(definition: BotDefinition) {
  const moment = { now: 1_767_225_600, hasModel: true };
  let turn: Turn = beginConversation(definition, { customer, context: {}, ...moment });
  let transcript: Entry[] = turn.entries;
  const take = (next: ReturnType<typeof revise>) => {
    if ('rejected' in next) return next.rejected;
    const told = { state: turn.state, transcript };
    turn = withWaiting(definition, told, next, moment);
    transcript = transcriptAfter(transcript, turn);
    return undefined;
  };
  return {
    say: (given: Answer) =>
      take(answer(definition, turn.state, { stepId: turn.state.stepId ?? '', answer: given, ...moment })),
    model: (said: object) =>
      take(answerModel(definition, turn.state, { outcome: { text: JSON.stringify(said) }, ...moment })),
    revise: (stepId: string, given: Answer) => {
      const next = revise(
        definition,
        { state: turn.state, transcript },
        { stepId, answer: given, ...moment },
      );
      if ('rejected' in next) return next.rejected;
      turn = next;
      transcript = transcriptAfter(transcript, next);
      return undefined;
    },
    get turn() {
      return turn;
    },
    get shown() {
      return transcript.map(({ body, withdrawn }) => (withdrawn ? `- ${body}` : body));
    },
    get sent() {
      return modelQuestion(definition, turn.state, transcript)
        ?.messages.map(({ content }) => content)
        .slice(1);
    },
  };
}

const chatting = revisable([
  ask('topic'),
  ask('name'),
  {
    id: 'chat',
    kind: 'llm',
    mode: 'chat',
    prompt: 'Talk about {{answers.topic}}.',
    saveAs: 'said',
    onError: { goto: 'last' },
  },
  ask('last'),
  { id: 'end', kind: 'end' },
]);

describe('a chat of a model', () => {
  test('that has ended stays if its prompt has the same values, and else begins again', () => {
    const talk = play(chatting);
    talk.say({ text: 'Tea' });
    talk.say({ text: 'Ada' });
    talk.model({ reply: 'What of tea?', done: false });
    talk.say({ text: 'It is hot' });
    talk.model({ reply: 'I see.', done: true });
    expect(talk.turn.state).toMatchObject({ stepId: 'last', answers: { said: 'It is hot' }, modelTurns: 2 });
    talk.revise('name', { text: 'Grace' });
    expect(talk.turn.state).toMatchObject({ stepId: 'last', answers: { said: 'It is hot' }, modelTurns: 2 });
    expect(talk.shown).toEqual([
      'topic?',
      'Tea',
      'name?',
      '- Ada',
      'What of tea?',
      'It is hot',
      'I see.',
      '- last?',
      'Grace',
      'last?',
    ]);
    talk.revise('topic', { text: 'Coffee' });
    expect(talk.turn.state).toMatchObject({ stepId: null, awaiting: { stepId: 'chat' }, modelTurns: 1 });
    expect(talk.turn.state.answers).toEqual({ topic: 'Coffee', name: 'Grace' });
    expect(talk.sent).toEqual(['{"data":{"answers.topic":"Coffee"}}']);
  });

  test('that has ended stays, too, if its prompt names what it writes itself', () => {
    const talk = play(
      revisable(
        [
          ask('name'),
          { id: 'memo', kind: 'set', evaluation: { other: "'before'" } },
          {
            id: 'chat',
            kind: 'llm',
            mode: 'chat',
            prompt: 'So far: {{evaluation.talk|nothing}}, {{answers.said|nothing}}, {{evaluation.other}}.',
            saveAs: 'said',
            evaluation: 'talk',
            onError: { goto: 'last' },
          },
          ask('last'),
          { id: 'end', kind: 'end' },
        ],
        { evaluation: { talk: {}, other: {} } },
      ),
    );
    const data = { 'evaluation.talk': 'nothing', 'answers.said': 'nothing', 'evaluation.other': 'before' };
    talk.say({ text: 'Ada' });
    talk.model({ reply: 'What of tea?', done: false });
    talk.say({ text: 'It is hot' });
    expect(talk.sent?.[0]).toBe(JSON.stringify({ data }));
    talk.model({ reply: 'I see.', done: true });
    talk.revise('name', { text: 'Grace' });
    expect(talk.turn.state).toMatchObject({ stepId: 'last', answers: { said: 'It is hot' }, modelTurns: 2 });
    expect(talk.turn.evaluation).toEqual({ other: 'before', talk: 'It is hot' });
  });

  test('that has not ended begins again, without what was said in it', () => {
    const talk = play(chatting);
    talk.say({ text: 'Tea' });
    talk.say({ text: 'Ada' });
    talk.model({ reply: 'What of tea?', done: false });
    talk.say({ text: 'It is hot' });
    talk.revise('name', { text: 'Grace' });
    expect(talk.sent).toEqual(['{"data":{"answers.topic":"Tea"}}']);
    talk.model({ reply: 'Tea again?', done: false });
    expect(talk.shown.slice(-4)).toEqual(['- What of tea?', '- It is hot', 'Grace', 'Tea again?']);
    talk.say({ text: 'Yes' });
    expect(talk.turn.state.answers).toMatchObject({ said: 'Yes' });
    expect(talk.revise('chat', { text: 'No' })).toMatchObject({ reason: 'not-answered' });
  });
});

test('a question that was left without an answer after its last retry stays so, with the attempts', () => {
  const definition = revisable([
    ask('name'),
    yesNo('sure', { retry: { text: 'Yes or no?', max: 1, goto: 'last' } }),
    ask('last'),
    { id: 'end', kind: 'end' },
  ]);
  const talk = play(definition);
  talk.say({ text: 'Ada' });
  talk.say({ text: 'perhaps' });
  talk.say({ text: 'who knows' });
  talk.revise('name', { text: 'Grace' });
  expect(talk.shown).toEqual([
    'name?',
    '- Ada',
    'sure?',
    'perhaps',
    'Yes or no?',
    'who knows',
    '- last?',
    'Grace',
    'last?',
  ]);
  expect(talk.revise('sure', { value: true })).toMatchObject({ reason: 'not-answered' });
});

test('of a question in a loop, the last answer is changed', () => {
  const definition = revisable([
    ask('item'),
    yesNo('more', { next: [{ if: 'answers.more', goto: 'item' }, { else: 'last' }] }),
    ask('last'),
    { id: 'end', kind: 'end' },
  ]);
  const talk = play(definition);
  for (const given of [{ text: 'Tea' }, { value: true }, { text: 'Milk' }, { value: false }]) talk.say(given);
  talk.revise('item', { text: 'Cream' });
  expect(talk.turn.state).toMatchObject({ stepId: 'last', answers: { item: 'Cream', more: false } });
  talk.revise('more', { value: true });
  expect(talk.turn.state).toMatchObject({ stepId: 'item', answers: { item: 'Cream', more: true } });
  expect(talk.turn.state.answeredCount).toBe(4);
});

test('a former answer waits behind a new question, and is dropped when the path does not come to it without that question', () => {
  const definition = revisable([
    yesNo('guest'),
    ask('email', { when: '!answers.guest' }),
    yesNo('go', { when: '!answers.guest', next: [{ if: 'answers.go', goto: 'size' }, { else: 'end' }] }),
    ask('size'),
    ask('last'),
    { id: 'end', kind: 'end' },
  ]);
  const talk = play(definition);
  talk.say({ value: true });
  talk.say({ text: 'Large' });
  talk.revise('guest', { value: false });
  expect(talk.turn.input?.stepId).toBe('email');
  expect(talk.turn.state.answers).toEqual({ guest: false });
  talk.say({ text: 'ada@example.org' });
  talk.say({ value: true });
  expect(talk.turn.input?.stepId).toBe('size');
});

test('an answer that leads to the end ends the conversation', () => {
  const definition = revisable([
    yesNo('goes', { next: [{ if: 'answers.goes', goto: 'why' }, { else: 'end' }] }),
    ask('why'),
    { id: 'end', kind: 'end', text: 'Bye.' },
  ]);
  const talk = play(definition);
  talk.say({ value: true });
  talk.revise('goes', { value: false });
  expect(talk.turn).toMatchObject({ ended: true, endStepId: 'end', input: null, progress: 1 });
  expect(talk.shown).toEqual(['goes?', '- Yes', '- why?', 'No', 'Bye.']);
});

test('a conversation without room for a change keeps its answers', () => {
  const definition = revisable([
    ask('long', { input: { type: 'longText' } }),
    ask('last'),
    { id: 'end', kind: 'end' },
  ]);
  const talk = play(definition);
  const text = 'ä'.repeat(3_900);
  talk.say({ text });
  let refused: ReturnType<typeof talk.revise>;
  for (let changes = 0; changes < 100 && !refused; changes += 1) {
    const before = talk.shown;
    refused = talk.revise('long', { text });
    if (refused) expect(talk.shown).toEqual(before);
  }
  expect(refused).toMatchObject({ reason: 'no-room' });
  expect(talk.turn.state.bytes).toBeLessThanOrEqual(conversationBytesMax);
  expect(talk.say({ text: 'Bye' })).toBeUndefined();
  expect(talk.turn.ended).toBe(true);
});

test('a conversation of which an earlier release has taken an answer is not revised', () => {
  const definition = revisable([ask('name'), ask('last'), ask('more'), { id: 'end', kind: 'end' }]);
  const begun = beginConversation(definition, { customer, context: {}, now: 1 });
  const turn = answer(definition, begun.state, { stepId: 'name', answer: { text: 'Ada' }, now: 2 });
  if ('rejected' in turn) throw new Error(turn.rejected.detail);
  const state = { ...turn.state, answeredCount: 2 };
  const event = { stepId: 'name', answer: { text: 'B' }, now: 3, hasModel: false };
  expect(revise(definition, { state, transcript: turn.entries }, event)).toHaveProperty('rejected');
});

test('states and entries of other bots have nothing of it', () => {
  const definition = valid(draft([ask('name'), ask('last'), { id: 'end', kind: 'end' }]));
  const begun = beginConversation(definition, { customer, context: {}, now: 1 });
  const turn = answer(definition, begun.state, { stepId: 'name', answer: { text: 'Ada' }, now: 2 });
  if ('rejected' in turn) throw new Error(turn.rejected.detail);
  expect(turn.state).not.toHaveProperty('path');
  expect(turn.entries.map((entry) => Object.keys(entry))).toEqual([
    ['seq', 'type', 'body', 'timestamp'],
    ['seq', 'type', 'body', 'timestamp'],
  ]);
  expect(
    revise(
      definition,
      { state: turn.state, transcript: turn.entries },
      { stepId: 'name', answer: { text: 'B' }, now: 3, hasModel: false },
    ),
  ).toHaveProperty('rejected');
});
