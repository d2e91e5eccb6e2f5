import { expect, test } from 'vitest';
import { samples } from '../../tests/definitions.ts';
import { renameContext, renameFault, renameKey, renameResult, renameStep } from './renames.ts';
import {
  brokenWithout,
  declareKey,
  deleteStep,
  duplicateStep,
  freeId,
  insertStep,
  moveStep,
  setInStep,
} from './steps.ts';

const bot = {
  schemaVersion: 1,
  steps: [
    {
      id: 'score',
      kind: 'ask',
      text: 'How?',
      next: [{ if: 'answers.score >= 9', goto: 'why' }, { else: 'bye' }],
    },
    {
      id: 'why',
      kind: 'ask',
      text: { en: '{{ answers.score|none }}', de: 'x' },
      retry: { text: 'a', goto: 'score' },
      next: 'bye',
    },
    { id: 'sum', kind: 'set', evaluation: { a: 'answers.score + answers.scores', b: "'score'" } },
    { id: 'model', kind: 'llm', prompt: '{{answers.score}}', onError: { goto: 'score' } },
    { id: 'bye', kind: 'end', when: "has(answers.score) && 'x' in others['score']" },
  ],
};
const text = JSON.stringify(bot, undefined, 2);
const stepsOf = (changed: string) => JSON.parse(changed).steps;

test('a renamed step is renamed wherever a step refers to it, and nowhere else', () => {
  const [score, why, sum, model, bye] = stepsOf(renameStep(text, 0, 'rating'));
  expect(score).toEqual({
    ...bot.steps[0],
    id: 'rating',
    next: [{ if: 'answers.rating >= 9', goto: 'why' }, { else: 'bye' }],
  });
  expect(why.text).toEqual({ en: '{{ answers.rating|none }}', de: 'x' });
  expect(why.retry.goto).toBe('rating');
  expect(sum.evaluation).toEqual({ a: 'answers.rating + answers.scores', b: "'score'" });
  expect([model.prompt, model.onError.goto]).toEqual(['{{answers.rating}}', 'rating']);
  expect(bye.when).toBe(`has(answers.rating) && 'x' in others['rating']`);
  const tested = text.replace('has(answers.score)', 'answers.score > 1');
  const hyphen = stepsOf(renameStep(tested, 0, 'the-score'));
  expect(hyphen[2].evaluation.a).toBe("answers['the-score'] + answers.scores");
  expect(stepsOf(renameStep(tested, 0, 'in'))[2].evaluation.a).toBe("answers['in'] + answers.scores");
  expect(renameStep(renameStep(text, 0, 'rating'), 0, 'score')).toBe(text);
});

