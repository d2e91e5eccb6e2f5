type Value = string | number;

/** What the check of a definition says of faults, and of what may be one. Clients and tools read these texts. */
const texts = {
  // Values
  empty: 'Must not be empty',
  longText: (max: Value) => `Must have at most ${max} characters`,
  manyMembers: (max: Value) => `Must have at most ${max} entries`,
  keyForm: 'Lower-case letters, digits, - and _, at most 64, starting with a letter or digit.',
  nameForm: 'Letters, digits, _ and -, at most 64, starting with a letter.',
  symbolForm: 'Letters, digits, _, . and -, at most 64.',
  localeForm: 'A language tag such as en or pt-BR.',
  placeForm: 'Letters, digits, _, . and -, at most 80.',
  markForm: 'Eight hexadecimal digits.',
  dateForm: 'YYYY-MM-DD, or today, today+7, today-7 (days, in UTC).',
  timeForm: 'HH:MM, 00:00 to 23:59.',
  repeated: 'This is repeated.',
  notLater: 'Must be later than the one before.',

  // Size
  bytes: (bytes: Value, max: Value) =>
    `The definition has ${bytes} bytes as JSON; at most ${max} are allowed.`,
  nested: 'The definition is nested too deeply.',
  manyObjects: (max: Value) => `The definition has more than ${max} objects and lists.`,
  manyEntries: (max: Value) => `Must have at most ${max} entries.`,
  prototype: '"__proto__" is not allowed.',
  work: (percent: Value) =>
    `The expressions between two answers can take ${percent} % of the work that is allowed, most of it here. ` +
    'Use fewer or shorter ones, or a smaller maxLength of the answers that they read.',

  // Names
  idTaken: (id: Value, first: Value) => `The id "${id}" is taken by ${first}.`,
  nameTaken: (name: Value, first: Value) => `The name "${name}" is taken by ${first}.`,
  declaredTwice: (name: Value) => `The name "${name}" is declared twice.`,
  noStep: (id: Value) => `There is no step "${id}".`,
  noKey: (key: Value) => `The evaluation key "${key}" is not declared under "evaluation".`,
  noContext: (name: Value) => `The context property "${name}" is not declared under "context".`,
  noAnswer: (id: Value) => `There is no ask step "${id}" and no llm step with that saveAs.`,
  noCustomerField: (name: Value, known: Value) => `A customer has no "${name}"; there are ${known}.`,
  malformed: (text: Value) =>
    `${text} is not a valid reference. Use {{customer.firstName}}, {{context.<name>}}, {{answers.<id>}} or ` +
    '{{evaluation.<key>}}.',

  // Models
  noReferences:
    'The prompt references no values, so the model gets no data. Add a reference such as {{answers.<id>}}.',
  notStored: "The model's answer is not stored. Add saveAs or an evaluation key.",
  noField: (field: Value, known: Value) => `There is no field "${field}"; there are ${known}.`,

  // Languages and labels. `where` names a language, as ` in "de"`, or is empty.
  noLanguage: (locale: Value) => `There is no text in "${locale}", the language of the definition.`,
  twoTexts: (language: Value) => `There are two texts in "${language}".`,
  blank: 'Must not be blank.',
  labelReference: 'Labels cannot contain {{...}} references.',
  sameValue: (value: Value) => `The value "${value}" is repeated.`,
  sameLabel: (where: Value) => `Another choice has the same label${where}.`,
  sameYesAndNo: (where: Value) => `Yes and no have the same label${where}.`,

  // Answers
  noPrefill: (type: Value) => `Only the customer gives a ${type}: it cannot be prefilled.`,
  notOrdered: (high: Value, given: Value, max: Value) => `Must not be more than ${high} (${given} > ${max}).`,
  noWholeNumber: (min: Value, max: Value) => `There is no whole number from ${min} to ${max}.`,
  noDay: (day: Value) => `There is no day ${day}.`,
  noHttps: 'Must be an https address.',
  manyPatterns: (max: Value) => `A definition may have at most ${max} patterns.`,
  slowPattern: (characters: Value, allowed: Value) =>
    `The pattern is too large for answers of ${characters} characters: shorten it, or set maxLength to ${allowed} or less.`,
  largePattern: 'The pattern is too large.',
  noPattern: (why: Value) => `This is not an RE2 pattern: ${why}.`,

  // Ways. A `step` is in quotes.
  lastElse: 'Only the last arm may be an else.',
  noElse: 'The last arm must be {"else": ...}.',
  repeatsTogether: (steps: Value) =>
    `The steps ${steps} can repeat for ever: none of them waits for the customer.`,
  repeats: (step: Value) => `The step ${step} can repeat for ever: it does not wait for the customer.`,
  noWay: (step: Value) => `No path leads to the step ${step}.`,
  runsPast: (step: Value) =>
    `The conversation can run past ${step}, the last step: add an end, or name the next step.`,
  neverEnds: (step: Value) => `From the step ${step} the conversation never ends.`,
  longRun: (count: Value, step: Value, max: Value) =>
    `${count} steps can run from ${step} without a question; at most ${max} may.`,

  // Expressions. `place` is `, at character 3`, or empty. `result` and `text` end with it.
  notAvailable: (name: Value, place: Value, known: Value) =>
    `The function "${name}" is not available${place}. Available: ${known}.`,
  longExpression: (characters: Value, max: Value) =>
    `The expression has ${characters} characters; at most ${max} are allowed.`,
  noExpression: (why: Value) => `This is not an expression: ${why}.`,
  cannotWork: (why: Value) => `The expression cannot work: ${why}.`,
  largeNumber: (number: Value, place: Value) =>
    `The number ${number} is too large: a whole number has 64 bits${place}.`,
  nulCharacter: (place: Value) => `A text must not hold the character U+0000${place}.`,
  noCondition: (type: Value) => `A condition must be true or false; this one is of type ${type}.`,
  noValue: (type: Value) => `The value must be a string, a number or a bool; this one is of type ${type}.`,
  neverKnown: (part: Value, result: Value, known: Value) => `${part} is never ${result}. Known: ${known}.`,

  // Warnings
  never: (field: Value, text: Value) => `${field} is never ${text}.`,
  neverTaken: (id: Value, from: Value) =>
    `No path from the start reaches the step "${id}": the arms that lead to it (${from}) are never taken.`,
  personal: (name: Value) =>
    `This prints the personal context "${name}": it is in the transcript, on the page of the link and in webhooks.`,
  mayEnd: (id: Value, kib: Value, reservedKib: Value) =>
    `With long context values a conversation may end before the step "${id}": it has at most ${kib} KiB, with ` +
    `${reservedKib} KiB reserved for each entry that may follow.`,
};

/** Why an expression does not work, inside `noExpression` and `cannotWork`. Other reasons are words of the library. */
export const reasons = {
  undeclared: (name: Value, known: Value, place: Value) => `"${name}" is not declared (use ${known})${place}`,
  endsEarly: (place: Value) => `it ends too early${place}`,
  unexpected: (part: Value, place: Value) => `"${part}" is not expected here${place}`,
  noOverload: (types: Value) => `no such overload: ${types}`,
  notUnderstood: 'it is not understood',
};

declare const isMessage: unique symbol;

/** A text of `messages`. The check reports no other, so that who shows its faults in other words knows all of them. */
export type Message = string & { readonly [isMessage]: true };

/** A fault or a warning of the check. */
export interface MessageFault {
  pointer: string;
  detail: Message;
}

type Messages = {
  [Name in keyof typeof texts]: (typeof texts)[Name] extends (...values: infer Values) => string
    ? (...values: Values) => Message
    : Message;
};

/** All that the check of a definition can say, by name. */
export const messages = texts as Messages;
