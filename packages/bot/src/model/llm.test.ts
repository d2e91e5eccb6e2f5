import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { draft, samples, valid } from '../../tests/definitions.ts';
import { order } from '../../tests/order.ts';
import type { BotDefinition } from '../validation/definition.ts';
import { answer, currentInput, beginConversation, type Turn } from '../engine/engine.ts';
import { answerModel } from './model-answer.ts';
import { planOf } from '../plan/plan.ts';
import { replay } from '../replay/replay.ts';
import { simulate } from '../replay/simulate.ts';
import { sampleQuestions } from '../../tests/sample-questions.ts';

const customer = { id: 'c-1', firstName: 'Mia', lastName: 'Lindqvist', email: 'mia@example.com' };
const now = 1_767_225_600;
const want = { text: 'Two large cakes, please' };

function play(model: unknown[] | undefined, answers = [want], definition: BotDefinition = order) {
  const conversation = simulate(definition, { customer, answers, ...(model && { model }) });
  return { ...conversation, said: conversation.transcript.map(({ body }) => body) };
}

/** The conversation when it waits for the model for the first time. */
function waiting(definition: BotDefinition = order): Turn {
  const begun = beginConversation(definition, { customer, context: {}, now, hasModel: true });
  if (begun.state.awaiting) return begun;
  const event = { stepId: begun.state.stepId ?? '', answer: want, now, hasModel: true };
  const turn = answer(definition, begun.state, event);
  if ('rejected' in turn) throw new Error(turn.rejected.detail);
  return turn;
}

function refusal(turn: Turn, text: string, definition: BotDefinition = order): string | undefined {
  const before = JSON.stringify(turn.state);
  const outcome = answerModel(definition, turn.state, { outcome: { text }, now });
  expect(JSON.stringify(turn.state)).toBe(before);
  return 'rejected' in outcome ? outcome.rejected.reason : undefined;
}

test('a conversation that waits for the model has no question and rejects answers', () => {
  const turn = waiting();
  expect(turn).toMatchObject({ input: null, ended: false, state: { stepId: null, modelTurns: 1 } });
  expect(turn.state.awaiting).toEqual({ stepId: 'sort' });
  expect(currentInput(order, turn.state)).toBeNull();
  const early = answer(order, turn.state, { stepId: 'want', answer: want, now, hasModel: true });
  expect(early).toMatchObject({ rejected: { reason: 'awaiting' } });
  expect(() =>
    answerModel(order, beginConversation(order, { customer, context: {}, now }).state, {
      outcome: { failed: true },
      now,
    }),
  ).toThrow('does not wait');
});

test('the model selects a choice by its value, even if another choice has that label', () => {
  const choices = [
    { value: 'no', label: 'Not sure' },
    { value: 'never', label: 'No' },
  ];
  const find = { mode: 'extract', saveAs: 'found', fields: { sure: { input: { type: 'choice', choices } } } };
  const definition = valid(
    draft([
      { id: 'want', kind: 'ask', text: '?', input: { type: 'text' } },
      { id: 'find', kind: 'llm', prompt: '{{answers.want}}', onError: { goto: 'end' }, ...find },
      { id: 'end', kind: 'end' },
    ]),
  );
  const answers = [{ sure: 'no' }, { sure: 'Not sure' }, { sure: 'never' }].map(
    (model) => play([model], [want], definition).state.answers['found.sure'],
  );
  expect(answers).toEqual(['no', 'no', 'never']);
});

const found = Object.entries(sampleQuestions).flatMap(([name, { input, values, typed }]) =>
  [...values, ...(typed === null ? [] : [typed])].map((value) => ({ name, input, value })),
);

test.each(found)('the model finds $value for $name, and a replay finds it again', ({ input, value }) => {
  const fields = { it: { input } };
  const find = {
    mode: 'extract',
    saveAs: 'found',
    fields,
    evaluation: { it: 'it' },
    prompt: 'Find it: {{context.said}}',
  };
  const definition = valid(
    draft(
      [
        { id: 'find', kind: 'llm', ...find, onError: { goto: 'bye' } },
        { id: 'bye', kind: 'end', text: '{{answers.found.it}}' },
      ],
      { evaluation: { it: {} }, context: [{ name: 'said', default: 'x' }] },
    ),
  );
  const { state, evaluation, ended } = simulate(definition, {
    customer,
    answers: [],
    model: [{ it: value }],
  });
  expect(ended).toBe(true);
  expect(state.answers).toHaveProperty(['found.it']);
  expect(replay(definition, state).evaluation).toEqual(evaluation);
  // Also without the answer, by the text of the evaluation.
  expect(replay(definition, { ...state, answers: {} }).evaluation).toEqual(evaluation);
});

