import { expect, test } from 'vitest';
import { csvRecord } from './csv.ts';

test.each([
  ['Grüße, "Ada"', '"Grüße, ""Ada"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+49 170 1234567', "'+49 170 1234567"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
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
  expect(csvRecord([cell, 'end'])).toBe(`${expected},end\r\n`);
});
