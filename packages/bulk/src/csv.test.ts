import { expect, test } from 'vitest';
import { csvFile, csvRecord } from './csv.ts';
import { readCsv } from './csv-reader.ts';

test.each([
  ['Grüße, "Ada"', '"Grüße, ""Ada"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+49 170 1234567', "'+49 170 1234567"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', '"\'\tx"'],
  ['\nx', '"\'\nx"'],
  ['x;=1', '"x;=1"'],
  ['x\t=1', '"x\t=1"'],
  ['x\n=1+1', '"x\n\'=1+1"'],
  ['x\r\n@SUM(A1)\r\n-5\ry', '"x\r\n\'@SUM(A1)\r\n-5\ry"'],
  ['x\r+y\n\n-z', '"x\r\'+y\n\n\'-z"'],
  ['=a\n=b', '"\'=a\n\'=b"'],
  ['\n=x', '"\'\n\'=x"'],
  ['x\n\ty', '"x\n\'\ty"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－x', "'－x"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['x\n＝1', '"x\n\'＝1"'],
  ['\rx', '"\'\rx"'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ['-', "'-"],
  ['-5', '-5'],
  ['-2.5', '-2.5'],
  ['+7', '+7'],
  ['-1e3', '-1e3'],
  ['00491701234567890123', '"00491701234567890123"'],
  ['1234567890123456', '"1234567890123456"'],
  ['123456789012345', '123456789012345'],
  ['0.5', '0.5'],
  ['a=b', 'a=b'],
  [' =x', ' =x'],
  ['', ''],
])('%j becomes the cell %j', (cell, expected) => {
  expect(csvRecord([cell, 'end'])).toBe(`${expected},end`);
});

test('records with another separator quote the same cells, and are read as they were written', () => {
  const cells = ['a,b', 'c;d', 'e\tf', 'say "hi"\r\nand go', 'plain', '007', ''];
  for (const separator of [',', ';', '\t']) {
    const record = csvRecord(cells, separator);
    expect(record).toBe(
      ['"a,b"', '"c;d"', '"e\tf"', '"say ""hi""\r\nand go"', 'plain', '"007"', ''].join(separator),
    );
    const { rows } = readCsv(`sep=${separator}\r\n${record}`);
    expect(rows.map((row) => row.cells.map(({ text }) => text))).toEqual([cells]);
  }
});

test.each(['|', '^', '-', 'x', "'"])(
  'a file with the separator %s is read as it was written',
  (separator) => {
    const cells = ['a|b', 'c^d', 'e-f', "it's x", 'plain', ''];
    const { rows } = readCsv(`\uFEFF${csvFile([cells, cells], { separator })}`);
    expect(rows.map((row) => row.cells.map(({ text }) => text))).toEqual([cells, cells]);
  },
);

test.each([',', ';', '\t'])('the separator %j needs no line of its own', (separator) => {
  expect(csvFile([['a', 'b']], { separator, lineEnd: '\n' })).toBe(`a${separator}b\n`);
});
