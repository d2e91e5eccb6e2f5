import type { jsonMessages } from '@parley/runtime/json/json';
import type { faultMessages } from '@parley/runtime/zod-faults';
import type { keyMessages } from '../../check.ts';

type Form = string | ((...values: string[]) => string);

/** What to do about a message. It gets the values that the message names. Null: the message says it itself. */
export interface Words {
  en: Form | null;
  de: Form;
}

/** Words for each message of a table. */
export type AdviceFor<Table> = { readonly [Name in keyof Table]: Words };

/** What to do about a value that is missing, unknown or of another form. */
export const valueWords: AdviceFor<typeof faultMessages> = {
  required: { en: 'This is missing. Add it.', de: 'Das fehlt. Ergänzen Sie es.' },
  fewest: {
    en: (bound, unit) => `Add more: at least ${bound} ${unit}.`,
    de: (bound, unit) => `Ergänzen Sie: mindestens ${bound} ${units[unit] ?? unit}.`,
  },
  most: {
    en: (bound, unit) => `Remove some: at most ${bound} ${unit}.`,
    de: (bound, unit) => `Entfernen Sie etwas: höchstens ${bound} ${units[unit] ?? unit}.`,
  },
  exactly: {
    en: (bound, unit) => `Write exactly ${bound} ${unit}.`,
    de: (bound, unit) => `Schreiben Sie genau ${bound} ${units[unit] ?? unit}.`,
  },
  atLeast: { en: (bound) => `Choose at least ${bound}.`, de: (bound) => `Wählen Sie mindestens ${bound}.` },
  moreThan: { en: (bound) => `Choose more than ${bound}.`, de: (bound) => `Wählen Sie mehr als ${bound}.` },
  atMost: { en: (bound) => `Choose at most ${bound}.`, de: (bound) => `Wählen Sie höchstens ${bound}.` },
  lessThan: {
    en: (bound) => `Choose less than ${bound}.`,
    de: (bound) => `Wählen Sie weniger als ${bound}.`,
  },
  multiple: { en: (of) => `Choose a multiple of ${of}.`, de: (of) => `Wählen Sie ein Vielfaches von ${of}.` },
  url: { en: 'Write a whole address, with https://.', de: 'Schreiben Sie eine ganze Adresse, mit https://.' },
  oneOf: {
    en: (values) => `Choose one of these: ${values}.`,
    de: (values) => `Wählen Sie eines davon: ${values}.`,
  },
  mustBe: {
    en: (what) => `This must be ${what}. Change it.`,
    de: (what) =>
      `Hier muss stehen: ${what.replaceAll(kinds, (kind) => kindWords[kind] ?? kind)}. Ändern Sie es.`,
  },
  otherForm: {
    en: 'This has not the form that it needs. Correct it.',
    de: 'Das hat nicht die nötige Form. Berichtigen Sie es.',
  },
  invalid: {
    en: 'This is not valid. Correct it, or remove it.',
    de: 'Das ist nicht gültig. Berichtigen oder entfernen Sie es.',
  },
  unknown: {
    en: (name) => `${name} is not known here. Remove it, or correct its name.`,
    de: (name) => `${name} ist hier nicht bekannt. Entfernen Sie es, oder berichtigen Sie den Namen.`,
  },
  ofName: { en: (name, fault) => `“${name}”: ${fault}`, de: (name, fault) => `„${name}“: ${fault}` },
};

