import { RE2JS } from 're2js';
import { boundDate, isDate } from '../text/calendar.ts';
import { isBlank } from '../text/characters.ts';
import { lengthMax, patternSizeMax, patternsMax, patternWorkMax } from './check-value.ts';
import type { LocalText } from '../text/format-text.ts';
import type { Choice, InputRule } from './input-rule.ts';
import { reportLanguage } from '../text/language-faults.ts';
import { foldWording } from './read-choice.ts';
import { localText } from '../text/template.ts';

type Report = (pointer: string, detail: string) => void;
type Repeated = { inside: string; where: string };

/** The most languages in which labels are compared. */
const tagsMax = 40;

/** What the checks of a definition's inputs have in common. */
export type InputChecks = { locale: string | undefined; patternsLeft: number };

/** Returns the state of checks that begin. The locale is undefined if it could not be read. */
export function newInputChecks(locale: string | undefined): InputChecks {
  return { locale, patternsLeft: patternsMax };
}

/** Reports options of an input that contradict each other or cannot work. `pointer`s are inside the input. */
export function inputFaults(rule: InputRule, checks: InputChecks, report: Report): void {
  const { locale } = checks;
  switch (rule.type) {
    case 'text':
    case 'longText':
      order(rule.minLength, lengthMax(rule), 'minLength', 'maxLength', report);
      if (rule.pattern !== undefined) patternFaults(rule.pattern, lengthMax(rule), checks, report);
      break;
    case 'choice':
      choiceFaults(rule.choices, locale, report);
      break;
    case 'multiChoice':
      choiceFaults(rule.choices, locale, report);
      order(rule.minSelections ?? 1, rule.maxSelections, 'minSelections', 'maxSelections', report);
      order(rule.minSelections, rule.choices.length, 'minSelections', 'the number of choices', report);
      order(rule.maxSelections, rule.choices.length, 'maxSelections', 'the number of choices', report);
      break;
    case 'nps':
    case 'rating':
    case 'yesNo':
      for (const [name, label] of Object.entries(rule.labels ?? {})) {
        labelFaults(label, locale, (inside, detail) => report(`/labels/${name}${inside}`, detail));
      }
      if (rule.type === 'yesNo' && rule.labels !== undefined) {
        const { yes, no } = rule.labels;
        const same = repeatedLabels([yes, no], locale).get(1);
        if (same !== undefined)
          report(`/labels/no${same.inside}`, `Yes and no have the same label${same.where}.`);
      }
      break;
    case 'number':
      numberFaults(rule, report);
      break;
    case 'time':
      order(rule.min, rule.max, 'min', 'max', report);
      break;
    case 'date':
      dateFaults(rule, report);
      break;
    default:
      break;
  }
}

function choiceFaults(choices: Choice[], locale: string | undefined, report: Report): void {
  const values = new Set<string>();
  const repeated = repeatedLabels(
    choices.map(({ label }) => label),
    locale,
  );
  choices.forEach(({ value, label }, index) => {
    const same = repeated.get(index);
    if (values.has(value)) report(`/choices/${index}/value`, `The value "${value}" is repeated.`);
    else if (same !== undefined) {
      report(`/choices/${index}/label${same.inside}`, `Another choice has the same label${same.where}.`);
    }
    values.add(value);
    labelFaults(label, locale, (inside, detail) => report(`/choices/${index}/label${inside}`, detail));
  });
}

/**
 * Returns, by index, the labels that equal an earlier one in some language: the language, and the label's
 * position in it.
 */
function repeatedLabels(labels: LocalText[], locale: string | undefined): Map<number, Repeated> {
  const found = new Map<number, Repeated>();
  const tags = labels.flatMap((label) => (typeof label === 'string' ? [] : Object.keys(label)));
  const isEverywhere = tags.length === 0;
  if (locale !== undefined || isEverywhere) tags.unshift(locale ?? '');
  const folded = new Map<string, string>();
  const fold = (wording: string): string => {
    const known = folded.get(wording) ?? foldWording(wording);
    folded.set(wording, known);
    return known;
  };
  for (const tag of [...new Set(tags)].slice(0, tagsMax)) {
    const seen = new Set<string>();
    labels.forEach((label, index) => {
      const shown = fold(localText(label, tag, locale ?? ''));
      if (seen.has(shown) && shown !== '' && !found.has(index)) {
        const isOwn = typeof label !== 'string' && Object.hasOwn(label, tag);
        found.set(index, { inside: isOwn ? `/${tag}` : '', where: isEverywhere ? '' : ` in "${tag}"` });
      }
      seen.add(shown);
    });
  }
  return found;
}

function labelFaults(label: LocalText, locale: string | undefined, report: Report): void {
  reportLanguage(label, locale, (detail) => report('', detail));
  const wordings = typeof label === 'string' ? [['', label]] : Object.entries(label);
  for (const [tag, wording = ''] of wordings) {
    if (isBlank(wording)) report(tag === '' ? '' : `/${tag}`, 'Must not be blank.');
  }
  if (wordings.some(([, wording]) => wording?.includes('{{')))
    report('', 'Labels cannot contain {{...}} references.');
}

function numberFaults(rule: { min?: number; max?: number; integer?: boolean }, report: Report): void {
  const { min, max, integer } = rule;
  order(min, max, 'min', 'max', report);
  if (integer !== true || min === undefined || max === undefined || min > max) return;
  if (Math.ceil(min) > Math.floor(max)) report('/min', `There is no whole number from ${min} to ${max}.`);
}

function patternFaults(pattern: string, charsMax: number, checks: InputChecks, report: Report): void {
  checks.patternsLeft -= 1;
  if (checks.patternsLeft < 0) {
    // Reported once.
    if (checks.patternsLeft === -1)
      report('/pattern', `A definition may have at most ${patternsMax} patterns.`);
    return;
  }
  try {
    const size = RE2JS.compile(pattern).programSize();
    if (size > patternSizeMax) report('/pattern', 'The pattern is too large.');
    else if (size * charsMax > patternWorkMax) {
      const allowed = Math.floor(patternWorkMax / size);
      report(
        '/pattern',
        `The pattern is too large for answers of ${charsMax} characters: shorten it, or set maxLength to ${allowed} or less.`,
      );
    }
  } catch (error) {
    const why =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'not understood';
    report('/pattern', `This is not an RE2 pattern: ${why}.`);
  }
}

function dateFaults(rule: { min?: string; max?: string }, report: Report): void {
  for (const name of ['min', 'max'] as const) {
    const bound = rule[name];
    if (bound !== undefined && !isDate(boundDate(bound, 0))) report(`/${name}`, `There is no day ${bound}.`);
  }
  const relative = [rule.min, rule.max].filter((bound) => bound?.startsWith('today')).length;
  if (relative === 1) return; // their order depends on the day
  const { min, max } = rule;
  if (min === undefined || max === undefined || boundDate(min, 0) <= boundDate(max, 0)) return;
  report('/min', notOrdered(min, max, 'max'));
}

function order<T extends number | string>(
  low: T | undefined,
  high: T | undefined,
  lowName: string,
  highName: string,
  report: Report,
): void {
  if (low !== undefined && high !== undefined && low > high) {
    report(`/${lowName}`, notOrdered(low, high, highName));
  }
}

function notOrdered(low: number | string, high: number | string, highName: string): string {
  return `Must not be more than ${highName} (${low} > ${high}).`;
}
