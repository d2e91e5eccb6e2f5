import type { Fault } from '@parley/runtime/errors';
import { describe, expect, test } from 'vitest';
import schema from '../../bot-v1.schema.json' with { type: 'json' };
import { draft, samples } from '../../tests/definitions.ts';
import { contextNames, validateDefinition, validateInSlices } from './definition.ts';
import { botJsonSchema, type LocalText } from '../definition/format.ts';

const end = { id: 'end', kind: 'end', text: 'Bye' };
const ask = (id: string, more: object = {}) => ({
  id,
  kind: 'ask',
  text: `${id}?`,
  input: { type: 'nps' },
  ...more,
});
const choose = (...choices: [value: string, label: LocalText][]) =>
  ask('a', {
    input: { type: 'choice', choices: choices.map(([value, label]) => ({ value, label })) },
  });
const say = (id: string, more: object = {}) => ({ id, kind: 'say', text: id, ...more });
/** A step that sorts the answer of the step `q` into a and b, for a bot that starts with that step. */
const sort = (more: object = {}) => ({
  id: 'sort',
  kind: 'llm',
  mode: 'classify',
  prompt: 'Is {{answers.q}} a or b?',
  labels: ['a', 'b'],
  saveAs: 'kind',
  onError: { goto: 'end' },
  ...more,
});
const find = (more: object = {}) =>
  sort({ mode: 'extract', labels: undefined, fields: { n: { input: { type: 'nps' } } }, ...more });
const asking = (...steps: object[]) => draft([ask('q'), ...steps, end]);

function faultsOf(value: unknown): Fault[] {
  const outcome = validateDefinition(value);
  return 'faults' in outcome ? outcome.faults : [];
}

test('the samples are valid, and their context properties keep their declared order', () => {
  expect(samples.map(contextNames)).toEqual([
    ['productName'],
    ['jobTitle', 'location'],
    ['appointmentDate', 'appointmentTime', 'placeName', 'reference'],
    [],
  ]);
});

test('the JSON Schema for editors matches the format (`npm run generate` writes it)', () => {
  expect(schema).toEqual(botJsonSchema());
});

test('a warning names the step that a conversation may not reach because of its size', () => {
  const says = Array.from({ length: 98 }, (_, n) => say(`s${n}`, { text: '{{context.c}}{{context.c}}' }));
  const outcome = validateDefinition(draft([...says, end], { context: [{ name: 'c' }] }));
  expect(outcome).toMatchObject({ warnings: [{ pointer: '/steps/51' }] });
  for (const sample of samples) expect(validateDefinition(sample)).toMatchObject({ warnings: [] });
});

test('a warning names each text that prints personal context', () => {
  const steps = [
    say('a', { text: '{{context.plan}}, {{context.street|there}}' }),
    ask('b', { text: 'b', retry: { text: { en: 'b', de: '{{ context.street }}' } } }),
    ask('c', { prefill: '{{context.street}}' }),
    end,
  ];
  const context = [
    { name: 'street', pii: true },
    { name: 'plan', pii: false },
  ];
  expect(validateDefinition(draft(steps, { context }))).toMatchObject({
    warnings: [{ pointer: '/steps/0/text' }, { pointer: '/steps/1/retry/text' }],
  });
});

test('a warning names each step that no path from the start reaches, because its arms are never taken', () => {
  const steps = [
    ask('a', {
      next: [
        { if: 'answers.a == 3', goto: 'b' },
        { if: 'answers.a == 3 ', goto: 'c' },
        { if: 'false', goto: 'd' },
        { if: 'true', goto: 'b' },
        { else: 'e' },
      ],
    }),
    ...['b', 'c', 'd', 'e'].map((id) => ({ id, kind: 'end' })),
  ];
  const outcome = validateDefinition(draft(steps));
  expect(outcome).toMatchObject({
    warnings: [{ pointer: '/steps/2' }, { pointer: '/steps/3' }, { pointer: '/steps/4' }],
  });
  expect(JSON.stringify(outcome)).toContain('No path from the start reaches the step \\"c\\"');
});