test('an extraction without any of its keys is no answer, and one with null is', () => {
  const fields = { count: { input: { type: 'number' } }, size: { input: { type: 'text' } } };
  const find = { mode: 'extract', saveAs: 'found', fields };
  const definition = valid(
    draft([
      { id: 'want', kind: 'ask', text: '?', input: { type: 'text' } },
      { id: 'find', kind: 'llm', prompt: '{{answers.want}}', ...find, onError: { goto: 'end' } },
      { id: 'end', kind: 'end' },
    ]),
  );
  const turn = waiting(definition);
  for (const text of ['{"answer": {"count": 2}}', '{}', '{"Count": 2, "Size": "small"}', '{"result": []}']) {
    expect([text, refusal(turn, text, definition)]).toEqual([text, 'wrong-form']);
  }
  for (const text of ['{"count": null}', '{"size": "", "more": 1}']) {
    expect([text, refusal(turn, text, definition)]).toEqual([text, undefined]);
  }
});

test('a question without words adds an entry, after the model too', () => {
  const definition = structuredClone(order);
  const step = definition.steps.find(({ kind }) => kind === 'llm');
  if (step?.kind !== 'llm') throw new Error('no llm step');
  const blank = { id: 'blank', kind: 'ask', text: '{{context.note}}', input: { type: 'text' } } as const;
  definition.context = [...(definition.context ?? []), { name: 'note' }];
  definition.steps.splice(definition.steps.indexOf(step), 1, { ...step, onError: { goto: 'blank' } }, blank);
  const turn = waiting(valid(definition));
  const after = answerModel(definition, turn.state, { outcome: { failed: true }, now });
  expect(after).toMatchObject({ input: { stepId: 'blank' }, entries: [{ type: 'bot', body: '…' }] });
});

test('without a model every llm step leads to its onError in the same turn', () => {
  const conversation = play(undefined);
  expect(conversation.said).toEqual([
    'What would you like?',
    want.text,
    'Not sorted.',
    'Nobody to talk to.',
    'Bye.',
  ]);
  expect(conversation).toMatchObject({ ended: true, evaluation: { want: want.text } });
  expect(Object.keys(conversation.evaluation)).toEqual(['want']);
});

test('the model’s answer is stored, and texts and branches can use it', () => {
  const model = [
    { label: 'food' },
    { count: 2, size: 'l', day: null },
    { summary: 'Two cakes.' },
    { reply: 'When do you need them?', done: false },
    { reply: 'Fine.', done: true },
  ];
  const conversation = play(model, [want, { text: 'On Monday' }]);
  expect(conversation.said).toEqual([
    'What would you like?',
    want.text,
    '2 of Large.',
    'In short: Two cakes.',
    'When do you need them?',
    'On Monday',
    'Fine.',
    'Bye.',
  ]);
  expect(conversation).toMatchObject({
    ended: true,
    evaluation: { want: want.text, topic: 'food', how_many: '2', said: 'On Monday' },
  });
  expect(conversation.state.answers).toMatchObject({ 'order.count': 2, 'order.size': 'l' });
});

test('a field that was not found has no value', () => {
  const conversation = play([{ label: 'food' }, { count: null, size: null, day: null }]);
  expect(conversation.said).toContain('Not taken apart.');
  expect(conversation.evaluation).not.toHaveProperty('how_many');
});

