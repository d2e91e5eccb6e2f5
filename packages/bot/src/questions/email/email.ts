import { contact, type noOptions, typedLine } from '../parts/contact.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

/** An e-mail address. Its domain is stored in lower case. */
export const email = {
  ...contact,
  name: 'email',
  title: { en: 'E-mail address', de: 'E-Mail-Adresse' },
  refusals: {
    'not-an-email': {
      en: 'Please give an e-mail address, such as name@example.com.',
      de: 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.',
      fr: 'Veuillez indiquer une adresse e-mail, par exemple name@example.com.',
      es: 'Indique una dirección de correo electrónico, por ejemplo name@example.com.',
      ar: 'يرجى إدخال عنوان بريد إلكتروني، مثل name@example.com.',
    },
  },
  checkValue(_rule, value) {
    const text = typedLine(value).replace(/\.$/, '');
    const match = /^([^\s@<>()[\]",;:\\]+)@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)$/u.exec(text);
    const [, local = '', domain = ''] = match ?? [];
    if (match === null || text.length > 320 || /^\.|\.\.|\.$/.test(local) || /(^|\.)-|-(\.|$)/.test(domain)) {
      return { reason: 'not-an-email' };
    }
    return { value: `${local}@${domain.toLowerCase()}` };
  },
  describeAnswers: () => 'an e-mail address',
} satisfies QuestionType<RuleOf<'email', typeof noOptions>, string, 'not-an-email'>;
