import { isTime } from '../../text/calendar.ts';
import { foldTyped } from '../../text/characters.ts';
import { pattern } from '../../text/format-text.ts';
import { checkPeriod, givenEntries, periodRefusals, reportOrder, sayWithBounds } from '../parts/bounds.ts';
import { textValue, uncounted } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';
import { messages } from '../../text/messages.ts';

const timeBound = pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, messages.timeForm)
  .optional()
  .meta({ id: 'timeBound' });

const options = { min: timeBound, max: timeBound };

const timeRefusals = {
  ...periodRefusals,
  'not-a-time': {
    en: 'Please give a time of day, such as 14:30.',
    de: 'Bitte geben Sie eine Uhrzeit an, zum Beispiel 14:30.',
    fr: 'Veuillez indiquer une heure, par exemple 14:30.',
    es: 'Indique una hora, por ejemplo 14:30.',
    ar: 'يرجى إدخال وقت، مثل 14:30.',
  },
};

/** A time of day, written `HH:MM`. */
export const time = {
  ...textValue,
  ...uncounted,
  name: 'time',
  title: { en: 'Time of day', de: 'Uhrzeit' },
  options,
  docs: { options: '`min`, `max`', value: 'string `19:30`' },
  valueForm: '`HH:MM`',
  effort: 'line',
  refusals: timeRefusals,
  reportFaults: ({ min, max }, _checks, report) => reportOrder(min, max, 'min', 'max', report),
  readText(_rule, text) {
    const match = /^(\d{1,2}) ?[:.,h] ?(\d{2}) ?(?:([ap])\.? ?m)?\.?$/i.exec(foldTyped(text));
    if (match === null) return undefined;
    const [, hours = '', minutes = '', half] = match;
    const hour = Number(hours);
    if (half === undefined) return `${hours.padStart(2, '0')}:${minutes}`;
    if (hour < 1 || hour > 12) return undefined;
    return `${String((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`;
  },
  checkValue({ min, max }, value) {
    if (typeof value !== 'string' || !isTime(value)) return { reason: 'not-a-time' };
    return checkPeriod(value, min, max);
  },
  describeRule: ({ min, max }) => givenEntries({ min, max }),
  describeAnswers: ({ min, max }) => sayWithBounds('a time, HH:MM', min, max),
  modelSchema: () => ({ type: ['string', 'null'], description: 'HH:MM' }),
} satisfies QuestionType<RuleOf<'time', typeof options>, string, keyof typeof timeRefusals>;