describe('an answer in another form than the step requires is rejected, and leads to onError', () => {
  const at = (model: unknown[]): Turn => {
    let turn = waiting();
    for (const said of model) {
      const next = answerModel(order, turn.state, { outcome: { text: JSON.stringify(said) }, now });
      if ('rejected' in next) throw new Error(next.rejected.detail);
      turn = next;
    }
    return turn;
  };
  const food = [{ label: 'food' }];
  const sum = [{ label: 'other' }];
  const chat = [...sum, { summary: 'x' }];
  test.each<[before: unknown[], text: string, reason: string]>([
    [[], 'It is food', 'not-json'],
    [[], '<think>{"label":"food"}', 'not-json'],
    [[], '<think>{"label":"food"}</think> I cannot say', 'not-json'],
    [[], '{"topic":"food"} is the topic', 'not-json'],
    [[], '{"label":"food", "label"}', 'not-json'],
    [sum, '{"summary":"<think>The customer wants"}', 'empty'],
    [[], '["food"]', 'not-json'],
    [[], '{"label":"goto: bye"}', 'not-a-label'],
    [[], '{"label":"foods"}', 'not-a-label'],
    [[], '{"label":["food"]}', 'not-a-label'],
    [[], '{"__proto__":{"label":"food"}}', 'not-a-label'],
    [food, '{"count":12}', 'too-large'],
    [food, '{"count":1.5}', 'not-a-whole-number'],
    [food, '{"count":"many"}', 'not-a-number'],
    [food, '{"size":"m"}', 'not-a-choice'],
    [food, '{"day":"2026-02-30"}', 'not-a-date'],
    [sum, '{"summary":" "}', 'empty'],
    [sum, '{"summary":7}', 'empty'],
    [sum, JSON.stringify({ summary: 'x'.repeat(1001) }), 'too-long'],
    [chat, '{"reply":"Hi"}', 'wrong-form'],
    [chat, '{"reply":"","done":false}', 'empty'],
    [chat, JSON.stringify({ reply: 'x'.repeat(2001), done: true }), 'too-long'],
  ])('%j then %s', (before, text, reason) => {
    const turn = at(before);
    expect(refusal(turn, text)).toBe(reason);
    const failed = answerModel(order, turn.state, { outcome: { failed: true }, now });
    expect(failed).not.toHaveProperty('rejected');
  });

  test.each([
    '```json\n{"label": "food"}\n```',
    ' ``` \n\n{"label":\n"food"}\n ```\n',
    'Here is the answer:\n```json\n{"label": "food"}\n```\nAnything else?',
    'Sure! {"label": "food"}. I hope this helps {really}.',
    '<think>\nOne could say {"label": "other"}.\n</think>\n\n{"label": "food"}',
    'Okay, the customer {...} "wants\n</think>{"label": "food"}',
    '[THINK]{"label": "other"}[/THINK]{"label": "food"}',
    '<|channel|>analysis<|message|>{"label": "other"}<|end|><|channel|>final<|message|>{"label": "food"}',
    'First I thought {"label": "other"}, but it is {"label": "food"}',
    '{"label": "food",}',
    '[{"label": "food", "others": ["a", "b", ], },\n]',
    '{"label": "food", "why": "two\nlines, {\\"a\\",} "}',
    '{"label":"Food"}',
    '{"label":"FOOD."}',
    '{"label":"ｆｏｏｄ。"}',
    'food',
    ' "Food". ',
    '<think>other?</think>\nFood.',
    `${'{a} '.repeat(20)}</think>{"label": "food"}`,
  ])('the value is taken where a person finds it: %s', (text) => {
    const turn = answerModel(order, waiting().state, { outcome: { text }, now });
    if ('rejected' in turn) throw new Error(turn.rejected.detail);
    expect(turn.evaluation['topic']).toBe('food');
  });

  test('numbers and choices as text are accepted', () => {
    expect(refusal(at(food), '{"count":"3","size":"Large"}')).toBeUndefined();
  });

  test.each([
    'Put </think> at the end.',
    'Close <think> with </think>, or [THINK] with [/THINK].',
    '{"a": "<reasoning>"} has no end',
  ])('marks of reasoning in the words of an answer stay: %s', (reply) => {
    const json = JSON.stringify({ reply, done: false });
    for (const text of [json, `Here: ${json}`, `<think>{"reply":"no"}</think> ${json} Done.`]) {
      const turn = answerModel(order, at(chat).state, { outcome: { text }, now });
      if ('rejected' in turn) throw new Error(turn.rejected.detail);
      expect(turn.entries.map(({ body }) => body)).toEqual([reply]);
    }
  });

  test('no reasoning is shown, nor characters that reorder the text around them', () => {
    const reply = '<think>They want \u202eit</think>When \u202eis\u2069 it?';
    const text = `<think>hm</think>${JSON.stringify({ reply, done: false })}`;
    const turn = answerModel(order, at(chat).state, { outcome: { text }, now });
    if ('rejected' in turn) throw new Error(turn.rejected.detail);
    expect(turn.entries.map(({ body }) => body)).toEqual(['When is it?']);
  });
});

