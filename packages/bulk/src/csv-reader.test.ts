import { expect, test } from 'vitest';
import { readCsv } from './csv-reader.ts';

/** The cells of a file without a fault, by row. */
function cellsOf(text: string): string[][] {
  const { rows, fault } = readCsv(text);
  expect(fault).toBeUndefined();
  return rows.map(({ cells }) => cells.map((cell) => cell.text));
}

const ab = ['a', 'b'];

test.each([
  ['a,b\n1,2\n', [ab, ['1', '2']]],
  ['\uFEFFa;b\r\n"x;y";"say ""hi"""\r\n', [ab, ['x;y', 'say "hi"']]],
  ['a\tb\n\n1\t\n', [ab, ['1', '']]],
  ['a,b\n"two\nlines",2', [ab, ['two\nlines', '2']]],
  ['a,b\n "x" ,""\n', [ab, ['x', '']]],
  ['', []],
  // What Excel writes, or takes, in front.
  ['sep=;\r\na;b\r\n1,5;2\r\n', [ab, ['1,5', '2']]],
  ['\uFEFFsep=;\na;b\n', [ab]],
  ['"sep=,"\na,b\n', [ab]],
  ['SEP=\t\na\tb\n', [ab]],
  ['sep=|\na|b\n"x|y"|2', [ab, ['x|y', '2']]],
  ['sep=]\na]b\n', [ab]],
  ['sep=^\na^b\n', [ab]],
  // Empty lines in front.
  ['\r\na;b\r\n1,5;2\r\n', [ab, ['1,5', '2']]],
  [';\n ; \na;b\n', [ab]],
  [',,\na,b\n', [ab]],
  ['\uFEFF\n\n"a";"b"\n', [ab]],
])('reads %j', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test('rows have the numbers that a spreadsheet shows', () => {
  const numbers = (text: string) => readCsv(text).rows.map(({ row }) => row);
  expect(numbers('a\n"1\n2"\n\n3\n')).toEqual([1, 2, 4]);
  expect(numbers('a\r\n"1\r\n\r\n2"\r\n,,\r\n3\r4')).toEqual([1, 2, 4, 5]);
  expect(numbers('sep=;\na\n1\n')).toEqual([1, 2]);
  expect(numbers('\na\n1\n')).toEqual([2, 3]);
});

test('cells have their places, with quotation marks', () => {
  const text = '\uFEFFa,b\n"x,y", z \n';
  const places = readCsv(text).rows.flatMap(({ cells }) =>
    cells.map(({ offset, length }) => text.slice(offset, offset + length)),
  );
  expect(places).toEqual(['a', 'b', '"x,y"', ' z ']);
});

test.each([
  ['a,b\n1,2\n3,"4\n5,6\n', 3, 'unclosedQuote', '"4'],
  ['a,b\n"1\n2",2\n3,"4', 3, 'unclosedQuote', '"4'],
  ['a\n"', 2, 'unclosedQuote', '"'],
  ['a\n"x""', 2, 'unclosedQuote', '"x""'],
  // The next quotation mark would close it.
  ['a,b\n1,"2\n3,"4"\n5,6\n', 2, 'strayQuote', '"2'],
  ['a,b\n1,"2" inch\n', 2, 'strayQuote', '"2" inch'],
  ['a,b\n1,2" inch\n', 2, 'strayQuote', '2" inch'],
  ['a\nJ\uFFFDrg\nx\n', 2, 'lostCharacter', 'J\uFFFDrg'],
])('the fault of %j has its row', (text, row, kind, at) => {
  const { fault } = readCsv(text);
  expect(fault).toMatchObject({ row, kind });
  expect(text.slice(fault?.offset, (fault?.offset ?? 0) + (fault?.length ?? 0))).toBe(at);
});

test('a long file is read, and a quotation mark at its beginning found', () => {
  const rows = 'a,"b ""b""",c\r\n'.repeat(200_000);
  expect(readCsv(rows).rows).toHaveLength(200_000);
  expect(readCsv(`"${rows.replaceAll('"', '')}`).fault).toMatchObject({ row: 1, kind: 'unclosedQuote' });
});
