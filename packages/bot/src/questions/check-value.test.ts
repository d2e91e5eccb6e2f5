import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { checkValue, cleanText } from './check-value.ts';
import type { InputRule } from './input-rule.ts';

const now = Date.parse('2026-11-21T12:00:00Z') / 1000;
const choices = ['red', 'green', 'blue'].map((value) => ({ value, label: value.toUpperCase() }));

describe('valid values, in canonical form', () => {
  test.each<[InputRule, unknown, unknown]>([
    [{ type: 'text' }, '  two\nlines\u0000 ', 'two lines'],
    [{ type: 'longText' }, ' two\r\nlines\u0007 ', 'two\nlines'],
    [{ type: 'text' }, 'half a pair \ud800', 'half a pair \ufffd'],
    [{ type: 'text', pattern: '[A-Z]{2}\\d+' }, 'AB12', 'AB12'],
    [{ type: 'choice', choices }, 'red', 'red'],
    [{ type: 'multiChoice', choices }, ['blue', 'red'], ['red', 'blue']],
    [{ type: 'multiChoice', choices, minSelections: 0 }, [], []],
    [{ type: 'nps' }, 0, 0],
    [{ type: 'nps' }, -0, 0],
    [{ type: 'nps' }, 10, 10],
    [{ type: 'rating' }, 5, 5],
    [{ type: 'rating', max: 7 }, 7, 7],
    [{ type: 'number' }, 2.5, 2.5],
    [{ type: 'number', integer: true, min: 3, max: 3 }, 3, 3],
    [{ type: 'yesNo' }, false, false],
    [{ type: 'date' }, '2028-02-29', '2028-02-29'],
    [{ type: 'date', min: 'today', max: 'today' }, '2026-11-21', '2026-11-21'],
    [{ type: 'date', min: 'today+30' }, '2026-12-21', '2026-12-21'],
    [{ type: 'time', min: '08:00' }, '08:00', '08:00'],
    [{ type: 'email' }, ' Mia.B+x@Example.COM ', 'Mia.B+x@example.com'],
    [{ type: 'phone' }, '0046 (0)8-123 45', '+46812345'],
    [{ type: 'phone' }, '(020) 7946.0000', '02079460000'],
    [{ type: 'phone' }, '\u202a+٤٤ (٠)٢٠ ٧٩٤٦\u202c', '+44207946'],
    [{ type: 'url' }, 'Example.com/a b'.replace(' ', '%20'), 'https://example.com/a%20b'],
    [{ type: 'url' }, 'http://example.com', 'http://example.com/'],
    [{ type: 'url' }, 'www.example.com.', 'https://www.example.com./'],
  ])('%j: %j', (rule, value, expected) => {
    expect(checkValue(rule, value, now)).toEqual({ value: expected });
  });
});

describe('invalid values, with a reason', () => {
  test.each<[InputRule, unknown, string]>([
    [{ type: 'text' }, ' \n ', 'empty'],
    [{ type: 'text' }, '\u200b', 'empty'],
    [{ type: 'longText' }, '\u3164\n\u00ad\u2060', 'empty'],
    [{ type: 'text' }, 5, 'not-a-text'],
    [{ type: 'text', minLength: 3 }, 'ab', 'too-short'],
    [{ type: 'text', maxLength: 3 }, 'abcd', 'too-long'],
    [{ type: 'text' }, 'x'.repeat(501), 'too-long'],
    [{ type: 'text', pattern: '[A-Z]+' }, 'ABc', 'wrong-format'],
    [{ type: 'choice', choices }, 'RED', 'not-a-choice'],
    [{ type: 'choice', choices }, ['red'], 'not-a-choice'],
    [{ type: 'multiChoice', choices }, 'red', 'not-a-choice'],
    [{ type: 'multiChoice', choices }, ['red', 'pink'], 'not-a-choice'],
    [{ type: 'multiChoice', choices }, ['red', 'red'], 'chosen-twice'],
    [{ type: 'multiChoice', choices }, [], 'too-few'],
    [{ type: 'multiChoice', choices, maxSelections: 1 }, ['red', 'blue'], 'too-many'],
    [{ type: 'nps' }, 11, 'not-on-the-scale'],
    [{ type: 'nps' }, -1, 'not-on-the-scale'],
    [{ type: 'nps' }, 7.5, 'not-on-the-scale'],
    [{ type: 'nps' }, '7', 'not-on-the-scale'],
    [{ type: 'rating' }, 0, 'not-on-the-scale'],
    [{ type: 'rating' }, 6, 'not-on-the-scale'],
    [{ type: 'number' }, '7', 'not-a-number'],
    [{ type: 'number' }, Number.NaN, 'not-a-number'],
    [{ type: 'number', integer: true }, 7.5, 'not-a-whole-number'],
    [{ type: 'number', min: 2 }, 1.9, 'too-small'],
    [{ type: 'number', max: 2 }, 2.1, 'too-large'],
    [{ type: 'number' }, 1e300, 'too-large'],
    [{ type: 'yesNo' }, 'yes', 'not-yes-or-no'],
    [{ type: 'date' }, '2026-02-29', 'not-a-date'],
    [{ type: 'date' }, '2026-2-9', 'not-a-date'],
    [{ type: 'date', min: 'today' }, '2026-11-20', 'too-early'],
    [{ type: 'date', max: 'today-1' }, '2026-11-21', 'too-late'],
    [{ type: 'time' }, '24:00', 'not-a-time'],
    [{ type: 'time', max: '17:00' }, '17:01', 'too-late'],
    [{ type: 'email' }, 'mia@example', 'not-an-email'],
    [{ type: 'email' }, 'mia@@example.com', 'not-an-email'],
    [{ type: 'email' }, '.mia@example.com', 'not-an-email'],
    [{ type: 'email' }, 'mia@-example.com', 'not-an-email'],
    [{ type: 'phone' }, '1234', 'not-a-phone'],
    [{ type: 'phone' }, 'call me', 'not-a-phone'],
    [{ type: 'url' }, 'javascript:alert(1)', 'not-a-url'],
    [{ type: 'url' }, 'ftp://example.com', 'not-a-url'],
    [{ type: 'url' }, 'https://.com', 'not-a-url'],
    [{ type: 'url' }, 'example..com', 'not-a-url'],
    [{ type: 'url' }, 'localhost.', 'not-a-url'],
    [{ type: 'url' }, 'https://mia:secret@example.com', 'not-a-url'],
    [{ type: 'url' }, 'not a url', 'not-a-url'],
    [{ type: 'url' }, null, 'not-a-url'],
  ])('%j: %j', (rule, value, reason) => {
    expect(checkValue(rule, value, now)).toMatchObject({ reason });
  });
});

test('checking a text takes linear time, also with long runs of blanks', () => {
  const ofBlanks = (count: number) => `a${' '.repeat(count)}b`;
  expect(cleanText(ofBlanks(3).replace('   ', ' \t '), false)).toBe('a b');
  expect(completes(() => cleanText(ofBlanks(4_000_000), false))).toHaveLength(4_000_002);
});
