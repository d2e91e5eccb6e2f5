import type { Fault } from '@parley/runtime/errors';
import { describe, expect, test } from 'vitest';
import schema from '../../bot-v1.schema.json' with { type: 'json' };
import { ask, brokenDefinitions, choose, end, say } from '../../tests/broken-definitions.ts';
import { draft, samples } from '../../tests/definitions.ts';
import { contextNames, validateDefinition, validateInSlices } from './definition.ts';
import { botJsonSchema } from '../definition/format.ts';

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
  test.each(brokenDefinitions)('%s', (_name, value, pointer, detail) => {
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