/** What to do about a text that is not JSON. */
export const jsonWords: AdviceFor<typeof jsonMessages> = {
  InvalidSymbol: {
    en: null,
    de: 'Das ist kein Wert in JSON. Setzen Sie Texte in doppelte Anführungszeichen.',
  },
  InvalidNumberFormat: {
    en: 'This is no number in JSON. Write it as 12 or 1.5.',
    de: 'Das ist keine Zahl in JSON. Schreiben Sie sie als 12 oder 1.5.',
  },
  PropertyNameExpected: {
    en: null,
    de: 'Hier fehlt ein Name in doppelten Anführungszeichen. Ein Komma am Ende ist nicht erlaubt.',
  },
  ValueExpected: { en: null, de: 'Hier fehlt ein Wert. Ein Komma am Ende ist nicht erlaubt.' },
  ColonExpected: { en: 'Write a colon before this.', de: 'Setzen Sie einen Doppelpunkt davor.' },
  CommaExpected: { en: 'Write a comma before this.', de: 'Setzen Sie ein Komma davor.' },
  CloseBraceExpected: { en: 'Add the closing brace }.', de: 'Ergänzen Sie die schließende Klammer }.' },
  CloseBracketExpected: { en: 'Add the closing bracket ].', de: 'Ergänzen Sie die schließende Klammer ].' },
  EndOfFileExpected: {
    en: 'There is text behind the end. Remove it.',
    de: 'Hinter dem Ende steht noch Text. Entfernen Sie ihn.',
  },
  InvalidCommentToken: {
    en: 'JSON has no comments. Remove this one.',
    de: 'JSON hat keine Kommentare. Entfernen Sie diesen.',
  },
  UnexpectedEndOfComment: {
    en: 'JSON has no comments. Remove this one.',
    de: 'JSON hat keine Kommentare. Entfernen Sie diesen.',
  },
  UnexpectedEndOfString: {
    en: 'Add the closing double quote.',
    de: 'Ergänzen Sie das schließende doppelte Anführungszeichen.',
  },
  UnexpectedEndOfNumber: {
    en: 'This number is not complete. Write the rest.',
    de: 'Diese Zahl ist nicht vollständig. Schreiben Sie den Rest.',
  },
  InvalidUnicode: {
    en: 'Write four hexadecimal digits after \\u.',
    de: 'Schreiben Sie nach \\u vier hexadezimale Ziffern.',
  },
  InvalidEscapeCharacter: {
    en: null,
    de: 'Das ist kein Sonderzeichen in JSON. Schreiben Sie einen Rückstrich als \\\\.',
  },
  InvalidCharacter: {
    en: 'Write a control character with a backslash, a line break as \\n.',
    de: 'Schreiben Sie ein Steuerzeichen mit einem Rückstrich, einen Umbruch als \\n.',
  },
  other: { en: 'This is not JSON. Correct it.', de: 'Das ist kein JSON. Berichtigen Sie es.' },
  empty: {
    en: 'There is nothing here. Undo, or write a definition.',
    de: 'Hier steht nichts. Machen Sie es rückgängig, oder schreiben Sie eine Definition.',
  },
  cutOff: {
    en: 'The text ends too early. Add what is missing at its end.',
    de: 'Der Text endet zu früh. Ergänzen Sie, was am Ende fehlt.',
  },
  repeated: {
    en: 'This name is there twice. Remove one of them.',
    de: 'Diesen Namen gibt es zweimal. Entfernen Sie einen davon.',
  },
  manyValues: {
    en: (max) => `There are too many values. Keep at most ${max}.`,
    de: (max) => `Das sind zu viele Werte. Behalten Sie höchstens ${max}.`,
  },
  deep: {
    en: (max) => `Values are inside of values too many times. Keep at most ${max} levels.`,
    de: (max) => `Zu viele Werte stecken ineinander. Behalten Sie höchstens ${max} Ebenen.`,
  },
};

export const keyWords: AdviceFor<typeof keyMessages> = {
  otherKey: {
    en: (key) => `The key of this bot stays. Write “${key}”.`,
    de: (key) => `Der Schlüssel dieses Bots bleibt. Schreiben Sie „${key}“.`,
  },
};

const units: Record<string, string> = {
  character: 'Zeichen',
  characters: 'Zeichen',
  entry: 'Eintrag',
  entries: 'Einträge',
  field: 'Feld',
  fields: 'Felder',
};

const kindWords: Record<string, string> = {
  'a string': 'ein Text',
  'a number': 'eine Zahl',
  'a whole number': 'eine ganze Zahl',
  'true or false': 'wahr oder falsch (true, false)',
  'an object': 'ein Objekt {…}',
  'an array': 'eine Liste […]',
  ' or ': ' oder ',
};
const kinds = new RegExp(Object.keys(kindWords).join('|'), 'g');
