import { expect, test } from 'vitest';
import { type FilteredEvent, filterFault, filterResults, filterUnits } from './event-filter.ts';

const passes = (filter: string, event: FilteredEvent) => filterResults([filter], event).get(filter);

const eventOf = (
  evaluation: Record<string, string>,
  context: Record<string, string> = {},
): FilteredEvent => ({
  type: 'InteractionCompleted',
  interaction: {
    id: 'i',
    customerId: 'ada',
    botId: 'b',
    botKey: 'nps',
    type: 'NPS',
    status: 'Completed',
    priority: 'High',
    isTest: false,
    context: new Map(Object.entries(context)),
  },
  evaluation: new Map(Object.entries(evaluation)),
});

test.each([
  ["event.type == 'InteractionCompleted' && interaction.customerId == 'ada'", true],
  ["interaction.botKey + interaction.type + interaction.status == 'npsNPSCompleted'", true],
  ["interaction.priority in ['Low', 'Medium']", false],
  ['int(evaluation.score) < 7', true],
  ["has(evaluation.reason) && evaluation.reason == ''", false],
  ["interaction.context.tier == 'gold'", true],
  ['!interaction.isTest', true],
  ["interaction.context == {'tier': 'gold'} && evaluation != {} && interaction.type in ['NPS']", true],
  ['interaction.context == {} || evaluation == {}', false],
])('the filter %s is %s', (filter, wanted) => {
  expect(filterFault(filter)).toBeUndefined();
  expect(passes(filter, eventOf({ score: '6' }, { tier: 'gold' }))).toBe(wanted);
});

test.each([
  ['int(', 5],
  ['true &&& false', 8],
  ['evaluation.score == 1', 18],
  ["'a' == 'a' && interaction.name == 'x'", 27],
  ['has(event.type) && customer', 20],
  ["evaluation.score.matches('a')", 18],
  ['1 + 1', 1],
  ["event.type == 'name' && interaction.name == 'x'", 37],
  ["event.type == 'name' && has( interaction.name )", 42],
  ['int(evaluation.score) == 99999999999999999999', 26],
  ["event.type == '\\u0000'", 15],
  ["'exists' in evaluation && evaluation.exists(x, true)", 38],
  ["event.type == '😀😀' || name", 23],
])('the fault of %s is at character %d', (filter, character) => {
  expect(filterFault(filter)).toMatch(new RegExp(`at character ${character}\\b`));
});

test.each([
  ["event.type == 'InteractionComplete'", 15],
  ["has(evaluation.a) && 'Typo' != event.type", 22],
  ["event.type in ['InteractionStarted', 'Interactionstalled']", 38],
  ["event['type'] == 'Typo'", 18],
  ["event.type.startsWith('interaction')", 23],
  ["event.type.contains('Deleted') || true", 21],
  ["interaction.status == 'completed'", 23],
  ["interaction.priority in ['Urgent']", 26],
  ["event.type + '' == 'Typo'", 1],
  ["true && 'Typo' != ('' + event.type)", 9],
  ["event.type.lowerAscii() == 'InteractionCompleted'", 1],
  ["event.type.substring(0, 3) in ['int', 'cus']", 1],
  ["(event.type == 'InteractionCompleted' ? 'a' : 'b') == 'c'", 2],
  ["interaction.status.trim().startsWith('done')", 1],
])('%s, which no event can be, is refused at character %d with the known values', (filter, character) => {
  expect(filterFault(filter)).toMatch(new RegExp(`is never .*, at character ${character}\\. Known: `));
});

test.each([
  "event.type.endsWith('Completed') && interaction.status in ['Completed', 'Expired']",
  "interaction.priority == '' || interaction.type == 'Typo' || interaction.botKey == 'Typo'",
  "event.type.lowerAscii() == 'interactioncompleted' && interaction.type + '' == 'Typo'",
  "event.type != interaction.type && event.type + interaction.status == 'Typo'",
  "event.type.startsWith('') && interaction.priority in ['Low', 'Medium', 'High', '']",
])('%s, which an event can be, is accepted', (filter) => {
  expect(filterFault(filter)).toBeUndefined();
});

test('a filter has at most 1,000 characters', () => {
  for (const character of ['x', '😀']) {
    const filter = (length: number): string => `'${character.repeat(length - 8)}' != ''`;
    expect(filterFault(filter(1_000))).toBeUndefined();
    expect(filterFault(filter(1_001))).toContain('at most 1000');
  }
});

test.each([
  ["evaluation.score == '9'", 'No such key: score, at character 12'],
  ["evaluation[evaluation.name] == '9'", 'No such key, at character 1'],
  ['bool(evaluation.name)', 'bool() conversion error, at character 1'],
  ['int(evaluation.name) < 7', 'not a whole number'],
  ["evaluation.name.substring(99) == ''", 'index out of range'],
  ['1 / (size(evaluation.name) - 12) == 1', 'division by zero'],
])('the failure of %s has no value of the event', (filter, text) => {
  expect(filterFault(filter)).toBeUndefined();
  const failure = passes(filter, eventOf({ name: 'Ada Lovelace' }));
  if (!(failure instanceof Error)) throw new Error('the filter did not fail');
  expect(failure.message).toContain(text);
  expect(failure.message).not.toMatch(/Ada|Lovelace/);
});

test('the failure of a key that is computed has no value, also if the filter has the same text', () => {
  const failure = passes(
    "evaluation[evaluation.name] == 'Ada' || interaction.type == 'Ada'",
    eventOf({ name: 'Ada' }),
  );
  expect(failure).toEqual(new Error('No such key, at character 1'));
});

test('a filter that could take more than a turn is refused, and 100 of those that are accepted all have a result', () => {
  const searches = (count: number, text: string): string =>
    Array.from({ length: count }, (_, at) => `${text}.lowerAscii().contains('${at}')`).join(' || ');
  const nested = `evaluation.why${'.lowerAscii()'.repeat(18)} == 'x'`;
  expect(filterFault(nested)).toMatch(/can take \d{3,} % of the work/);
  expect(filterFault(searches(9, 'evaluation.why'))).toBeUndefined();
  expect(filterFault(searches(9, 'interaction.context.why'))).toBeUndefined();
  expect(filterUnits(nested)).toBeGreaterThan(filterUnits(searches(9, 'evaluation.why')));
  const filters = Array.from({ length: 100 }, (_, at) =>
    searches(9, 'evaluation.why').replaceAll("'0'", `'${at}x'`),
  );
  const results = filterResults(filters, eventOf({ why: 'a'.repeat(4_000) }));
  expect(new Set(results.values())).toEqual(new Set([false]));
  expect(results.size).toBe(100);
});

test('a filter that takes too long fails alone', () => {
  const costly = Array.from({ length: 20 }, () => "evaluation.a.contains(evaluation.b + 'x')").join(' || ');
  const cheap = "event.type == 'InteractionCompleted'";
  const event = eventOf({ a: 'a'.repeat(60_000), b: 'a'.repeat(30_000) });
  expect(Object.fromEntries(filterResults([costly, cheap], event))).toEqual({
    [costly]: new Error('it takes too long'),
    [cheap]: true,
  });
});
