/** The widget's own texts in one language. `{name}` stands for a value. */
export interface Strings {
  launcher: string;
  newMessage: string;
  close: string;
  dismiss: string;
  conversation: string;
  /** The name of a bot whose name is unknown. */
  bot: string;
  you: string;
  progress: string;
  loading: string;
  typing: string;
  readyText: string;
  start: string;
  resumableText: string;
  resume: string;
  doneTitle: string;
  completedTitle: string;
  completedText: string;
  expiredTitle: string;
  expiredText: string;
  unavailableTitle: string;
  unavailableText: string;
  offlineTitle: string;
  offlineText: string;
  retry: string;
  send: string;
  skip: string;
  /** The answer of a customer that skips a question. */
  skipped: string;
  answerLabel: string;
  emailLabel: string;
  phoneLabel: string;
  urlLabel: string;
  numberLabel: string;
  dateLabel: string;
  timeLabel: string;
  /** How to send a long answer. The first key differs on a Mac. */
  ctrlEnter: string;
  waiting: string;
  movedOn: string;
  failed: string;
  check: string;
  empty: string;
  placeholder: string;
  fromTo: string;
  from: string;
  upTo: string;
  atLeastCharacters: string;
  chooseAny: string;
  chooseExactly: string;
  chooseAtLeast: string;
  chooseUpTo: string;
  chooseFromTo: string;
  outOf: string;
  npsLow: string;
  npsHigh: string;
}

/** A page's own texts for some of these. */
export type GivenStrings = { [Key in keyof Strings]?: string | undefined };
