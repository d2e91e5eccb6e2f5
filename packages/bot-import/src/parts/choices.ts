import type { InputRule, LocalText } from '@parley/bot/format';
import type { Report } from '../report/report.ts';
import { slugOf } from './names.ts';
import type { Source } from './source.ts';
import { cut, firstOf, labelCharsMax, mapText } from './texts.ts';

/** A choice of another product. `key`: by what its logic names it. */
export type WantedChoice = { key: string; label: LocalText | undefined; source: Source };

export type Choice = { value: string; label: LocalText };

/** The choices, with the value of each key. */
export type Choices = { choices: Choice[]; values: Map<string, string> };

/** The most choices of a question with one or several answers. */
export const choicesMax = 20;

/**
 * Returns choices with values that are made of their labels. Reports labels that are missing, repeated, too long or
 * with references, which labels cannot have.
 */
export function makeChoices(wanted: readonly WantedChoice[], report: Report): Choices {
  const values = new Map<string, string>();
  const taken = new Set(['other']);
  const seen = new Map<string, number>();
  const choices = wanted.map(({ key, label, source }, index): Choice => {
    const plain = label && mapText(label, (wording) => withoutReferences(wording, source, report));
    if (plain === undefined) report.changed(source, 'label-missing', { label: String(index + 1) });
    const shown = cut(plain ?? String(index + 1), labelCharsMax - 4, source, report);
    const folded = foldedOf(firstOf(shown));
    const before = seen.get(folded) ?? 0;
    seen.set(folded, before + 1);
    const distinct = before === 0 ? shown : mapText(shown, (wording) => `${wording} (${before + 1})`);
    if (before > 0) report.changed(source, 'label-repeated', { label: firstOf(shown) });
    const value = freeName(slugOf(firstOf(shown), 40) || `choice_${index + 1}`, taken);
    if (!values.has(key)) values.set(key, value);
    return { value, label: withoutRepeats(distinct ?? shown, seen, source, report) };
  });
  return { choices, values };
}

function withoutReferences(wording: string, source: Source, report: Report): string {
  if (!wording.includes('{{')) return wording;
  report.changed(source, 'label-reference', { label: wording });
  return wording.replaceAll(/\{\{[^{}]*\}\}/g, '').replaceAll('{{', '{ {');
}

/** Leaves out wordings of other languages that another choice has: the bot's own language is shown instead. */
function withoutRepeats(
  label: LocalText,
  seen: Map<string, number>,
  source: Source,
  report: Report,
): LocalText {
  if (typeof label === 'string') return label;
  const [own, ...others] = Object.entries(label);
  const kept = others.filter(([tag, wording]) => {
    const key = `${tag} ${foldedOf(wording)}`;
    const isRepeated = seen.has(key);
    seen.set(key, 1);
    if (isRepeated) report.changed(source, 'label-repeated', { label: wording });
    return !isRepeated;
  });
  return own === undefined ? label : Object.fromEntries([own, ...kept]);
}

/** Returns what answers in words are compared by: letters and digits. */
function foldedOf(wording: string): string {
  return (
    wording
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim() || wording
  );
}

function freeName(wanted: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** What a question with choices is like, besides them. */
export type ChoiceOptions = {
  isMultiple: boolean;
  isRandom?: boolean;
  other?: LocalText | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** The values that are chosen alone. */
  exclusive?: ReadonlySet<string>;
};

/** Returns the rule of a question with at most `choicesMax` choices. */
export function choiceRule(choices: readonly Choice[], options: ChoiceOptions): InputRule {
  const { isMultiple, isRandom = false, other, min, max, exclusive } = options;
  const more = {
    ...(other !== undefined && { other: { label: other } }),
    ...(isRandom && { order: 'random' as const }),
  };
  if (!isMultiple) return { type: 'choice', choices: [...choices], ...more };
  const most = choices.length + (other === undefined ? 0 : 1);
  const least = Math.min(Math.max(min ?? 1, 1), most);
  return {
    type: 'multiChoice',
    choices: choices.map((one) => (exclusive?.has(one.value) ? { ...one, exclusive: true } : one)),
    ...(least > 1 && { minSelections: least }),
    ...(max !== undefined && max >= least && max < most && { maxSelections: max }),
    ...more,
  };
}
