import { boundDate, isDate } from './calendar.ts';
import { compilePattern, lengthMax, patternSizeMax } from './check-value.ts';
import type { Choice, InputRule, LocalText } from './format.ts';
import { reportLanguage } from './language-faults.ts';

type Report = (pointer: string, detail: string) => void;

/** Reports options of an input that contradict each other or cannot work. `pointer`s are inside the input. */
export function inputFaults(rule: InputRule, locale: string | undefined, report: Report): void {
  switch (rule.type) {
    case 'text':
    case 'longText':
      order(rule.minLength, lengthMax(rule), 'minLength', 'maxLength', report);
      if (rule.pattern !== undefined) patternFaults(rule.pattern, report);
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
        labelFaults(label, locale, (detail) => report(`/labels/${name}`, detail));
      }
      break;
    case 'number':
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
  const labels = new Set<string>();
  choices.forEach(({ value, label }, index) => {
    const wording = JSON.stringify(label).toLowerCase();
    if (values.has(value)) report(`/choices/${index}/value`, `The value "${value}" is there twice.`);
    else if (labels.has(wording)) report(`/choices/${index}/label`, 'Another choice has the same label.');
    values.add(value);
    labels.add(wording);
    labelFaults(label, locale, (detail) => report(`/choices/${index}/label`, detail));
  });
}

function labelFaults(label: LocalText, locale: string | undefined, report: (detail: string) => void): void {
  reportLanguage(label, locale, report);
  const wordings = typeof label === 'string' ? [label] : Object.values(label);
  if (wordings.some((wording) => wording.includes('{{')))
    report('Nothing is filled in in labels: write them out.');
}

function patternFaults(pattern: string, report: Report): void {
  try {
    if (compilePattern(pattern).programSize() > patternSizeMax)
      report('/pattern', 'The pattern is too large.');
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
  if (relative === 1) return; // which one comes first depends on the day
  const [min, max] = [rule.min, rule.max].map((bound) =>
    bound === undefined ? undefined : boundDate(bound, 0),
  );
  order(min, max, 'min', 'max', report);
}

function order<T extends number | string>(
  low: T | undefined,
  high: T | undefined,
  lowName: string,
  highName: string,
  report: Report,
): void {
  if (low !== undefined && high !== undefined && low > high) {
    report(`/${lowName}`, `Must not be more than ${highName} (${low} > ${high}).`);
  }
}
