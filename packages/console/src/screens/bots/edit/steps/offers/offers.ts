import { writeName } from '@parley/bot/editing/conditions';
import type { KnownValue } from '@parley/bot/editing/known-values';

/** What completes a text. */
export interface Offer {
  /** The part of the text that it replaces, in UTF-16 units. */
  from: number;
  to: number;
  insert: string;
  /** Where the cursor is then, from the beginning of `insert`. */
  caret: number;
  name: string;
  /** What it is, in words. */
  words: string;
}

/** Returns what completes a text at a place. `isAsked`: also before anything is typed. */
export type OffersAt = (text: string, at: number, isAsked: boolean) => Offer[];

type Value = Pick<KnownValue, 'name' | 'needs'> & { label: string };

/** Functions that are called with a value. Others are called behind it: `answers.why.contains('x')`. */
const globals = new Set(['has', 'size', 'int', 'double', 'string', 'bool']);
/** Functions behind a value that take a text. */
const ofTexts = new Set(['startsWith', 'endsWith', 'contains', 'indexOf']);

/** Completes an expression: values, functions, and the choices with which a value is compared. */
export function expressionOffers(
  values: readonly Value[],
  functions: Readonly<Record<string, string>>,
): OffersAt {
  return (text, at, isAsked) => {
    const before = text.slice(0, at);
    const choices = choiceOffers(values, text, before);
    if (choices) return choices;
    const isInText = before.split("'").length % 2 === 0;
    const typed = /[A-Za-z][\w.]*$/.exec(before)?.[0] ?? '';
    if (isInText || (typed === '' && !isAsked)) return [];
    const place = { from: at - typed.length, to: at };
    const known = values
      .map((value) => ({ ...place, ...named(writeName(value.name)), name: value.name, words: value.label }))
      .filter(({ insert, name, words }) => insert !== typed && fits(typed, name, words));
    return [...known, ...functionOffers(values, functions, typed, at)];
  };
}

/** Returns the choices of the value with which the text at the end is compared; undefined if there is none. */
function choiceOffers(values: readonly Value[], text: string, before: string): Offer[] | undefined {
  const [, of, quoted] = /([A-Za-z]\w*(?:\.\w+|\['[^']*'\])+)\s*[=!]=\s*('[^']*)?$/.exec(before) ?? [];
  const { choices, other } = values.find(({ name }) => writeName(name) === of)?.needs ?? {};
  if (!choices) return undefined;
  const own = other ? [{ value: 'other', label: other.label }] : [];
  const typed = quoted?.slice(1) ?? '';
  const isClosed = quoted !== undefined && text[before.length] === "'";
  return [...choices, ...own]
    .filter(({ value, label }) => value !== typed && fits(typed, value, label))
    .map(({ value, label }) => ({
      from: before.length - (quoted?.length ?? 0),
      to: before.length + (isClosed ? 1 : 0),
      ...named(`'${value}'`),
      name: value,
      words: label,
    }));
}

function functionOffers(
  values: readonly Value[],
  functions: Readonly<Record<string, string>>,
  typed: string,
  at: number,
): Offer[] {
  const dot = typed.lastIndexOf('.');
  const isBehind = values.some(({ name }) => writeName(name) === typed.slice(0, dot));
  const part = typed.slice(dot + 1);
  return Object.entries(functions)
    .filter(([name]) => (globals.has(name) ? dot < 0 : isBehind) && name.startsWith(part))
    .map(([name, words]) => {
      const insert = `${name}${ofTexts.has(name) ? "('')" : '()'}`;
      const hasNone = name === 'trim' || name.endsWith('Ascii');
      const caret = insert.length - (ofTexts.has(name) ? 2 : hasNone ? 0 : 1);
      return { from: at - part.length, to: at, insert, caret, name, words };
    });
}

/** Completes the name of a value between braces. When it is asked, it offers whole values elsewhere. */
export function textOffers(values: readonly Value[]): OffersAt {
  return (text, at, isAsked) => {
    const typed = /\{\{\s*([\w.-]*)$/.exec(text.slice(0, at))?.[1];
    if (typed === undefined && !isAsked) return [];
    const isClosed = /^\s*[|}]/.test(text.slice(at));
    const write = (name: string): string =>
      typed === undefined ? `{{${name}}}` : isClosed ? name : `${name}}}`;
    return values
      .filter(({ name, label }) => fits(typed ?? '', name, label))
      .map(({ name, label }) => ({
        from: at - (typed ?? '').length,
        to: at,
        ...named(write(name)),
        name,
        words: label,
      }));
  };
}

function named(insert: string): { insert: string; caret: number } {
  return { insert, caret: insert.length };
}

/** Returns whether a name begins with what was typed, or its words contain it. */
function fits(typed: string, name: string, words: string): boolean {
  const lower = typed.toLowerCase();
  if (name.toLowerCase().startsWith(lower)) return name !== typed;
  return typed.length > 1 && words.toLowerCase().includes(lower);
}
