import { expect, test } from 'vitest';
import { checkRows } from './rows.ts';
import { readCsv, writeCsv } from './csv.ts';

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n"x;y";"say ""hi"""\r\n',
    [
      ['a', 'b'],
      ['x;y', 'say "hi"'],
    ],
  ],
  [
    'a\tb\n\n1\t\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'a,b\n"two\nlines",2',
    [
      ['a', 'b'],
      ['two\nlines', '2'],
    ],
  ],
  ['', []],
])('reads %j', (text, cells) => {
  expect(readCsv(text).map((row) => row.cells)).toEqual(cells);
});

test('rows know their line', () => {
  expect(readCsv('a\n"1\n2"\n\n3\n').map(({ line }) => line)).toEqual([1, 2, 5]);
});

test('a written file is read as it was, but has no formulas', () => {
  const rows = [
    ['a', 'b'],
    ['x,y', 'say "hi"\nand go'],
  ];
  expect(readCsv(writeCsv(rows)).map(({ cells }) => cells)).toEqual(rows);
  expect(writeCsv([['=1+1', '@x', '-2', '+3']])).toBe("\uFEFF'=1+1,'@x,'-2,'+3\r\n");
});

test('rows become invitations, and faults have their rows', () => {
  const text = [
    'customerId,firstName,email,context.productName,surname',
    'c-1,Ada,ada@example.com,Tea,',
    ',Eve,,,',
    'c-3,,nonsense,,',
    'c-4',
  ].join('\n');
  const { items, faults } = checkRows(readCsv(text), ['productName']);
  expect(items).toEqual([
    {
      line: 2,
      item: {
        customerId: 'c-1',
        customer: { firstName: 'Ada', email: 'ada@example.com' },
        context: [{ key: 'productName', value: 'Tea' }],
      },
    },
  ]);
  expect(faults).toEqual([
    { line: 1, column: 'surname', kind: 'unknownColumn' },
    { line: 3, column: 'customerId', kind: 'badId' },
    { line: 4, column: 'email', kind: 'badEmail' },
    { line: 5, column: '', kind: 'cellCount' },
  ]);
});

test('a row may have an expiry and a priority', () => {
  const text = 'customerId,expiry,priority\nc-1,86400,High\nc-2,,\nc-3,soon,high\nc-4,-1,Low\n';
  const { items, faults } = checkRows(readCsv(text), []);
  expect(items.map(({ item }) => item)).toEqual([
    { customerId: 'c-1', expiry: 86_400, priority: 'High' },
    { customerId: 'c-2' },
  ]);
  expect(faults).toEqual([
    { line: 4, column: 'expiry', kind: 'badExpiry' },
    { line: 4, column: 'priority', kind: 'badPriority' },
    { line: 5, column: 'expiry', kind: 'badExpiry' },
  ]);
});

test('a file needs rows and ids', () => {
  expect(checkRows([], []).faults).toEqual([{ line: 1, column: '', kind: 'empty' }]);
  expect(checkRows(readCsv('name\nAda\n'), []).faults).toContainEqual({
    line: 1,
    column: 'customerId',
    kind: 'missingColumn',
  });
});
