import type { NewInteraction } from '@parley/client';
import { expect, test } from 'vitest';
import { chunksOf } from './chunks.ts';
import { faultText } from './faults.ts';
import { botFaults, botNames, faultsBetween, readContexts } from './lines.ts';
import { readNdjson } from './ndjson.ts';
import { resultsOf } from './results.ts';

const good = '{"customerId": "a", "botKey": "nps"}';

test.each<[string, string[]]>([
  ['{"customerId": "a" "x"}', ['20 : A comma is missing before this.']],
  ['{"customerId": "a", "customerId": "b"}', [expect.stringMatching(/^21 \/customerId: /)]],
  [
    '{"customerId": "a", "colour": "red"}',
    [expect.stringMatching(/^21 \/colour: "colour" is not a known field/)],
  ],
  ['[]', ['1 : Must be an object']],
  ['{"botKey": "b"}', ['1 /customerId: Is required']],
  ['{"customerId": ".", "botKey": "b"}', ['16 /customerId: Must not be . or ..']],
  ['{"customerId": "a", "expiry": -1}', ['31 /expiry: Must not be negative']],
  [
    '{"customerId": "a", "expiry": "1d"}',
    [expect.stringMatching(/^31 \/expiry: Must be a number of seconds/)],
  ],
  ['{"customerId": "a", "expiry": 1e10}', ['31 /expiry: Must be at most ten years, in seconds from now']],
  ['{"customerId": "a", "status": "Open"}', [expect.stringMatching(/^31 \/status: Must be one of: Draft, /)]],
  ['{"customerId": "a", "customer": {"email": "b"}}', ['43 /customer/email: Must be an email address']],
  ['{"customerId": "a", "customer": {"firstName": "\\u0000"}}', [expect.stringMatching(/U\+0000$/)]],
  ['{"customerId": "a", "context": [{"key": "k"}]}', ['33 /context/0/value: Is required']],
  [
    '{"customerId": "a", "context": [{"key": "k", "value": ""}, {"key": "k", "value": ""}]}',
    ['32 /context: Has a key twice'],
  ],
])('the line %s has these faults', (line, expected) => {
  const { lines, faults } = readNdjson(`${good}\n\n${line}\n${good}`, {});
  expect(lines.map(({ row }) => row)).toEqual([1, 4]);
  expect(faults.every(({ row }) => row === 3)).toBe(true);
  const begin = good.length + 2;
  expect(
    faults.map(({ column, offset, ...fault }) => `${offset - begin + 1} ${column}: ${faultText(fault)}`),
  ).toEqual(expected);
});

test('a line takes all fields of a creation', () => {
  const whole: Required<Omit<NewInteraction, 'botId'>> = {
    customerId: 'a',
    customer: { firstName: 'Ada' },
    botKey: 'nps',
    status: 'Pending',
    priority: 'High',
    expiry: 60,
    availableFrom: '2026-12-01T08:00:00Z',
    context: [{ key: 'k', value: 'v' }],
    isTest: false,
    ignoreContactPolicy: true,
  };
  const { lines, faults } = readNdjson(JSON.stringify(whole), {});
  expect([faults, lines.map(({ item }) => item)]).toEqual([[], [whole]]);
});

test('a line is compared with others and its bot as a row of CSV, with places in its JSON', () => {
  const line = (firstName: string) =>
    `{"customerId": "a", "customer": {"firstName": "${firstName}"}, "context": [{"key": "k", "value": ""}]}`;
  const text = `${line('Ada')}\n${line('Eva')}`;
  const { lines } = readNdjson(text, { botKey: 'nps' });
  const shown = [...faultsBetween(lines), ...botFaults(lines, new Map([['key nps', []]]))].map(
    ({ row, kind, values, ...place }) => [
      row,
      kind,
      values,
      text.slice(place.offset, place.offset + place.length),
    ],
  );
  expect(shown).toEqual([
    [2, 'otherValue', [1, 0], '"Eva"'],
    [1, 'noContext', [], '"k"'],
    [2, 'noContext', [], '"k"'],
  ]);
});

test('each bot of a file is read once, and those of lines with an id all at once', async () => {
  const bots = [
    { id: '1', key: 'nps', context: ['note'] },
    { id: '2', key: 'other', context: [] },
  ];
  const asked: (string | undefined)[] = [];
  const list = async ({ key }: { key?: string }) => {
    asked.push(key);
    return bots.filter((bot) => key === undefined || bot.key === key);
  };
  const names = ['"botKey": "nps"', '"botId": "1"', '"botKey": "gone"', '"botId": "2"', '"botId": "3"'];
  const text = [...names, ...names].map((name) => `{"customerId": "a", ${name}}`).join('\n');
  const { lines } = readNdjson(text, {});
  const contexts = await readContexts(lines, list);
  expect(asked).toEqual(['nps', undefined, 'gone']);
  expect(Object.fromEntries(contexts)).toEqual({
    'key nps': ['note'],
    'id 1': ['note'],
    'key gone': undefined,
    'id 2': [],
    'id 3': undefined,
  });
  expect(botNames(lines)).toEqual([...contexts.keys()]);
  expect(botFaults(lines, contexts).map(({ row, kind }) => [row, kind])).toEqual(
    [3, 5, 8, 10].map((row) => [row, 'unknownBot']),
  );
});

test('calls have at most the items and bytes that the API takes, and all lines in order', () => {
  const context = Array.from({ length: 7 }, (_, n) => ({ key: `k${n}`, value: 'x'.repeat(2048) }));
  const item = JSON.stringify({ customerId: 'a', botKey: 'nps', context });
  const { lines } = readNdjson(`${item}\n`.repeat(300), {});
  const chunks = chunksOf(lines);
  expect(chunks.flat()).toEqual(lines);
  const sizes = chunks.map((chunk) => JSON.stringify({ interactions: chunk.map((one) => one.item) }).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * 1024 * 1024);
  expect(chunks).toHaveLength(3);
  const small = readNdjson(`${good}\n`.repeat(1_001), {}).lines;
  expect(chunksOf(small).map((chunk) => chunk.length)).toEqual([500, 500, 1]);
  expect(chunksOf(small, 400).map((chunk) => chunk.length)).toEqual([400, 400, 201]);
});

test('each line gets its link, or why it was rejected', () => {
  const { lines } = readNdjson(`${good}\n`.repeat(3), {});
  const rejected = {
    index: 0,
    error: {
      code: 400,
      type: 'validation-failed',
      detail: 'It is invalid',
      errors: [{ pointer: '/expiry', detail: 'Must not be negative' }],
    },
  };
  expect(resultsOf(lines, [rejected])).toEqual([
    { line: lines[0], error: 'validation-failed: It is invalid; /expiry: Must not be negative' },
    { line: lines[1], error: 'The API returned no result for this line' },
    { line: lines[2], error: 'The API returned no result for this line' },
  ]);
});