test('a warning names each comparison of a choice or a label with a text that it never is', () => {
  const llm = {
    kind: 'llm',
    mode: 'classify',
    prompt: '{{answers.a}}?',
    labels: ['yes', 'no'],
    onError: { goto: 'end' },
  };
  const steps = [
    choose(['red', 'Red'], ['blue', 'Blue']),
    { id: 'sort', saveAs: 'sorted', ...llm },
    ask('name', { input: { type: 'text' } }),
    say('red', { when: `answers.a == 'red' || "rot" == answers.a` }),
    say('maybe', { when: `answers.sorted in ['no', 'maybe']` }),
    say('Ada', { when: `answers.name == 'Ada' && answers.a.startsWith('r')` }),
    end,
  ];
  expect(validateDefinition(draft(steps))).toMatchObject({
    warnings: [
      { pointer: '/steps/3/when', detail: 'answers.a is never "rot", at character 23.' },
      { pointer: '/steps/4/when', detail: 'answers.sorted is never "maybe", at character 26.' },
    ],
  });
});

test('a valid definition is returned unchanged', () => {
  const given = draft([ask('a'), end]);
  expect(validateDefinition(given)).toEqual({ definition: given, warnings: [] });
});

describe('each fault is reported, and nothing else', () => {
  const cases: [name: string, value: unknown, pointer: string, detail: string][] = [
    ['no object', 'x', '', 'Must be an object'],
    ['null', null, '', 'Must be an object'],
    ['another version', draft([end], { schemaVersion: 2 }), '/schemaVersion', 'Must be 1'],
    ['a missing key', draft([end], { key: undefined }), '/key', 'Is required'],
    ['a key with spaces', draft([end], { key: 'My bot' }), '/key', 'Lower-case letters'],
    ['an unknown property', draft([end], { 'stepz/~': 1 }), '/stepz~1~0', '"stepz/~" is not a known field'],
    ['no steps', draft([]), '/steps', 'Must have at least 1 entry'],
    ['a step that is no object', draft([3, end]), '/steps/0', 'Must be an object'],
    [
      'an unknown kind',
      draft([{ id: 'a', kind: 'call' }, end]),
      '/steps/0/kind',
      'say, ask, set, branch, llm, end',
    ],
    [
      'a property of another kind',
      draft([say('a', { input: {} }), end]),
      '/steps/0/input',
      '"input" is not a known field; known: id, when, kind, next, text',
    ],
    [
      'an unknown input',
      draft([ask('a', { input: { type: 'file' } }), end]),
      '/steps/0/input/type',
      'longText',
    ],
    [
      'an option of another input',
      draft([ask('a', { input: { type: 'nps', max: 5 } }), end]),
      '/steps/0/input/max',
      'not a known field',
    ],
    [
      'a choice without choices',
      draft([ask('a', { input: { type: 'choice' } }), end]),
      '/steps/0/input/choices',
      'required',
    ],
    ['an empty text', draft([say('a', { text: '' }), end]), '/steps/0/text', 'empty'],
    [
      'a text that is a number',
      draft([say('a', { text: 1 }), end]),
      '/steps/0/text',
      'a string or an object',
    ],
    ['a branch without arms', draft([{ id: 'a', kind: 'branch' }, end]), '/steps/0/next', 'required'],
    [
      'an arm without a target',
      draft([ask('a', { next: [{ if: 'true' }, { else: 'end' }] }), end]),
      '/steps/0/next/0/goto',
      'required',
    ],
    [
      'too many steps',
      draft([...Array.from({ length: 200 }, (_, n) => ask(`a${n}`)), end]),
      '/steps',
      'at most 200',
    ],
    [
      'a long expression',
      draft([say('a', { when: `true${' && true'.repeat(80)}` }), end]),
      '/steps/0/when',
      'at most 500',
    ],
    ['an llm step without onError', asking(sort({ onError: undefined })), '/steps/1/onError', 'required'],
    ['an unknown mode', asking(sort({ mode: 'guess' })), '/steps/1/mode', 'classify, extract'],
    ['a classify without labels', asking(sort({ labels: undefined })), '/steps/1/labels', 'required'],
    [
      'a classify with one label',
      asking(sort({ labels: ['a'] })),
      '/steps/1/labels',
      'Must have at least 2 entries',
    ],
    ['a label given twice', asking(sort({ labels: ['a', 'a'] })), '/steps/1/labels/1', 'repeated'],
    ['a label with spaces', asking(sort({ labels: ['a', 'b c'] })), '/steps/1/labels/1', 'Letters, digits'],
    ['an option of another mode', asking(sort({ maxTurns: 3 })), '/steps/1/maxTurns', 'not a known field'],
    [
      'an onError to a missing step',
      asking(sort({ onError: { goto: 'x' } })),
      '/steps/1/onError/goto',
      'no step "x"',
    ],
    [
      'a prompt without a reference',
      asking(sort({ prompt: 'Sort it.' })),
      '/steps/1/prompt',
      'references no values',
    ],
    [
      'a prompt with an unknown reference',
      asking(sort({ prompt: 'Sort {{answers.z}}' })),
      '/steps/1/prompt',
      'no ask step "z"',
    ],
    ['an answer that is not stored', asking(sort({ saveAs: undefined })), '/steps/1/saveAs', 'is not stored'],
    ['a saved name that is taken', asking(sort({ saveAs: 'q' })), '/steps/1/saveAs', 'taken by /steps/0'],
    [
      'a name that is saved twice',
      asking(sort(), find({ id: 'find' })),
      '/steps/2/saveAs',
      'taken by /steps/1',
    ],
    ['an undeclared key', asking(sort({ evaluation: 'x' })), '/steps/1/evaluation', 'not declared'],
    [
      'a label compared with a number',
      asking(sort({ next: [{ if: 'answers.kind > 1', goto: 'end' }, { else: 'end' }] })),
      '/steps/1/next/0/if',
      'cannot work',
    ],
    [
      'an unknown field',
      asking(find(), say('b', { when: 'answers.kind.m > 1' })),
      '/steps/2/when',
      '"m" is not declared',
    ],
    [
      'a field of another type',
      asking(find(), say('b', { when: "answers.kind.n == 'x'" })),
      '/steps/2/when',
      'cannot work',
    ],
    [
      'an evaluation key with an unknown field',
      draft([ask('q'), find({ evaluation: { k: 'm' } }), end], { evaluation: { k: {} } }),
      '/steps/1/evaluation/k',
      'no field "m"',
    ],
    [
      'a field with contradictory bounds',
      asking(find({ fields: { n: { input: { type: 'number', min: 2, max: 1 } } } })),
      '/steps/1/fields/n/input/min',
      'more than max',
    ],
    [
      'a loop in which only the model answers',
      asking(sort({ next: 'sort' })),
      '/steps/1',
      'The step "sort" can repeat for ever: it does not wait',
    ],
    [
      'a loop through onError',
      draft([ask('q'), say('again', { next: 'sort' }), sort({ onError: { goto: 'again' } }), end]),
      '/steps/1',
      'can repeat for ever',
    ],
    ['an id given twice', draft([ask('a'), ask('a'), end]), '/steps/1/id', 'taken by /steps/0'],
    [
      'a context name given twice',
      draft([end], { context: [{ name: 'x' }, { name: 'x' }] }),
      '/context/1/name',
      'twice',
    ],
    [
      'a missing target',
      draft([ask('a', { next: [{ if: 'true', goto: 'b' }, { else: 'end' }] }), end]),
      '/steps/0/next/0/goto',
      'no step "b"',
    ],
    [
      'a missing retry target',
      draft([ask('a', { retry: { text: 'x', goto: 'b' } }), end]),
      '/steps/0/retry/goto',
      'no step "b"',
    ],
    [
      'arms without an else',
      draft([ask('a', { next: [{ if: 'true', goto: 'end' }] }), end]),
      '/steps/0/next',
      'must be {"else"',
    ],
    [
      'an else before the last arm',
      draft([ask('a', { next: [{ else: 'end' }, { else: 'end' }] }), end]),
      '/steps/0/next/0',
      'last arm',
    ],
    [
      'an unreachable step',
      draft([ask('a', { next: 'end' }), say('b'), end]),
      '/steps/1',
      'leads to the step "b"',
    ],
    ['a list without an end', draft([end, ask('a')].toReversed().toSpliced(1, 1)), '/steps/0', 'past "a"'],
    ['an end with a condition', draft([{ ...end, when: 'true' }]), '/steps/0', 'past "end"'],
    [
      'a loop without a question',
      draft([
        say('a', { next: 'b' }),
        say('b', { next: [{ if: 'false', goto: 'end' }, { else: 'a' }] }),
        end,
      ]),
      '/steps/0',
      '"a", "b" can repeat for ever',
    ],
    [
      'a loop around a question with a condition',
      draft([
        ask('a', { when: 'has(answers.a)' }),
        { id: 'b', kind: 'branch', next: [{ if: 'has(answers.a)', goto: 'end' }, { else: 'a' }] },
        end,
      ]),
      '/steps/0',
      'for ever',
    ],
    [
      'a step that only leads to itself',
      draft([ask('a'), say('b', { next: 'b' }), end]),
      '/steps/1',
      '"b" can',
    ],
    [
      'a missing target before other faults',
      draft([ask('a', { next: 'bb' }), say('b'), say('c'), end]),
      '/steps/0/next',
      'no step "bb"',
    ],
    [
      'a run of unreachable steps',
      draft([ask('a', { next: 'end' }), say('b'), ask('c'), say('d'), end]),
      '/steps/1',
      'leads to the step "b"',
    ],
    [
      'a conversation that never ends',
      draft([ask('a'), ask('b'), ask('c', { next: 'b' }), say('d', { next: 'end' }), end].toSpliced(3, 2)),
      '/steps/0',
      'From the step "a"',
    ],
    ['a long list without an end', draft([ask('a'), ask('b'), ask('c')]), '/steps/2', 'past "c"'],
    [
      'an undeclared evaluation key',
      draft([ask('a', { evaluation: 'x' }), end]),
      '/steps/0/evaluation',
      '"x" is not declared',
    ],
    [
      'an undeclared key of a set step',
      draft([{ id: 'a', kind: 'set', evaluation: { x: '1' } }, end]),
      '/steps/0/evaluation/x',
      '"x" is not declared',
    ],
    [
      'an unknown answer in a condition',
      draft([ask('a', { next: [{ if: 'answers.b > 1', goto: 'end' }, { else: 'end' }] }), end]),
      '/steps/0/next/0/if',
      '"b" is not declared',
    ],
    [
      'an unknown context name in a condition',
      draft([say('a', { when: 'has(context.x) && context.x == "1"' }), end]),
      '/steps/0/when',
      '"x" is not declared',
    ],
    [
      'types that do not fit',
      draft([ask('a'), say('b', { when: 'answers.a == "9"' }), end]),
      '/steps/1/when',
      'int == string',
    ],
    [
      'a forbidden function',
      draft([say('a', { when: 'customer.email.matches("x")' }), end]),
      '/steps/0/when',
      '"matches" is not available',
    ],
    [
      'a value of an unusable type',
      draft([{ id: 'a', kind: 'set', evaluation: { x: '[1]' } }, end], { evaluation: { x: {} } }),
      '/steps/0/evaluation/x',
      'list<int>',
    ],
    [
      'an unknown context name in a text',
      draft([say('a', { text: 'Hi {{context.x}}' }), end]),
      '/steps/0/text',
      '"x" is not declared',
    ],
    [
      'an unknown answer in a text',
      draft([say('a', { text: 'Hi {{answers.x}}' }), end]),
      '/steps/0/text',
      'no ask step "x"',
    ],
    [
      'an unknown field of the customer',
      draft([say('a', { text: 'Hi {{customer.age}}' }), end]),
      '/steps/0/text',
      'no "age"',
    ],
    [
      'a malformed reference',
      draft([say('a', { text: 'Hi {{name}}' }), end]),
      '/steps/0/text',
      '{{name}} is not a valid reference',
    ],
    [
      'braces that do not close',
      draft([say('a', { text: 'Hi {{customer.id' }), end]),
      '/steps/0/text',
      '{{ is not a valid reference',
    ],
    [
      'a fault in one language',
      draft([say('a', { text: { en: 'Hi', fr: '{{x}}' } }), end]),
      '/steps/0/text/fr',
      'is not a valid reference',
    ],
    [
      'a text without the bot’s language',
      draft([say('a', { text: { fr: 'Salut' } }), end]),
      '/steps/0/text',
      'no text in "en"',
    ],
    [
      'a prefill with an unknown reference',
      draft([ask('a', { prefill: '{{context.x}}' }), end]),
      '/steps/0/prefill',
      'not declared',
    ],
    [
      'a consent that is given before the customer gives it',
      draft([ask('a', { input: { type: 'consent', label: 'I agree' }, prefill: 'yes' }), end]),
      '/steps/0/prefill',
      'cannot be prefilled',
    ],
    [
      'a choice value given twice',
      draft([choose(['x', 'X'], ['x', 'Y']), end]),
      '/steps/0/input/choices/1/value',
      'repeated',
    ],
    [
      'two choices with one label',
      draft([choose(['x', 'X'], ['y', 'x']), end]),
      '/steps/0/input/choices/1/label',
      'same label',
    ],
    [
      'a label with a reference',
      draft([ask('a', { input: { type: 'yesNo', labels: { yes: '{{x}}', no: 'No' } } }), end]),
      '/steps/0/input/labels/yes',
      'Labels cannot contain {{...}} references',
    ],
    [
      'more selections than choices',
      draft([
        ask('a', { input: { type: 'multiChoice', maxSelections: 2, choices: [{ value: 'x', label: 'X' }] } }),
        end,
      ]),
      '/steps/0/input/maxSelections',
      '2 > 1',
    ],
    [
      'a minimum above the maximum',
      draft([ask('a', { input: { type: 'number', min: 2, max: 1 } }), end]),
      '/steps/0/input/min',
      '2 > 1',
    ],
    [
      'no whole number between the bounds',
      draft([ask('a', { input: { type: 'number', integer: true, min: 1.2, max: 1.8 } }), end]),
      '/steps/0/input/min',
      'no whole number from 1.2 to 1.8',
    ],
    [
      'an earliest day after the latest',
      draft([ask('a', { input: { type: 'date', min: 'today+2', max: 'today' } }), end]),
      '/steps/0/input/min',
      'more than max (today+2 > today)',
    ],
    [
      'equal labels in another language',
      draft([choose(['x', { en: 'Red', de: 'Rot' }], ['y', { en: 'Reddish', de: ' rot' }]), end]),
      '/steps/0/input/choices/1/label/de',
      'Another choice has the same label in "de".',
    ],
    [
      'equal labels where one has no other language',
      draft([choose(['x', { en: 'No', fr: 'Nein' }], ['y', 'nein']), end]),
      '/steps/0/input/choices/1/label',
      'Another choice has the same label in "fr".',
    ],
    [
      'yes and no with one label',
      draft([ask('a', { input: { type: 'yesNo', labels: { yes: 'Fine', no: 'fine' } } }), end]),
      '/steps/0/input/labels/no',
      'Yes and no have the same label.',
    ],
    [
      'a label of blanks',
      draft([choose(['x', 'X'], ['y', ' \u200b']), end]),
      '/steps/0/input/choices/1/label',
      'Must not be blank.',
    ],
    [
      'a label of blanks in one language',
      draft([
        ask('a', { input: { type: 'nps', labels: { low: 'Low', high: { en: 'High', de: ' ' } } } }),
        end,
      ]),
      '/steps/0/input/labels/high/de',
      'Must not be blank.',
    ],
    [
      'a day that does not exist',
      draft([ask('a', { input: { type: 'date', min: '2026-02-30' } }), end]),
      '/steps/0/input/min',
      'no day 2026-02-30',
    ],
    [
      'a minimum length above the maximum',
      draft([ask('a', { input: { type: 'text', minLength: 501 } }), end]),
      '/steps/0/input/minLength',
      '501 > 500',
    ],
    [
      'a pattern that is not RE2',
      draft([ask('a', { input: { type: 'text', pattern: '(?=a)b' } }), end]),
      '/steps/0/input/pattern',
      'not an RE2 pattern',
    ],
    [
      'a pattern that is too large',
      draft([ask('a', { input: { type: 'text', pattern: '(.{0,30}){0,30}' } }), end]),
      '/steps/0/input/pattern',
      'too large',
    ],
    [
      'a pattern that takes too long for the longest answer',
      draft([ask('a', { input: { type: 'longText', pattern: '[a-z]{1,100}' } }), end]),
      '/steps/0/input/pattern',
      'maxLength to 746 or less',
    ],
    [
      'too many patterns',
      draft([
        ...Array.from({ length: 53 }, (_, n) =>
          ask(`a${n}`, { input: { type: 'text', pattern: `x{${n}}` } }),
        ),
        end,
      ]),
      '/steps/50/input/pattern',
      'at most 50 patterns',
    ],
  ];

  test.each(cases)('%s', (_name, value, pointer, detail) => {
    const faults = faultsOf(JSON.parse(JSON.stringify(value)));
    expect(faults).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
  });
});

