import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completes } from '../../tests/completes.ts';
import { checkValue } from './check-value.ts';
import type { InputRule } from './input-rule.ts';
import { readText } from './read-text.ts';
import { refusalText } from './refusal.ts';

/** Returns what the typed text is stored as, or the text of the refusal. */
function taken(rule: InputRule, text: string, locale = 'en'): unknown {
  const language = { locale, ownLocale: 'en' };
  const checked = checkValue(rule, readText(rule, text, language), 0);
  return 'value' in checked ? checked.value : refusalText(checked, language);
}

const fruits: InputRule = {
  type: 'multiChoice',
  choices: [
    { value: 'apple', label: 'りんご' },
    { value: 'orange', label: 'みかん' },
  ],
};

describe('what customers type on other keyboards, or paste, means what they see', () => {
  test.each<[InputRule, string, unknown]>([
    [{ type: 'email' }, 'ａbc@example.com', 'abc@example.com'],
    [{ type: 'email' }, 'a＠example.com', 'a@example.com'],
    [{ type: 'email' }, 'a\u200bbc@exam\u00adple.com\ufeff', 'abc@example.com'],
    [{ type: 'email' }, '\u2068a@example\u3002com\u2069', 'a@example.com'],
    [{ type: 'email' }, '\u00a0a@example.com\u3000', 'a@example.com'],
    [{ type: 'email' }, 'a@example.com。', 'a@example.com'],
    [{ type: 'email' }, 'a@example.com.', 'a@example.com'],
    [{ type: 'email' }, 'o’brien‑smith٢@example.com', "o'brien-smith2@example.com"],
    [{ type: 'email' }, 'müller@スーパー.jp', 'müller@スーパー.jp'],
    [{ type: 'phone' }, '+49 30\u2212123\u221245', '+493012345'],
    [{ type: 'phone' }, '０３ー１２３４ー５６７８', '0312345678'],
    [{ type: 'phone' }, '＋４９（０）３０\u2009１２３４５', '+493012345'],
    [{ type: 'url' }, 'ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／ａ？ｂ＝１', 'https://example.com/a?b=1'],
    [{ type: 'url' }, 'example。com', 'https://example.com/'],
    [{ type: 'url' }, '\u200bexample.com/a\u200b', 'https://example.com/a'],
    [{ type: 'url' }, 'https://スーパー.jp/', 'https://xn--zck5b0gb.jp/'],
    [{ type: 'url' }, 'https://example.com/a–b', 'https://example.com/a%E2%80%93b'],
    ...['。', '｡', '．', '！', '؟', '।', '۔', '։', '።', '។', '។។', ' ။', '‼'].map(
      (end): [InputRule, string, unknown] => [
        { type: 'url' },
        `example.com/a${end}`,
        'https://example.com/a',
      ],
    ),
    [{ type: 'url' }, 'https://example.com/。/Inc.', 'https://example.com/%E3%80%82/Inc.'],
    [{ type: 'date' }, '2030-05-01။', '2030-05-01'],
    [{ type: 'email' }, 'a@example.com।', 'a@example.com'],
    [{ type: 'number' }, '１，２００．５', 1200.5],
    [{ type: 'number' }, '१\u202f२००', 1200],
    [{ type: 'number' }, '–5', -5],
    [{ type: 'number' }, '１２。', 12],
    [{ type: 'date' }, '２０３０／５／１', '2030-05-01'],
    [{ type: 'date' }, '2030‐05‐01。', '2030-05-01'],
    [{ type: 'date' }, '२०३०，५，१', '2030-05-01'],
    [{ type: 'date' }, '2030\u00a0. 5.1.', '2030-05-01'],
    [{ type: 'time' }, '１９：３０', '19:30'],
    [{ type: 'time' }, '7∶30\u202fp.m.', '19:30'],
    [{ type: 'nps' }, '９。', 9],
    [{ type: 'rating' }, '\u200e٤', 4],
    [{ type: 'yesNo' }, 'ｙｅｓ！', true],
    [{ type: 'yesNo', labels: { yes: 'はい', no: 'いいえ' } }, 'いいえ。', false],
    [{ type: 'choice', choices: [{ value: 'x', label: 'I’m in – “now”' }] }, 'i\'m in - "now"', 'x'],
    [{ type: 'choice', choices: [{ value: 'x', label: 'C#' }] }, 'Ｃ＃', 'x'],
    [fruits, 'りんご、みかん', ['apple', 'orange']],
    [fruits, 'みかん・りんご。', ['apple', 'orange']],
    [fruits, 'りんご，みかん', ['apple', 'orange']],
    [fruits, 'りんご؛みかん', ['apple', 'orange']],
    [{ type: 'text', pattern: '[A-Z]{2}\\d+' }, 'ＡＢ１２', 'AB12'],
    [{ type: 'text' }, 'ＡＢ“１２”', 'ＡＢ“１２”'],
  ])('%j: %s', (rule, text, value) => {
    expect(taken(rule, text)).toEqual(value);
  });

  test.each<[InputRule, string, string]>([
    [{ type: 'email' }, 'a＠b', 'name@example.com'],
    [{ type: 'phone' }, '１２', '+44 20 7946 0000'],
    [{ type: 'url' }, 'ｅｘａｍｐｌｅ', 'https://example.com'],
    [{ type: 'number' }, '1.200', 'Bitte antworten Sie mit einer Zahl. Beispiel: 1200'],
    [{ type: 'number', integer: true }, '2,5', 'Beispiel: 3'],
    [{ type: 'date' }, '5．1．2030', '2030-12-31'],
    [{ type: 'time' }, '１９', '14:30'],
    [{ type: 'nps' }, '1.200', 'von 0 bis 10'],
  ])('what stays unclear is refused with an example or the limits: %j: %s', (rule, text, example) => {
    expect(taken(rule, text, 'de')).toContain(example);
  });
});

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
  const answers: [InputRule, string][] = [
    [{ type: 'email' }, "o'neil.b-c+x9@mail-1.example.com"],
    [{ type: 'phone' }, '+49 (0)30 123-456/78'],
    [{ type: 'url' }, 'https://example.com/a-b?c=1'],
    [{ type: 'number' }, '-1,234,567.5'],
    [{ type: 'date' }, '2030-05-01'],
    [{ type: 'time' }, '7:30 pm'],
    [{ type: 'nps' }, '10'],
    [{ type: 'rating' }, '4'],
    [{ type: 'yesNo' }, 'Yes!'],
    [{ type: 'choice', choices: [{ value: 'x', label: 'From 5 - 10 (about)' }] }, 'from 5 - 10 (about)'],
    [fruits, 'apple, orange;'],
    [{ type: 'text', pattern: '[A-Z]+-\\d{2}' }, 'ABC-12'],
  ];
  fc.assert(
    fc.property(fc.constantFrom(...answers), typed, ([rule, text], typing) => {
      const plain = taken(rule, text);
      expect(checkValue(rule, plain, 0)).toEqual({ value: plain });
      // The path of a web address may hold other characters than its ASCII ones, so only whole ones are folded.
      const wide = rule.type === 'url' ? { ...typing, wide: typing.wide.map(() => true) } : typing;
      expect(taken(rule, written(text, wide))).toEqual(plain);
    }),
    { numRuns: 3_000 },
  );
});

test('an answer of stacked accents is refused in linear time', () => {
  const accents = `a${'\u0301\u0316'.repeat(2_000_000)}`;
  const rules: InputRule[] = [
    ...(['email', 'phone', 'url', 'number', 'date', 'time', 'nps', 'yesNo'] as const).map((type) => ({
      type,
    })),
    { type: 'choice', choices: [{ value: 'x', label: 'X' }] },
    { type: 'text', pattern: 'x' },
    fruits,
  ];
  for (const rule of rules) {
    const value = completes(() => readText(rule, accents, { locale: 'en', ownLocale: 'en' }));
    expect(completes(() => checkValue(rule, value, 0))).toHaveProperty('reason');
  }
});