test('an id that would be a fault is refused: one that a step has, or that "has" cannot name', () => {
  const faultOf = (index: number, id: string) => renameFault({ steps }, index, id);
  const steps = [
    ...bot.steps.slice(0, 4),
    { id: 'kept', kind: 'llm', saveAs: 'topic' },
    { id: 'end', kind: 'end', when: "!(has(answers.score) && answers.why == '') && has(evaluation.a)" },
  ];
  expect([faultOf(0, 'nps_score'), faultOf(0, 'score'), faultOf(4, 'topic')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([faultOf(0, 'why'), faultOf(0, 'topic')]).toEqual(['taken', 'taken']);
  expect([faultOf(0, 'nps-score'), faultOf(0, 'in')]).toEqual(['asked', 'asked']);
  expect([faultOf(1, 'the-why'), faultOf(4, 'the-model')]).toEqual([undefined, undefined]);
  const json = JSON.stringify({ steps });
  expect(renameKey(json, 2, 'a', 'a-b')).toBe(json);
  expect(stepsOf(renameKey(json, 2, 'b', 'a-b'))[2].evaluation['a-b']).toBe("'score'");
});

test('a deleted step is passed by the ways to it, and what else names it is listed', () => {
  const [score, why, ...others] = stepsOf(deleteStep(text, 1));
  expect(score.next).toEqual([{ if: 'answers.score >= 9', goto: 'bye' }, { else: 'bye' }]);
  expect([why, ...others]).toEqual(bot.steps.slice(2));
  expect(brokenWithout(bot, 1)).toEqual([]);
  expect(brokenWithout(bot, 0).map(({ step, kind }) => [step, kind])).toEqual([
    [1, 'text'],
    [2, 'expression'],
    [3, 'text'],
    [4, 'expression'],
  ]);
  expect(brokenWithout(bot, 4).map(({ path }) => path.join('/'))).toEqual([
    'steps/0/next/1/else',
    'steps/1/next',
    'steps/3/next',
  ]);
});

test('a deleted step is passed by the step before it, which is listed if nothing leads it on', () => {
  const say = (id: string, more: object = {}) => ({ id, kind: 'say', text: id, ...more });
  const shown = (steps: object[], index: number) => [
    stepsOf(deleteStep(JSON.stringify({ steps }), index)).map(({ id, next }: Record<string, string>) =>
      next === undefined ? id : `${id}>${next}`,
    ),
    brokenWithout({ steps }, index).map(({ path }) => path.join('/')),
  ];
  const end = { id: 'end', kind: 'end' };
  const b = say('b', { next: 'd' });
  expect(shown([say('a'), b, say('c'), say('d')], 1)).toEqual([['a>d', 'c', 'd'], []]);
  expect(shown([say('a'), say('b'), say('c')], 1)).toEqual([['a', 'c'], []]);
  expect(shown([say('a'), say('b', { next: 'c' }), say('c')], 1)).toEqual([['a', 'c'], []]);
  expect(shown([say('a', { next: 'd' }), b, say('c'), say('d')], 1)).toEqual([['a>d', 'c', 'd'], []]);
  const arms = say('b', { next: [{ if: 'true', goto: 'c' }, { else: 'd' }] });
  expect(shown([say('a'), arms, say('c'), say('d')], 1)).toEqual([['a>d', 'c', 'd'], []]);
  expect(shown([{ ...end, id: 'a' }, b, say('c'), say('d')], 1)).toEqual([['a', 'c', 'd'], []]);
  expect(shown([say('a'), end, say('c')], 1)).toEqual([['a', 'c'], ['steps/0/next']]);
  expect(shown([say('a'), end], 1)).toEqual([['a'], ['steps/0/next']]);
  expect(shown([{ ...end, id: 'a' }, end, say('c')], 1)).toEqual([['a', 'c'], []]);
  // Without its condition, the step goes on in the list.
  const when = say('a', { when: 'context.x', next: 'd' });
  expect(shown([when, b, say('c'), say('d')], 1)).toEqual([['a>d', 'c', 'd'], ['steps/0/next']]);
  expect(shown([when, say('b'), say('c'), say('d')], 1)).toEqual([['a>d', 'c', 'd'], []]);
  expect(shown([b, say('c'), say('d')], 0)).toEqual([['c', 'd'], []]);
});

test('what a step produces has names of its own, by which it is renamed and missed', () => {
  const made = {
    evaluation: { mood: { pii: true } },
    steps: [
      { id: 'sum', kind: 'llm', mode: 'summarise', prompt: '{{answers.sum}}', saveAs: 'sum', next: 'cls' },
      {
        id: 'cls',
        kind: 'llm',
        mode: 'classify',
        prompt: '{{context.sum}}',
        saveAs: 'topic',
        evaluation: 'kind',
      },
      { id: 'data', kind: 'llm', mode: 'extract', fields: {}, saveAs: 'order', evaluation: { size: 'size' } },
      { id: 'mood', kind: 'set', evaluation: { mood: "evaluation.mood + 'x'", twice: '1' } },
      { id: 'again', kind: 'set', evaluation: { twice: 'evaluation.twice' } },
      {
        id: 'say',
        kind: 'say',
        text: '{{answers.sum}} {{answers.order.size}} {{ evaluation.mood | - }}',
        next: 'sum',
      },
      {
        id: 'bye',
        kind: 'end',
        when: "answers.topic == 'a' && 'mood' in evaluation && evaluation.kind != evaluation['mood'] && answers.mood",
      },
    ],
  };
  const json = JSON.stringify(made, undefined, 2);
  const isNamed = (index: number) => brokenWithout(made, index).map(({ step, kind }) => [step, kind]);
  const renamedSum = stepsOf(renameStep(json, 0, 'topic2'));
  expect(renamedSum[0]).toEqual({ ...made.steps[0], id: 'topic2' });
  expect(renamedSum[5]).toEqual({ ...made.steps[5], next: 'topic2' });
  expect(renameStep(json, 1, 'other')).toBe(
    json
      .replace('"cls",\n      "kind"', '"other",\n      "kind"')
      .replace('"next": "cls"', '"next": "other"'),
  );
  expect([0, 1, 2, 3, 4].map(isNamed)).toEqual([
    [[5, 'text']],
    [[6, 'expression']],
    [[5, 'text']],
    [
      [5, 'text'],
      [6, 'expression'],
    ],
    [],
  ]);
  const key = renameKey(json, 3, 'mood', 'tone');
  expect(JSON.parse(key).evaluation).toEqual({ mood: { pii: true }, tone: { pii: true } });
  expect(stepsOf(key)[3].evaluation).toEqual({ tone: "evaluation.tone + 'x'", twice: '1' });
  expect(stepsOf(key)[5].text).toContain('{{ evaluation.tone | - }}');
  expect(stepsOf(key)[6].when).toBe(
    "answers.topic == 'a' && 'tone' in evaluation && evaluation.kind != evaluation['tone'] && answers.mood",
  );
  const shared = stepsOf(renameKey(json, 3, 'twice', 'once'));
  expect([shared[3].evaluation.once, shared[4]]).toEqual(['1', made.steps[4]]);
  expect([renameKey(json, 3, 'mood', ''), renameKey(json, 3, 'mood', 'twice')]).toEqual([json, json]);
});

test('an inserted step takes over the way of the step before it', () => {
  const [, why, added] = stepsOf(insertStep(text, 2, { id: 'new', kind: 'say', text: '' }));
  expect([why.next, added]).toEqual([undefined, { id: 'new', kind: 'say', text: '', next: 'bye' }]);
  expect(stepsOf(insertStep(text, 4, { id: 'new', kind: 'branch' }))[4].next).toEqual([{ else: 'bye' }]);
  expect(stepsOf(insertStep(text, 0, { id: 'new', kind: 'llm' }))[0].onError).toEqual({ goto: 'score' });
  expect(stepsOf(insertStep('{"steps": []}', 0, { id: 'new', kind: 'end' }))).toEqual([
    { id: 'new', kind: 'end' },
  ]);
});

test('a copy has another id, and the text of its source', () => {
  const copied = duplicateStep(text, 1);
  expect(stepsOf(copied)[2]).toEqual({ ...bot.steps[1], id: 'why2' });
  expect(copied.startsWith(text.slice(0, text.indexOf('"sum"') - 30))).toBe(true);
  expect(freeId([{ id: 'why' }, { id: 'why2' }, { saveAs: 'why3' }], 'why2')).toBe('why4');
});

test('a move and its way back leave the text as it was', () => {
  for (const definition of samples) {
    const source = JSON.stringify(definition, undefined, 3);
    expect(moveStep(moveStep(source, 0, 2), 2, 0)).toBe(source);
    const id = definition.steps[1]?.id ?? '';
    expect(renameStep(renameStep(source, 1, 'anotherName'), 1, id)).toBe(source);
  }
});

test('a member is set in its usual place, and removed without a value', () => {
  const set = setInStep('{"steps": [{"id": "a", "next": "b"}]}', 0, ['text'], 'T');
  expect(set).toBe('{"steps": [{"id": "a", "text": "T", "next": "b"}]}');
  expect(setInStep(set, 0, ['text'], undefined)).toBe('{"steps": [{"id": "a", "next": "b"}]}');
});

test('a key of the evaluation is declared once', () => {
  expect(declareKey('{"key": "k", "steps": []}', 'a')).toBe(
    '{"key": "k", "evaluation": {"a": {}}, "steps": []}',
  );
  expect(declareKey('{"evaluation": {"a": {"pii": true}}}', 'a')).toBe(
    '{"evaluation": {"a": {"pii": true}}}',
  );
});

test('a result and a property of the context are renamed wherever steps write or read them', () => {
  const named = {
    context: [{ name: 'product' }, { name: 'plan' }],
    evaluation: { score: { pii: true }, kept: {} },
    steps: [
      { id: 'q', kind: 'ask', text: '{{context.product|it}}', evaluation: 'score' },
      { id: 's', kind: 'set', evaluation: { kept: "evaluation.score + context.product + 'score'" } },
      { id: 'end', kind: 'end', text: '{{evaluation.score}}' },
    ],
  };
  const json = JSON.stringify(named, undefined, 2);
  const result = JSON.parse(renameResult(json, 'score', 'points'));
  expect(Object.keys(result.evaluation)).toEqual(['points', 'kept']);
  expect(result.steps).toMatchObject([
    { evaluation: 'points' },
    { evaluation: { kept: "evaluation.points + context.product + 'score'" } },
    { text: '{{evaluation.points}}' },
  ]);
  expect(renameResult(renameResult(json, 'score', 'points'), 'points', 'score')).toBe(json);
  expect([renameResult(json, 'score', 'kept'), renameResult(json, 'score', '')]).toEqual([json, json]);

  const context = JSON.parse(renameContext(json, 0, 'article'));
  expect(context.context).toEqual([{ name: 'article' }, { name: 'plan' }]);
  expect(context.steps[0].text).toBe('{{context.article|it}}');
  expect(context.steps[1].evaluation.kept).toBe("evaluation.score + context.article + 'score'");
  // Another property has the name, or it has none: what steps read stays.
  for (const name of ['plan', '']) {
    const changed = JSON.parse(renameContext(json, 0, name));
    expect([changed.context[0].name, changed.steps]).toEqual([name, named.steps]);
  }
});
