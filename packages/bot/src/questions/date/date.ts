import { boundDate, isDate } from '../../text/calendar.ts';
import { foldTyped } from '../../text/characters.ts';
import { pattern } from '../../text/format-text.ts';
import { checkPeriod, givenEntries, periodRefusals, sayWithBounds } from '../parts/bounds.ts';
import { textValue, uncounted } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';
import { messages } from '../../text/messages.ts';

const dateBound = pattern(/^(today([+-][0-9]{1,4})?|[0-9]{4}-[0-9]{2}-[0-9]{2})$/, messages.dateForm)
  .optional()
  .meta({ id: 'dateBound' });

const options = { min: dateBound, max: dateBound };

const dateRefusals = {
  ...periodRefusals,
  'not-a-date': {
    en: 'Please give a date, such as 2030-12-31.',
    de: 'Bitte geben Sie ein Datum an, zum Beispiel 2030-12-31.',
    fr: 'Veuillez indiquer une date, par exemple 2030-12-31.',
    es: 'Indique una fecha, por ejemplo 2030-12-31.',
    ar: 'يرجى إدخال تاريخ، مثل 2030-12-31.',
  },
};

/** A day, written `YYYY-MM-DD`. */
export const date = {
  ...textValue,
  ...uncounted,
  name: 'date',
  title: { en: 'Day', de: 'Datum' },
  options,
  docs: {
    options: '`min`, `max`: a day, `today`, `today+7`, `today-7` (UTC)',
    value: 'string `2030-05-01`',
  },
  valueForm: '`YYYY-MM-DD`',
  effort: 'line',
  refusals: dateRefusals,
  reportFaults(rule, _checks, report) {
    for (const name of ['min', 'max'] as const) {
      const bound = rule[name];
      if (bound !== undefined && !isDate(boundDate(bound, 0))) report(`/${name}`, messages.noDay(bound));
    }
    const { min, max } = rule;
    const relative = [min, max].filter((bound) => bound?.startsWith('today')).length;
    if (relative === 1) return; // their order depends on the day
    if (min === undefined || max === undefined || boundDate(min, 0) <= boundDate(max, 0)) return;
    report('/min', messages.notOrdered('max', min, max));
  },
  readText(_rule, text) {
    const match = /^(\d{4})(?: ?[-/.,] ?| )(\d{1,2})(?: ?[-/.,] ?| )(\d{1,2})\.?$/.exec(foldTyped(text));
    if (match === null) return undefined;
    const [, year = '', month = '', day = ''] = match;
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  },
  checkValue({ min, max }, value, now) {
    if (typeof value !== 'string' || !isDate(value)) return { reason: 'not-a-date' };
    return checkPeriod(value, min && boundDate(min, now), max && boundDate(max, now));
  },
  describeRule: ({ min, max }, _say, now) =>
    givenEntries({ min: min && boundDate(min, now), max: max && boundDate(max, now) }),
  describeAnswers: ({ min, max }) => sayWithBounds('a day, YYYY-MM-DD', min, max),
  modelSchema: () => ({ type: ['string', 'null'], description: 'YYYY-MM-DD' }),
} satisfies QuestionType<RuleOf<'date', typeof options>, string, keyof typeof dateRefusals>;
