import { yesNoLabels } from './answer-forms.ts';
import { cleanText } from './check-value.ts';
import type { Choice, InputRule, LocalText } from './format.ts';

const yesWords = ['yes', 'y', 'yep', 'yeah', 'true'];
const noWords = ['no', 'n', 'nope', 'false'];

/**
 * What free text means as a value for the question, or undefined when it means none: choices by label or value in any
 * letter case, "yes" and "no", numbers, days and times. The value still has to pass `checkValue`.
 */
export function readText(rule: InputRule, text: string): unknown {
  switch (rule.type) {
    case 'choice':
      return readChoice(rule.choices, text);
    case 'multiChoice':
      return readSelection(rule.choices, text);
    case 'nps':
    case 'rating':
    case 'number':
      return readNumber(text);
    case 'yesNo':
      return readYesNo(rule.labels ?? yesNoLabels, text);
    case 'date':
      return readDate(text);
    case 'time':
      return readTime(text);
    default:
      return text;
  }
}

// By value, then by label, then by what remains of labels without punctuation, if only one choice fits.
function readChoice(choices: Choice[], text: string): string | undefined {
  const wanted = fold(text);
  const exact =
    choices.find((choice) => fold(choice.value) === wanted) ??
    choices.find((choice) => wordings(choice.label).some((wording) => fold(wording) === wanted));
  if (exact !== undefined) return exact.value;
  const alike = choices.filter((choice) => wordings(choice.label).some((wording) => isAlike(wording, text)));
  return alike.length === 1 ? alike[0]?.value : undefined;
}

// Labels may hold commas themselves, so each item is the longest run of pieces that is a choice.
function readSelection(choices: Choice[], text: string): string[] | undefined {
  const pieces = text
    .split(/[,;\n]/)
    .filter((piece) => piece.trim() !== '')
    .slice(0, 100);
  const values = new Set<string>();
  for (let at = 0; at < pieces.length; ) {
    let end = pieces.length;
    let value: string | undefined;
    for (; end > at && value === undefined; end -= 1)
      value = readChoice(choices, pieces.slice(at, end).join(','));
    if (value === undefined) return undefined;
    values.add(value);
    at = end + 1;
  }
  return values.size === 0 ? undefined : [...values];
}

function readYesNo(labels: { yes: LocalText; no: LocalText }, text: string): boolean | undefined {
  const choices = [
    { value: 'yes', label: labels.yes },
    { value: 'no', label: labels.no },
  ];
  const choice = readChoice(choices, text);
  if (choice !== undefined) return choice === 'yes';
  const wanted = fold(text).replace(/[.!]+$/, '');
  if (yesWords.includes(wanted)) return true;
  return noWords.includes(wanted) ? false : undefined;
}

// A comma before exactly three digits groups thousands, any other single comma is a decimal one: 1,200 and 3,5.
function readNumber(text: string): number | undefined {
  const plain = text
    .normalize('NFKC')
    .trim()
    .replace('\u2212', '-')
    .replaceAll(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const ungrouped = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(plain)
    ? plain.replaceAll(',', '')
    : plain.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  return /^[+-]?\d{1,20}(\.\d{1,20})?$/.test(ungrouped) ? Number(ungrouped) : undefined;
}

function readDate(text: string): string | undefined {
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text.normalize('NFKC').trim());
  if (match === null) return undefined;
  const [, year = '', month = '', day = ''] = match;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function readTime(text: string): string | undefined {
  const match = /^(\d{1,2})[:.h](\d{2})\s*(am|pm)?$/i.exec(text.normalize('NFKC').trim());
  if (match === null) return undefined;
  const [, hours = '', minutes = '', half] = match;
  const hour = Number(hours);
  if (half === undefined) return `${hours.padStart(2, '0')}:${minutes}`;
  if (hour < 1 || hour > 12) return undefined;
  return `${String((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)).padStart(2, '0')}:${minutes}`;
}

function wordings(label: LocalText): string[] {
  return typeof label === 'string' ? [label] : Object.values(label);
}

function fold(text: string): string {
  return cleanText(text.normalize('NFKC'), false).toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('’', "'");
}

function isAlike(label: string, text: string): boolean {
  const words = (from: string) =>
    fold(from)
      .replaceAll(/[.,;:!?'"()]/g, '')
      .trim();
  return words(label) !== '' && words(label) === words(text);
}
