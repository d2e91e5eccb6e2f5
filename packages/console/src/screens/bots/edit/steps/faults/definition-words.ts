import type { messages } from '@parley/bot/messages';
import { expressionWords } from './expression-words.ts';
import type { AdviceFor, Words } from './value-words.ts';

const tooMany: Words = {
  en: (max) => `There are too many of these. Keep at most ${max}.`,
  de: (max) => `Das sind zu viele. Behalten Sie höchstens ${max}.`,
};

/** What to do about what the check of a definition says. */
export const definitionWords: AdviceFor<typeof messages> = {
  empty: { en: 'Write something here.', de: 'Schreiben Sie hier etwas.' },
  longText: {
    en: (max) => `This is too long. Shorten it to ${max} characters.`,
    de: (max) => `Das ist zu lang. Kürzen Sie es auf ${max} Zeichen.`,
  },
  manyMembers: tooMany,
  keyForm: {
    en: 'Use small letters, digits, - and _, at most 64, and begin with a letter or a digit.',
    de: 'Nehmen Sie Kleinbuchstaben, Ziffern, - und _, höchstens 64, zuerst einen Buchstaben oder eine Ziffer.',
  },
  nameForm: {
    en: 'Use letters, digits, _ and -, at most 64, and begin with a letter.',
    de: 'Nehmen Sie Buchstaben, Ziffern, _ und -, höchstens 64, zuerst einen Buchstaben.',
  },
  symbolForm: {
    en: 'Use letters, digits, _, . and -, at most 64.',
    de: 'Nehmen Sie Buchstaben, Ziffern, _, . und -, höchstens 64.',
  },
  localeForm: {
    en: 'Write the tag of a language, such as en or pt-BR.',
    de: 'Schreiben Sie das Kürzel einer Sprache, zum Beispiel de oder pt-BR.',
  },
  placeForm: {
    en: 'Use letters, digits, _, . and -, at most 80.',
    de: 'Nehmen Sie Buchstaben, Ziffern, _, . und -, höchstens 80.',
  },
  markForm: {
    en: 'This needs eight hexadecimal digits. “Translations” writes it.',
    de: 'Hier müssen acht hexadezimale Ziffern stehen. „Übersetzungen“ schreibt sie.',
  },
  dateForm: {
    en: 'Write a day as 2030-12-31, or today, today+7, today-7.',
    de: 'Schreiben Sie einen Tag als 2030-12-31, oder today, today+7, today-7.',
  },
  timeForm: {
    en: 'Write a time from 00:00 to 23:59, such as 08:30.',
    de: 'Schreiben Sie eine Uhrzeit von 00:00 bis 23:59, zum Beispiel 08:30.',
  },
  repeated: {
    en: 'This is there twice. Change one of them.',
    de: 'Das gibt es zweimal. Ändern Sie eines davon.',
  },
  notLater: {
    en: 'This must be later than the one before. Choose a longer time.',
    de: 'Das muss später sein als das davor. Wählen Sie eine längere Zeit.',
  },

  bytes: {
    en: (bytes, max) => `The bot is too large: ${bytes} bytes of ${max}. Shorten texts, or remove steps.`,
    de: (bytes, max) =>
      `Der Bot ist zu groß: ${bytes} Bytes von ${max}. Kürzen Sie Texte, oder entfernen Sie Schritte.`,
  },
  nested: {
    en: 'Values are inside of values too many times. Make the definition flatter.',
    de: 'Zu viele Werte stecken ineinander. Machen Sie die Definition flacher.',
  },
  manyObjects: {
    en: (max) => `The bot has too many parts. Keep at most ${max}.`,
    de: (max) => `Der Bot hat zu viele Teile. Behalten Sie höchstens ${max}.`,
  },
  manyEntries: tooMany,
  prototype: {
    en: '“__proto__” is not allowed. Remove it.',
    de: '„__proto__“ ist nicht erlaubt. Entfernen Sie es.',
  },
  work: {
    en: null,
    de: (percent) =>
      `Die Ausdrücke zwischen zwei Antworten können ${percent} % der erlaubten Arbeit brauchen, am meisten dieser. ` +
      'Nehmen Sie weniger oder kürzere, oder machen Sie die Antworten kürzer, die sie lesen.',
  },

  idTaken: {
    en: 'Another step has the same id. Rename one of them.',
    de: 'Ein anderer Schritt hat denselben Namen. Benennen Sie einen davon um.',
  },
  nameTaken: {
    en: (name) => `Another step has the name “${name}”. Choose another one.`,
    de: (name) => `Ein anderer Schritt hat den Namen „${name}“. Wählen Sie einen anderen.`,
  },
  declaredTwice: {
    en: (name) => `The name “${name}” is there twice. Rename one of them, or remove it.`,
    de: (name) => `Den Namen „${name}“ gibt es zweimal. Benennen Sie einen um, oder entfernen Sie ihn.`,
  },
  noStep: {
    en: (id) => (id === '' ? 'Choose which step follows.' : `There is no step “${id}”. Choose another one.`),
    de: (id) =>
      id === ''
        ? 'Wählen Sie, welcher Schritt folgt.'
        : `Es gibt keinen Schritt „${id}“. Wählen Sie einen anderen.`,
  },
  noKey: {
    en: (key) => `The result “${key}” is not declared. Type its name again.`,
    de: (key) => `Das Ergebnis „${key}“ ist nicht deklariert. Geben Sie den Namen noch einmal ein.`,
  },
  noContext: {
    en: (name) => `The context has no “${name}”. Remove this value from the text.`,
    de: (name) => `Der Kontext hat kein „${name}“. Entfernen Sie den Wert aus dem Text.`,
  },
  noAnswer: {
    en: (id) => `There is no question “${id}” any more. Remove its value from the text.`,
    de: (id) => `Es gibt keine Frage „${id}“ mehr. Entfernen Sie den Wert aus dem Text.`,
  },
  noCustomerField: {
    en: (name, known) => `A customer has no “${name}”. Choose one of these: ${known}.`,
    de: (name, known) => `Ein Kunde hat kein „${name}“. Wählen Sie eines davon: ${known}.`,
  },
  malformed: {
    en: (text) => `${text} is no value. Remove it, and insert one from the list.`,
    de: (text) => `${text} ist kein Wert. Entfernen Sie das, und fügen Sie einen aus der Liste ein.`,
  },

  noReferences: {
    en: 'The model gets no data. Insert a value into its task, such as an answer.',
    de: 'Das Modell bekommt keine Daten. Fügen Sie einen Wert in seine Aufgabe ein, zum Beispiel eine Antwort.',
  },
  notStored: {
    en: 'What the model answers is not kept. Give the result a name, or keep it in a result of the bot.',
    de: 'Was das Modell antwortet, wird nicht behalten. Geben Sie dem Ergebnis einen Namen, oder behalten Sie es im Ergebnis des Bots.',
  },
  noField: {
    en: (field, known) => `The model does not look for “${field}”. Choose one of these: ${known}.`,
    de: (field, known) => `Das Modell sucht kein „${field}“. Wählen Sie eines davon: ${known}.`,
  },

  noLanguage: {
    en: (locale) => `The text in “${locale}”, the language of the bot, is missing. Write it.`,
    de: (locale) => `Der Text auf „${locale}“, der Sprache des Bots, fehlt. Schreiben Sie ihn.`,
  },
  twoTexts: {
    en: (language) => `There are two texts in “${language}”. Remove one of them.`,
    de: (language) => `Es gibt zwei Texte auf „${language}“. Entfernen Sie einen davon.`,
  },
  blank: {
    en: 'There are only spaces here. Write something.',
    de: 'Hier stehen nur Leerzeichen. Schreiben Sie etwas.',
  },
  labelReference: {
    en: 'These words cannot hold values. Remove {{…}}.',
    de: 'Diese Worte können keine Werte enthalten. Entfernen Sie {{…}}.',
  },
  sameValue: {
    en: (value) => `Two of them have the name “${value}” in data. Change one.`,
    de: (value) => `Zwei davon heißen in Daten „${value}“. Ändern Sie einen Namen.`,
  },
  sameLabel: {
    en: (where) => `Two of them have the same words${where}. Change one.`,
    de: (where) => `Zwei davon haben dieselben Worte${where}. Ändern Sie eines.`,
  },
  sameYesAndNo: {
    en: (where) => `Yes and no have the same words${where}. Change one.`,
    de: (where) => `Ja und nein haben dieselben Worte${where}. Ändern Sie eines.`,
  },

  noPrefill: {
    en: 'Only the customer may give this answer. Remove what the field holds at first.',
    de: 'Diese Antwort dürfen nur Kunden geben. Entfernen Sie, was zuerst im Feld steht.',
  },
  notOrdered: {
    en: (_high, given, max) => `${given} is more than ${max}. Choose less here, or more there.`,
    de: (_high, given, max) => `${given} ist mehr als ${max}. Wählen Sie hier weniger oder dort mehr.`,
  },
  noWholeNumber: {
    en: (min, max) => `There is no whole number from ${min} to ${max}. Choose other limits.`,
    de: (min, max) => `Von ${min} bis ${max} gibt es keine ganze Zahl. Wählen Sie andere Grenzen.`,
  },
  noDay: {
    en: (day) => `There is no day ${day}. Choose another one.`,
    de: (day) => `Den Tag ${day} gibt es nicht. Wählen Sie einen anderen.`,
  },
  noHttps: {
    en: 'Write an address that begins with https://.',
    de: 'Schreiben Sie eine Adresse, die mit https:// beginnt.',
  },
  manyPatterns: {
    en: (max) => `A bot may have at most ${max} patterns. Remove one.`,
    de: (max) => `Ein Bot darf höchstens ${max} Muster haben. Entfernen Sie eines.`,
  },
  slowPattern: {
    en: (characters, allowed) =>
      `This pattern takes too long for ${characters} characters. Shorten it, or allow at most ${allowed} characters.`,
    de: (characters, allowed) =>
      `Dieses Muster braucht für ${characters} Zeichen zu lange. Kürzen Sie es, oder erlauben Sie höchstens ${allowed} Zeichen.`,
  },
  largePattern: {
    en: 'This pattern is too large. Shorten it.',
    de: 'Dieses Muster ist zu groß. Kürzen Sie es.',
  },
  noPattern: {
    en: (why) => `This is no RE2 pattern (${why}). Correct it.`,
    de: (why) => `Das ist kein Muster nach RE2 (${why}). Berichtigen Sie es.`,
  },

  lastElse: {
    en: '“Otherwise” must be the last way. Move it to the end.',
    de: '„Sonst“ muss der letzte Weg sein. Setzen Sie es ans Ende.',
  },
  noElse: {
    en: 'The last way must be “otherwise”. Choose which step follows then.',
    de: 'Der letzte Weg muss „sonst“ sein. Wählen Sie, welcher Schritt dann folgt.',
  },
  repeatsTogether: {
    en: (steps) => `These repeat for ever without a question: ${steps}. Choose another step that follows.`,
    de: (steps) =>
      `Diese wiederholen sich endlos ohne Frage: ${steps}. Wählen Sie einen anderen Schritt, der folgt.`,
  },
  repeats: {
    en: 'This repeats for ever without a question. Choose another step that follows.',
    de: 'Das wiederholt sich endlos ohne Frage. Wählen Sie einen anderen Schritt, der folgt.',
  },
  noWay: {
    en: 'No way leads here. Let another step go on to this one, or delete it.',
    de: 'Kein Weg führt hierher. Lassen Sie einen anderen Schritt hierher führen, oder löschen Sie ihn.',
  },
  runsPast: {
    en: 'The conversation does not end from here. Add an end behind it, or choose what follows.',
    de: 'Von hier endet das Gespräch nicht. Fügen Sie dahinter ein Ende ein, oder wählen Sie, was folgt.',
  },
  neverEnds: {
    en: 'The conversation does not end from here. Let a step that follows go on to an end.',
    de: 'Von hier endet das Gespräch nicht. Lassen Sie einen folgenden Schritt zu einem Ende führen.',
  },
  longRun: {
    en: (count, _step, max) =>
      `From here, ${count} steps can follow without a question. Insert a question, so that there are at most ${max}.`,
    de: (count, _step, max) =>
      `Von hier können ${count} Schritte ohne Frage folgen. Fügen Sie eine Frage ein, damit es höchstens ${max} sind.`,
  },

  ...expressionWords,

  never: {
    en: (field, text) => `${field} is never ${text}. Compare it with one of its values.`,
    de: (field, text) => `${field} ist nie ${text}. Vergleichen Sie es mit einem seiner Werte.`,
  },
  neverTaken: {
    en: 'The ways that lead here are never taken. Change their conditions.',
    de: 'Die Wege hierher werden nie genommen. Ändern Sie deren Bedingungen.',
  },
  personal: {
    en: (name) =>
      `This shows “${name}”, which is personal, in the conversation, on the page of its link and in webhooks. ` +
      'Remove it, if it should not be there.',
    de: (name) =>
      `Das zeigt „${name}“, was personenbezogen ist, im Gespräch, auf der Seite des Links und in Webhooks. ` +
      'Entfernen Sie es, wenn es dort nicht stehen soll.',
  },
  mayEnd: {
    en: (_id, kib) =>
      `With long values of the context a conversation may end before this step: it has at most ${kib} KiB. ` +
      'Shorten texts, or use fewer values in them.',
    de: (_id, kib) =>
      `Mit langen Werten des Kontexts kann ein Gespräch vor diesem Schritt enden: Es hat höchstens ${kib} KiB. ` +
      'Kürzen Sie Texte, oder nehmen Sie weniger Werte darin.',
  },
};