test('a step from which no path leads to an end is reported', () => {
  const faults = faultsOf(
    draft([
      ask('a', { next: [{ if: 'answers.a > 1', goto: 'b' }, { else: 'end' }] }),
      ask('b', { next: 'b' }),
      end,
    ]),
  );
  expect(faults).toEqual([{ pointer: '/steps/1', detail: 'From the step "b" the conversation never ends.' }]);
});

test('at most 100 steps run between two questions', () => {
  const run = (length: number) => [
    ask('a'),
    ...Array.from({ length: length - 1 }, (_, n) => say(`s${n}`)),
    end,
  ];
  expect(faultsOf(draft(run(100)))).toEqual([]);
  expect(faultsOf(draft(run(101)))).toEqual([
    { pointer: '/steps/1', detail: '101 steps can run from "s0" without a question; at most 100 may.' },
  ]);
});

test('at most 64 KiB', () => {
  const wide = (texts: number) =>
    draft([...Array.from({ length: texts }, (_, n) => ask(`a${n}`, { text: 'é'.repeat(2000) })), end]);
  expect(faultsOf(wide(15))).toEqual([]);
  expect(faultsOf(wide(17))).toEqual([{ pointer: '', detail: expect.stringContaining('at most 65536') }]);
});

test('all faults are reported at once, with those that the schema cannot express', () => {
  const faults = faultsOf({
    ...draft([
      say('a', { next: 'nowhere', text: 'Hi {{context.nope}}' }),
      { id: 'b', kind: 'ask', input: { type: 'nps' } },
      say('c', { when: 'answers.b > 1 && answers.zzz > 1', text: 'You said {{answers.b}}' }),
      { id: 'c', kind: 'end' },
    ]),
    name: 7,
  });
  expect(faults.find(({ pointer }) => pointer === '/steps/2/when')?.detail).toContain(
    '"zzz" is not declared',
  );
  expect(faults.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/name',
    '/steps/0/next',
    '/steps/0/text',
    '/steps/1/text',
    '/steps/2/when',
    '/steps/3/id',
  ]);
});

