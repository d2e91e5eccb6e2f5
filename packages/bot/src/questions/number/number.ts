import { z } from 'zod';
import { flag } from '../../text/format-text.ts';
import { givenEntries, reportOrder, sayWithBounds } from '../parts/bounds.ts';
import { evaluationText, plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';
import { readNumber } from '../parts/read-number.ts';
import { messages } from '../../text/messages.ts';

const decimalMax = 1e15;
const decimal = z.number().min(-decimalMax).max(decimalMax).optional();

const options = {
  min: decimal,
  max: decimal,
  integer: flag(false, 'True when only whole numbers are valid.'),
};

type Reason = 'not-a-number' | 'not-a-whole-number' | 'too-small' | 'too-large';

/** A number that the customer types. */
export const number = {
  ...plainValue,
  name: 'number',
  title: { en: 'Number', de: 'Zahl' },
  options,
  docs: { options: '`min`, `max`, `integer`', value: 'double, or int with `integer`' },
  valueForm: 'numbers',
  effort: 'line',
  refusals: {
    'not-a-number': {
      en: 'Please answer with a number. Example: 1200',
      de: 'Bitte antworten Sie mit einer Zahl. Beispiel: 1200',
      fr: 'Veuillez répondre par un nombre. Exemple : 1200',
      es: 'Responda con un número. Ejemplo: 1200',
      ar: 'يرجى الإجابة برقم. مثال: 1200',
    },
    'not-a-whole-number': {
      en: 'Please answer with a whole number. Example: 3',
      de: 'Bitte antworten Sie mit einer ganzen Zahl. Beispiel: 3',
      fr: 'Veuillez répondre par un nombre entier. Exemple : 3',
      es: 'Responda con un número entero. Ejemplo: 3',
      ar: 'يرجى الإجابة برقم صحيح بلا كسور. مثال: 3',
    },
    'too-small': {
      en: 'Please answer with a number of at least {min}.',
      de: 'Bitte geben Sie mindestens {min} an.',
      fr: 'Veuillez indiquer un nombre d’au moins {min}.',
      es: 'Indique un número de al menos {min}.',
      ar: 'يرجى إدخال رقم لا يقل عن {min}.',
    },
    'too-large': {
      en: 'Please answer with a number of at most {max}.',
      de: 'Bitte geben Sie höchstens {max} an.',
      fr: 'Veuillez indiquer un nombre d’au plus {max}.',
      es: 'Indique un número de como máximo {max}.',
      ar: 'يرجى إدخال رقم لا يزيد على {max}.',
    },
  },
  reportFaults({ min, max, integer }, _checks, report) {
    reportOrder(min, max, 'min', 'max', report);
    if (integer !== true || min === undefined || max === undefined || min > max) return;
    if (Math.ceil(min) > Math.floor(max)) report('/min', messages.noWholeNumber(min, max));
  },
  celType: ({ integer }) => (integer === true ? 'int' : 'double'),
  celValue: ({ integer }, value) => (integer === true ? BigInt(value) : value),
  longestValue: () => 0,
  readText: (_rule, text, { locale }) => readNumber(text, locale),
  checkValue({ integer, min = -decimalMax, max = decimalMax }, value) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return { reason: 'not-a-number' };
    if (integer === true && !Number.isInteger(value)) return { reason: 'not-a-whole-number' };
    if (value < min) return { reason: 'too-small', min };
    if (value > max) return { reason: 'too-large', max };
    return { value: value + 0 }; // turns -0 into 0
  },
  sayValue: (_rule, value) => evaluationText(value),
  scaleMax: () => undefined,
  evaluationText: (value) => evaluationText(value),
  describeRule: ({ min, max }) => givenEntries({ min, max }),
  describeAnswers: ({ min, max }) => sayWithBounds('a number', min, max),
  modelSchema: ({ integer }) => ({ type: [integer === true ? 'integer' : 'number', 'null'] }),
  personalTexts: (_rule, value) => [evaluationText(value)],
  figure: 'numbers',
  countableValues: () => [],
  partsOf: (text) => [text],
  countedValues: (parts) => parts.filter((text) => text.trim() !== '' && Number.isFinite(Number(text))),
} satisfies QuestionType<RuleOf<'number', typeof options>, number, Reason>;
