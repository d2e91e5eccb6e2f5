import type { messages, reasons } from '@parley/bot/messages';
import type { AdviceFor, Words } from './value-words.ts';

const useless: Words = {
  en: (why) => `This condition cannot work: ${why}.`,
  de: (why) => `Diese Bedingung kann nicht funktionieren: ${why}.`,
};

/** What to do about what the check of a definition says of an expression. */
export const expressionWords = {
  notAvailable: {
    en: (name, place, known) => `There is no function “${name}”${place}. Use one of these: ${known}.`,
    de: (name, place, known) => `Es gibt keine Funktion „${name}“${place}. Nehmen Sie eine davon: ${known}.`,
  },
  longExpression: {
    en: (characters, max) => `This is too long: ${characters} characters. Shorten it to ${max}.`,
    de: (characters, max) => `Das ist zu lang: ${characters} Zeichen. Kürzen Sie es auf ${max}.`,
  },
  noExpression: useless,
  cannotWork: useless,
  largeNumber: {
    en: (number, place) => `The number ${number} is too large${place}. Choose a smaller one.`,
    de: (number, place) => `Die Zahl ${number} ist zu groß${place}. Wählen Sie eine kleinere.`,
  },
  nulCharacter: {
    en: (place) => `There is a character that no text may hold (U+0000)${place}. Remove it.`,
    de: (place) => `Hier ist ein Zeichen, das kein Text enthalten darf (U+0000)${place}. Entfernen Sie es.`,
  },
  noCondition: {
    en: (type) => `This is of type ${type}, and not true or false. Compare it with something.`,
    de: (type) => `Das ist vom Typ ${type}, und nicht wahr oder falsch. Vergleichen Sie es mit etwas.`,
  },
  noValue: {
    en: (type) => `This is of type ${type}. Compute a text, a number, or true or false.`,
    de: (type) => `Das ist vom Typ ${type}. Berechnen Sie einen Text, eine Zahl, oder wahr oder falsch.`,
  },
  neverKnown: {
    en: (part, result, known) => `${part} is never ${result}. Choose one of these: ${known}.`,
    de: (part, result, known) => `${part} ist nie ${result}. Wählen Sie eines davon: ${known}.`,
  },
} satisfies Partial<AdviceFor<typeof messages>>;

/** Why an expression cannot work, inside other words. */
export const reasonWords: AdviceFor<typeof reasons> = {
  undeclared: {
    en: (name, _known, place) =>
      `“${name}” is not declared${place}; there are answers, context, customer and evaluation`,
    de: (name, _known, place) =>
      `„${name}“ ist nicht deklariert${place}; es gibt answers, context, customer und evaluation`,
  },
  endsEarly: {
    en: (place) => `it ends too early${place}`,
    de: (place) => `Sie endet zu früh${place}`,
  },
  unexpected: {
    en: null,
    de: (part, place) => `„${part}“ darf hier nicht stehen${place}`,
  },
  noOverload: {
    en: (types) => `these types do not fit together: ${types}`,
    de: (types) =>
      `Diese Typen passen nicht zusammen: ${types.replace(
        /; int.* makes a number of a text$/,
        '; int(…) oder double(…) macht aus einem Text eine Zahl',
      )}`,
  },
  notUnderstood: {
    en: 'it is not understood. Write it again',
    de: 'Sie ist unverständlich. Schreiben Sie sie neu',
  },
};
