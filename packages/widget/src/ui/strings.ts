import { ar } from './strings/ar.ts';
import { de } from './strings/de.ts';
import { en } from './strings/en.ts';
import { es } from './strings/es.ts';
import { fr } from './strings/fr.ts';

/** What the widget says by itself, in one language. `{name}` stands for a value. */
export interface Strings {
  launcher: string;
  newMessage: string;
  close: string;
  dismiss: string;
  conversation: string;
  /** What a bot is called whose name is not known. */
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
  /** How to send a long answer; the key that comes first is another one on a Mac. */
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

/** A page's own words for some of these. */
export type GivenStrings = { [Key in keyof Strings]?: string | undefined };

/** By language; a language that is not here gets the English ones. */
export const strings: Record<string, Strings> & { en: Strings } = { en, de, fr, es, ar };
