import { yesNoLabels } from './answer-forms.ts';
import { foldTyped } from '../text/characters.ts';
import type { LocalText } from '../text/format-text.ts';
import type { InputRule } from './input-rule.ts';
import { bareWording, foldWording, readChoice, readChoices, readLabel } from './read-choice.ts';
import { readNumber } from './read-number.ts';
import { type Language, localText } from '../text/template.ts';

const yesWords = ['yes', 'y', 'yep', 'yeah', 'true'];
const noWords = ['no', 'n', 'nope', 'false'];

/**
 * Returns the value that free text means, or undefined when it is none or ambiguous: choices by label or value in any
 * letter case, "yes" and "no", numbers, days and times. `checkValue` must accept it then.
 */
export function readText(rule: InputRule, text: string, language: Language): unknown {
  switch (rule.type) {
    case 'choice':
      return readChoice(rule.choices, text, language);
    case 'multiChoice':
      return readChoices(rule.choices, text, language) ?? readNone(rule, text);
    case 'nps':
    case 'rating':
    case 'number':
      return readNumber(text, language.locale);
    case 'yesNo':
      return readYesNo(rule.labels ?? yesNoLabels, text, language);
    case 'date':
      return readDate(text);
    case 'time':
      return readTime(text);
    default:
      return text;
  }
}

function readYesNo(
  labels: { yes: LocalText; no: LocalText },
  text: string,
  language: Language,
): boolean | undefined {
  const label = readLabel(labels, text, language);
  if (label !== undefined) return label === 'yes';
  const wanted = bareWording(text);
  const words = [yesWords, noWords].find((list) => list.includes(wanted));
  if (words === undefined) return undefined;
  // With labels such as "No problem" and "Yes, I have one" these words are ambiguous.
  const other = localText(words === yesWords ? labels.no : labels.yes, language.locale, language.ownLocale);
  const [first = ''] = foldWording(other).split(/[^\p{L}]/u);
  return words.includes(first) ? undefined : words === yesWords;
}

function readNone({ minSelections }: { minSelections?: number }, text: string): string[] | undefined {
  return minSelections === 0 && bareWording(text) === 'none' ? [] : undefined;
}

function readDate(text: string): string | undefined {
  const match = /^(\d{4})(?: ?[-/.,] ?| )(\d{1,2})(?: ?[-/.,] ?| )(\d{1,2})\.?$/.exec(foldTyped(text));
  if (match === null) return undefined;
  const [, year = '', month = '', day = ''] = match;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function readTime(text: string): string | undefined {
  const match = /^(\d{1,2}) ?[:.,h] ?(\d{2}) ?(?:([ap])\.? ?m)?\.?$/i.exec(foldTyped(text));
  if (match === null) return undefined;
  const [, hours = '', minutes = '', half] = match;
  const hour = Number(hours);
  if (half === undefined) return `${hours.padStart(2, '0')}:${minutes}`;
  if (hour < 1 || hour > 12) return undefined;
  return `${String((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`;
}
