import { contact, type noOptions, typedLine } from '../parts/contact.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

/** A telephone number. It is stored as digits, with a `+` if it is international. */
export const phone = {
  ...contact,
  name: 'phone',
  title: { en: 'Phone number', de: 'Telefonnummer' },
  refusals: {
    'not-a-phone': {
      en: 'Please give a phone number, such as +44 20 7946 0000.',
      de: 'Bitte geben Sie eine Telefonnummer an, zum Beispiel +44 20 7946 0000.',
      fr: 'Veuillez indiquer un numéro de téléphone, par exemple +44 20 7946 0000.',
      es: 'Indique un número de teléfono, por ejemplo +44 20 7946 0000.',
      ar: 'يرجى إدخال رقم هاتف، مثل ‎+44 20 7946 0000.',
    },
  },
  checkValue(_rule, value) {
    const international = typedLine(value)
      .replace(/^00/, '+')
      .replace(/^(\+.*)\(0\)/, '$1');
    const digits = international.replaceAll(/[ ().\-/]/g, '');
    if (!/^\+?\d{5,15}$/.test(digits)) return { reason: 'not-a-phone' };
    return { value: digits };
  },
  describeAnswers: () => 'a phone number',
} satisfies QuestionType<RuleOf<'phone', typeof noOptions>, string, 'not-a-phone'>;
