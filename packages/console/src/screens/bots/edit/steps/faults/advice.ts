import { messages, reasons } from '@parley/bot/messages';
import { jsonMessages } from '@parley/runtime/json/json';
import { faultMessages } from '@parley/runtime/zod-faults';
import type { Language } from '../../../../../texts/language.ts';
import { keyMessages, type Mark } from '../../check.ts';
import { definitionWords } from './definition-words.ts';
import { reasonWords } from './expression-words.ts';
import { type AdviceFor, jsonWords, keyWords, type Words, valueWords } from './value-words.ts';

type Form = string | ((...values: never[]) => string);
/** A message: its name in its table, the values that it names, and what to do about it. */
interface Read {
  name: string;
  values: string[];
  words: Words;
}

const tables = [
  ...readable(messages, definitionWords),
  ...readable(keyMessages, keyWords),
  ...readable(jsonMessages, jsonWords),
  ...readable(faultMessages, valueWords),
  ...readable(reasons, reasonWords),
];

/** The messages whose last value is a message. */
const outer = new Set(['noExpression', 'cannotWork', 'ofName']);

function readable<Table extends Record<string, Form>>(table: Table, advice: AdviceFor<Table>) {
  return Object.entries(table).map(([name, form]) => ({
    name,
    pattern: patternOf(form),
    words: advice[name as keyof Table],
  }));
}

function patternOf(form: Form): RegExp {
  const value = '\u0000';
  const text =
    typeof form === 'string' ? form : form(...Array.from({ length: form.length }, () => value as never));
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(value, '([^]*?)')}$`);
}

function read(message: string): Read | undefined {
  for (const { name, pattern, words } of tables) {
    const found = pattern.exec(message);
    if (found) return { name, values: found.slice(1), words };
  }
  return undefined;
}

/** Returns the name of a message in the table that it is from. Undefined for one of a newer service. */
export function messageName(message: string): string | undefined {
  return read(message)?.name;
}

/** Returns what to do about a fault or a warning. Undefined for a message that no table has. */
export function adviceOf(message: string, language: Language): string | undefined {
  const found = read(message);
  if (!found) return undefined;
  const words = found.words[language];
  if (words === null) return message;
  if (typeof words === 'string') return words;
  const values = found.values.map((value, index) => {
    const isInner = outer.has(found.name) && index === found.values.length - 1;
    const said = isInner ? (adviceOf(value, language) ?? value) : value;
    return language === 'de' ? said.replace(/, at character (?=\d)/, ', bei Zeichen ') : said;
  });
  return words(...values);
}

/** Returns the step at which a mark is; undefined for another part of the definition. */
export function stepOf({ pointer }: Pick<Mark, 'pointer'>): number | undefined {
  const found = /^\/steps\/(\d+)/.exec(pointer);
  return found ? Number(found[1]) : undefined;
}

/** Returns the fields in which a mark is inside its step, such as `['input', 'choices', '0', 'label']`. */
export function fieldsOf({ pointer }: Pick<Mark, 'pointer'>): string[] {
  return pointer
    .replace(/^\/steps\/\d+\/?/, '')
    .split('/')
    .filter(Boolean);
}

/** Returns the marks of each step. Equal marks of before are the same objects. */
export function marksByStep(marks: readonly Mark[], before: readonly (readonly Mark[])[] = []): Mark[][] {
  const found: Mark[][] = [];
  for (const mark of marks) {
    const step = stepOf(mark);
    if (step !== undefined) (found[step] ??= []).push(mark);
  }
  return Array.from(found, (marked: Mark[] | undefined, index) => {
    const own = marked ?? none;
    const known = before[index];
    return known && JSON.stringify(known) === JSON.stringify(own) ? (known as Mark[]) : own;
  });
}

export const none: Mark[] = [];
