import { yesNoLabels } from './answer-forms.ts';
import { boundDate } from '../text/calendar.ts';
import { lengthMax, scaleOf } from './check-value.ts';
import type { LocalText } from '../text/format-text.ts';
import type { InputRule } from './input-rule.ts';

/** The current question as the browser sees it (contract section 7): only what its type needs. */
export type Input = {
  stepId: string;
  type: InputRule['type'];
  required: boolean;
  choices?: { value: string; label: string }[];
  /** Numbers for nps, rating and number; `YYYY-MM-DD` or `HH:MM` for date and time. */
  min?: number | string;
  max?: number | string;
  minLength?: number;
  maxLength?: number;
  minSelections?: number;
  maxSelections?: number;
  /** `yes` and `no`, or `low` and `high` of a scale. */
  labels?: Record<string, string>;
  /** The first content of the field: a valid value. */
  prefill?: string | number | boolean | string[];
};

/** Returns what the browser needs of a rule. `now` (epoch seconds) decides what `today` is. */
export function describeRule(
  rule: InputRule,
  say: (text: LocalText) => string,
  now: number,
): Omit<Input, 'stepId' | 'required'> {
  const { type } = rule;
  switch (rule.type) {
    case 'text':
    case 'longText':
      return { type, ...given({ minLength: rule.minLength }), maxLength: lengthMax(rule) };
    case 'choice':
      return { type, choices: rule.choices.map(({ value, label }) => ({ value, label: say(label) })) };
    case 'multiChoice':
      return {
        type,
        choices: rule.choices.map(({ value, label }) => ({ value, label: say(label) })),
        minSelections: rule.minSelections ?? 1,
        maxSelections: rule.maxSelections ?? rule.choices.length,
      };
    case 'nps':
    case 'rating':
      return { type, ...scaleOf(rule), ...sayScale(rule.labels, say) };
    case 'number':
      return { type, ...given({ min: rule.min, max: rule.max }) };
    case 'yesNo': {
      const { yes, no } = rule.labels ?? yesNoLabels;
      return { type, labels: { yes: say(yes), no: say(no) } };
    }
    case 'date':
      return {
        type,
        ...given({ min: rule.min && boundDate(rule.min, now), max: rule.max && boundDate(rule.max, now) }),
      };
    case 'time':
      return { type, ...given({ min: rule.min, max: rule.max }) };
    default:
      return { type };
  }
}

function sayScale(labels: { low: LocalText; high: LocalText } | undefined, say: (text: LocalText) => string) {
  return labels === undefined ? {} : { labels: { low: say(labels.low), high: say(labels.high) } };
}

/** Returns the entries that have a value. */
function given<T>(entries: Record<string, T | undefined>): Record<string, T> {
  const found: Record<string, T> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) found[name] = value;
  return found;
}