test('hostile input yields faults and throws nothing', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(faultsOf(deep)).toEqual([{ pointer: '', detail: 'The definition is nested too deeply.' }]);
  expect(faultsOf(undefined)).toHaveLength(1);
  expect(faultsOf([])).toHaveLength(1);
  const poisoned: unknown = JSON.parse(
    '{"__proto__": {"key": "x"}, "steps": [{"__proto__": 1}], "evaluation": {"__proto__": {}}}',
  );
  expect(faultsOf(poisoned).map(({ pointer }) => pointer)).toContain('/__proto__');
  expect(faultsOf(draft(Array.from({ length: 200 }, () => ({}))))).toHaveLength(100);
  const full = Array.from({ length: 21 }, () => Array.from({ length: 200 }, () => ({})));
  expect(faultsOf(draft(full))).toEqual([
    { pointer: '', detail: 'The definition has more than 4000 objects and lists.' },
  ]);
});

test('there are at most 100 warnings, however many comparisons can never hold', () => {
  const never = Array.from({ length: 5 }, (_, n) => `answers.a == 'x${n}'`).join(' || ');
  const many = Array.from({ length: 40 }, (_, n) => say(`s${n}`, { when: never }));
  const warningsOf = (says: object[]) =>
    validateDefinition(draft([choose(['a', 'A'], ['b', 'B']), ...says, end]));
  expect(warningsOf(many.slice(0, 2))).toMatchObject({ warnings: { length: 10 } });
  expect(warningsOf(many)).toMatchObject({ warnings: { length: 100 } });
});