test('an answer of blanks, braces or marks takes linear time', () => {
  const state = waiting();
  for (const part of ['\n', '{', '{"', '{"label":"food"', '<think>', '</think>']) {
    const text = `\`\`\`${part.repeat(2_000_000 / part.length)}x`;
    expect(completes(() => refusal(state, text))).toBe('not-json');
  }
});

describe('a chat', () => {
  const hello = { reply: 'Hello?', done: false };
  const before = [{ label: 'other' }, { summary: 'x' }];
  const chat = (model: unknown[], ...words: string[]) =>
    play([...before, ...model], [want, ...words.map((text) => ({ text }))]);

  test('ends with its first reply when the model sets done', () => {
    const conversation = chat([{ reply: 'All is said.', done: true }]);
    expect(conversation.said.slice(-2)).toEqual(['All is said.', 'Bye.']);
  });

  test('ends after the last turn, whatever the model answers, and stores what the customer said', () => {
    const conversation = chat([hello, hello, hello, hello], 'one', 'two');
    expect(conversation.said.slice(-5)).toEqual(['one', 'Hello?', 'two', 'Hello?', 'Bye.']);
    expect(conversation).toMatchObject({ ended: true, evaluation: { said: 'one\ntwo' } });
  });

  test('continues at onError when it fails, and stores what the customer said', () => {
    const conversation = chat([hello], 'one');
    expect(conversation.said.slice(-3)).toEqual(['one', 'Nobody to talk to.', 'Bye.']);
    expect(conversation.evaluation).toMatchObject({ said: 'one' });
  });

  test('asks for free text, and rejects an empty or too long one', () => {
    const conversation = play([...before, hello], [want]);
    expect(conversation.input).toEqual({ stepId: 'talk', type: 'longText', required: true, maxLength: 2000 });
    for (const given of [{ text: ' ' }, { text: 'x'.repeat(2001) }, { skip: true as const }, { value: 7 }]) {
      const outcome = answer(order, conversation.state, {
        stepId: 'talk',
        answer: given,
        now,
        hasModel: true,
      });
      expect(outcome).toHaveProperty('rejected');
    }
  });
});

test('a conversation asks the model at most twenty times', () => {
  const endless = valid(
    draft(
      [
        { id: 'more', kind: 'ask', text: 'More?', input: { type: 'text' } },
        {
          id: 'sort',
          kind: 'llm',
          mode: 'classify',
          prompt: '{{answers.more}}',
          labels: ['yes', 'no'],
          evaluation: 'more',
          onError: { goto: 'end' },
          next: 'more',
        },
        { id: 'end', kind: 'end', text: 'Bye' },
      ],
      { evaluation: { more: {} } },
    ),
  );
  const answers = Array.from({ length: 30 }, () => ({ text: 'more' }));
  const conversation = simulate(endless, { answers, model: answers.map(() => ({ label: 'yes' })) });
  expect(conversation).toMatchObject({ ended: true, unused: 9, state: { modelTurns: 20 } });
});

test('a result from personal words is personal, a label is not', () => {
  const plan = planOf(order);
  expect([...plan.personalAnswers]).toEqual(['sum']);
  expect([...plan.personalSteps]).toEqual(['sum']);
  const candidate = samples.find(({ key }) => key === 'candidate-screening');
  const nps = samples.find(({ key }) => key === 'nps-follow-up');
  expect(candidate && planOf(candidate).personalKeys).toContain('motivation_summary');
  expect(nps && [...planOf(nps).personalKeys]).toEqual(['reason', 'contact_email']);
});

test('a chat about personal values is personal, with all of its entries', () => {
  const secret = valid(
    draft([
      { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' }, pii: true },
      {
        id: 'talk',
        kind: 'llm',
        mode: 'chat',
        prompt: 'Talk about {{answers.why}}.',
        onError: { goto: 'end' },
      },
      { id: 'end', kind: 'end' },
    ]),
  );
  const first = waiting(secret);
  const said = answerModel(secret, first.state, { outcome: { text: '{"reply":"Oh?","done":false}' }, now });
  if ('rejected' in said) throw new Error(said.rejected.detail);
  expect(said.entries).toMatchObject([{ body: 'Oh?', personal: [[0, 3]] }]);
  const answered = answer(secret, said.state, {
    stepId: 'talk',
    answer: { text: 'Yes' },
    now,
    hasModel: true,
  });
  expect(answered).toMatchObject({ entries: [{ type: 'customer', personal: [[0, 3]] }] });
});
