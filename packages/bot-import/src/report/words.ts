/** The words of an entry in each language. `{name}` stands for a value of the entry. */
const words = {
  name: { en: 'The name of the bot.', de: 'Der Name des Bots.' },
  say: { en: 'A text of the bot.', de: 'Ein Text des Bots.' },
  asked: { en: 'The text of a question.', de: 'Der Text einer Frage.' },
  question: { en: 'A question: {from} → {to}.', de: 'Eine Frage: {from} → {to}.' },
  group: { en: 'Its questions follow one another.', de: 'Ihre Fragen folgen aufeinander.' },
  end: { en: 'An end of the conversation.', de: 'Ein Ende des Gesprächs.' },
  jump: { en: 'A way to another step.', de: 'Ein Weg zu einem anderen Schritt.' },
  branch: { en: 'A branch.', de: 'Eine Verzweigung.' },
  calculation: {
    en: 'A computed value: {name}.',
    de: 'Ein berechneter Wert: {name}.',
  },
  variable: { en: 'A value of the result: {name}.', de: 'Ein Wert des Ergebnisses: {name}.' },
  context: { en: 'A context property: {name}.', de: 'Eine Kontexteigenschaft: {name}.' },
  'context-renamed': {
    en: 'A context property, now named {name}.',
    de: 'Eine Kontexteigenschaft, die nun {name} heißt.',
  },
  'context-given': {
    en: '{block} gave this value, and no step of a bot does: pass it as the context property {name}.',
    de: '{block} gab diesen Wert, aber kein Schritt eines Bots: Übergeben Sie ihn als Kontexteigenschaft {name}.',
  },
  'variable-values': {
    en: 'The value {name} has the value of a choice, not its label.',
    de: 'Der Wert {name} hat den Wert einer Auswahl, nicht ihre Beschriftung.',
  },
  formatting: {
    en: 'Texts are plain: bold, italics and the like are gone.',
    de: 'Texte sind schlicht: fett, kursiv und Ähnliches entfallen.',
  },
  cut: { en: 'Cut to {max} characters.', de: 'Auf {max} Zeichen gekürzt.' },
  address: { en: 'Customers see the address {address}.', de: 'Kunden sehen die Adresse {address}.' },
  scale: {
    en: 'The scale from {min} to {max} is asked as a whole number.',
    de: 'Die Skala von {min} bis {max} wird als ganze Zahl erfragt.',
  },
  'scale-label': {
    en: 'A label of the scale: a scale has labels at both ends or none.',
    de: 'Eine Beschriftung der Skala: Sie hat an beiden Enden eine oder keine.',
  },
  'date-only': { en: 'Asked for one day, without a time.', de: 'Gefragt wird nach einem Tag, ohne Uhrzeit.' },
  sorted: { en: 'The choices stand in alphabetical order.', de: 'Die Antworten stehen alphabetisch.' },
  shuffle: {
    en: 'The order {name} became random or fixed.',
    de: 'Die Reihenfolge {name} wurde zufällig oder fest.',
  },
  'choices-many': {
    en: 'Asked as a text: it has {count} choices, and at most {max} can be chosen from.',
    de: 'Als Text gefragt: Es gibt {count} Antworten, und höchstens {max} stehen zur Auswahl.',
  },
  'label-missing': {
    en: 'A choice without words is “{label}”.',
    de: 'Eine Antwort ohne Worte heißt „{label}“.',
  },
  'label-repeated': {
    en: 'Two choices were “{label}”: one has a number now, or shows another language.',
    de: 'Zwei Antworten hießen „{label}“: Eine hat nun eine Nummer oder zeigt eine andere Sprache.',
  },
  'label-reference': {
    en: 'Labels have no values of the conversation: “{label}”.',
    de: 'Beschriftungen haben keine Werte des Gesprächs: „{label}“.',
  },
  'question-missing': {
    en: 'The question has no words: write them.',
    de: 'Die Frage hat keine Worte: Schreiben Sie sie.',
  },
  'reference-lost': {
    en: 'The text names {name}, which is not in the bot.',
    de: 'Der Text nennt {name}, das der Bot nicht hat.',
  },
  'matrix-split': { en: 'Each of {rows} rows is a question.', de: 'Jede von {rows} Zeilen ist eine Frage.' },
  'fields-split': { en: 'Each field is a question.', de: 'Jedes Feld ist eine Frage.' },
  'question-type': {
    en: 'There is no question of the type {name}: “{text}”',
    de: 'Eine Frage vom Typ {name} gibt es nicht: „{text}“',
  },
  block: { en: 'There is no step for {name}.', de: 'Für {name} gibt es keinen Schritt.' },
  event: { en: 'There is no event {name}.', de: 'Ein Ereignis {name} gibt es nicht.' },
  'other-bot': { en: 'It leads to another bot.', de: 'Es führt zu einem anderen Bot.' },
  call: { en: 'It does not come back from there.', de: 'Es kehrt von dort nicht zurück.' },
  'ab-test': { en: 'All customers take the first way.', de: 'Alle Kunden gehen den ersten Weg.' },
  condition: {
    en: 'A bot cannot test this condition, so the way is not taken.',
    de: 'Ein Bot kann diese Bedingung nicht prüfen, also entfällt der Weg.',
  },
  'condition-too-long': {
    en: 'The condition has more than 500 characters.',
    de: 'Die Bedingung hat mehr als 500 Zeichen.',
  },
  'require-answer': {
    en: 'A question is required always or never.',
    de: 'Eine Frage ist immer Pflicht oder nie.',
  },
  'display-condition': { en: 'The choice is always shown.', de: 'Die Antwort wird immer gezeigt.' },
  dynamic: {
    en: 'Choices come from the bot, not from a value.',
    de: 'Antworten kommen vom Bot, nicht aus einem Wert.',
  },
  target: { en: 'It leads to {name}, which does not exist.', de: 'Es führt zu {name}, das es nicht gibt.' },
  'edge-unused': { en: 'A connection from nowhere.', de: 'Eine Verbindung von nirgendwo.' },
  unreached: { en: 'No way leads to {id}.', de: 'Kein Weg führt zu {id}.' },
  button: { en: 'The words of a button.', de: 'Die Worte einer Schaltfläche.' },
  placeholder: { en: 'The hint in an empty field.', de: 'Der Hinweis in einem leeren Feld.' },
  media: { en: 'A picture or film.', de: 'Ein Bild oder Film.' },
  look: { en: 'The look: it comes from the branding.', de: 'Das Aussehen: Es kommt aus dem Branding.' },
  option: { en: 'The option {name}.', de: 'Die Option {name}.' },
  setting: { en: 'The setting {name}.', de: 'Die Einstellung {name}.' },
  integration: {
    en: 'What other systems did: webhooks tell them.',
    de: 'Was andere Systeme taten: Webhooks sagen es ihnen.',
  },
  language: { en: 'The language {name}.', de: 'Die Sprache {name}.' },
  ignored: {
    en: '{name}: says nothing about the conversation.',
    de: '{name}: sagt nichts über das Gespräch.',
  },
  used: { en: 'Read for the bot.', de: 'Für den Bot gelesen.' },
  unknown: { en: 'Not known: {name}.', de: 'Nicht bekannt: {name}.' },
} satisfies Record<string, Record<'en' | 'de', string>>;

/** Names what became of a part. */
export type Detail = keyof typeof words;

/** Returns the words of an entry of a report. */
export function entryWords(
  { detail, values }: { detail: Detail; values: Record<string, string> },
  language: 'en' | 'de',
): string {
  return words[detail][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