test('checks stop at 100 faults', () => {
  const arms = [
    ...Array.from({ length: 19 }, () => ({ if: 'answers.nope', goto: 'gone' })),
    { else: 'gone' },
  ];
  const faulty = draft(Array.from({ length: 60 }, (_, n) => say(`s${n}`, { next: arms })));
  expect(faultsOf(faulty)).toHaveLength(100);
  const slicesOf = (value: unknown) => [...validateInSlices(value)].length;
  // A step has about 20 faults. The first few of them suffice, after a look at the form of each step.
  expect(slicesOf(faulty)).toBeLessThan(60 + 5 * 25);
  // Each step has a fault of its form.
  expect(slicesOf(draft(Array.from({ length: 190 }, () => ({ kind: 'say' }))))).toBeLessThan(105);
});

describe('a list or object that is too wide is rejected as such, without a fault for each entry', () => {
  const numbers = (count: number) => Array.from({ length: count }, () => 0);
  const members = (count: number) => Object.fromEntries(numbers(count).map((zero, n) => [`p${n}`, zero]));
  test.each<[string, (count: number) => unknown, pointer: string, max: number]>([
    ['steps', (count) => draft(numbers(count)), '/steps', 200],
    ['arms', (count) => draft([{ ...say('a'), next: numbers(count) }, end]), '/steps/0/next', 200],
    ['properties', (count) => draft([{ ...say('a'), ...members(count) }, end]), '/steps/0', 100],
    ['names', (count) => draft([{ ...say('a'), 'a/b': members(count) }, end]), '/steps/0/a~1b', 100],
  ])('%s', (_name, wide, pointer, max) => {
    expect(faultsOf(wide(5_000))).toEqual([{ pointer, detail: `Must have at most ${max} entries.` }]);
  });
});
