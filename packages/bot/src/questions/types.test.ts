import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readText, takeText } from '../../tests/answers.ts';
import { completes } from '../../tests/completes.ts';
import { sampleQuestions } from '../../tests/sample-questions.ts';
import { type InputRule, typeOf } from './types.ts';

const samples = Object.values(sampleQuestions).flatMap(({ input, typed }): [InputRule, string][] =>
  typed === null ? [] : [[input, typed]],
);

const typed = fc.record({
  wide: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
  script: fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10, 0x1d7ce),
  dash: fc.constantFrom('-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2212', '\ufe63', '\uff0d'),
  blank: fc.constantFrom(' ', '\u00a0', '\u2009', '\u202f', '\u3000', '\u2002'),
  invisible: fc.constantFrom('', '\u200b', '\u200e', '\u2068', '\ufeff', '\u00ad', '\u061c', '\u2060'),
  around: fc.constantFrom('', ' ', '\u00a0', '\u3000', '\u200b', '\n'),
});

/** Writes ASCII as another keyboard or a word processor does. */
function written(text: string, typing: typeof typed extends fc.Arbitrary<infer T> ? T : never): string {
  const { wide, script, dash, blank, invisible, around } = typing;
  const characters = Array.from(text, (character, index) => {
    if (/\d/.test(character)) return String.fromCodePoint(script + Number(character));
    if (character === '-') return dash;
    if (character === ' ') return blank;
    return wide[index] === true ? String.fromCodePoint(character.charCodeAt(0) + 0xfee0) : character;
  });
  return around + characters.join(invisible) + around;
}

test('for every type, any typography of an answer is stored as its ASCII form', () => {
  const pattern: [InputRule, string] = [{ type: 'text', pattern: '[A-Z]+-\\d{2}' }, 'ABC-12'];
  fc.assert(
    fc.property(fc.constantFrom(...samples, pattern), typed, ([rule, text], typing) => {
      const plain = takeText(rule, text);
      expect(typeOf(rule).checkValue(rule, plain, 0)).toEqual({ value: plain });
      // The path of a web address may hold other characters than its ASCII ones, so only whole ones are folded.
      const wide = rule.type === 'url' ? { ...typing, wide: typing.wide.map(() => true) } : typing;
      expect(takeText(rule, written(text, wide))).toEqual(plain);
    }),
    { numRuns: 3_000 },
  );
});

test('an answer of stacked accents is refused in linear time', () => {
  const accents = `a${'\u0301\u0316'.repeat(2_000_000)}`;
  const pattern: InputRule = { type: 'text', pattern: 'x' };
  for (const rule of [...samples.map(([one]) => one), pattern]) {
    const value = completes(() => readText(rule, accents));
    expect(completes(() => typeOf(rule).checkValue(rule, value, 0))).toHaveProperty('reason');
  }
});
