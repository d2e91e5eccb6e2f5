import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import type { Fault } from '../errors.ts';
import { pointerTo } from './json-pointer.ts';
import { countJson, membersOf } from './json-scan.ts';

/** The maximum depth of JSON: bots and answers need fewer levels, and recursion over it cannot exhaust the stack. */
export const depthMax = 64;

/**
 * The maximum number of values of a JSON text, counting members, elements and the value itself. The time to check a
 * text depends on its values more than on its bytes.
 */
export const jsonValuesMax = 10_000;

/** A part of a text, in UTF-16 units. */
interface Span {
  offset: number;
  length: number;
}

export type JsonFault = Fault & Span;

/** The first position at which a text is not JSON, is nested too deeply or has too many values. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

type ErrorName = Exclude<ReturnType<typeof printParseErrorCode>, '<unknown ParseErrorCode>'>;

/** What is wrong with a text that should be JSON, by name. Callers that show other words need some for each. */
export const jsonMessages = {
  InvalidSymbol: 'This is not a JSON value. Strings need double quotes.',
  InvalidNumberFormat: 'This is not a valid JSON number.',
  PropertyNameExpected: 'Expected a name in double quotes. A trailing comma is not allowed.',
  ValueExpected: 'Expected a value. A trailing comma is not allowed.',
  ColonExpected: 'A colon is missing before this.',
  CommaExpected: 'A comma is missing before this.',
  CloseBraceExpected: 'A closing brace } is missing.',
  CloseBracketExpected: 'A closing bracket ] is missing.',
  EndOfFileExpected: 'Unexpected text after the JSON value.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments, and this one does not end.',
  UnexpectedEndOfString: 'The closing double quote is missing.',
  UnexpectedEndOfNumber: 'The number is not complete.',
  InvalidUnicode: 'After \\u there must be four hexadecimal digits.',
  InvalidEscapeCharacter: 'This is not a JSON escape. Write a backslash as \\\\.',
  InvalidCharacter: 'A control character must be escaped, a line break as \\n.',
  other: 'This is not JSON.',
  empty: 'The text is empty.',
  cutOff: 'The JSON ends too early.',
  repeated: 'Is repeated',
  manyValues: (max: number) => `Has more than ${max} values`,
  deep: (max: number) => `Is nested deeper than ${max} levels`,
} satisfies Record<ErrorName, string> & Record<string, string | ((max: number) => string)>;

type Begin = NonNullable<JSONVisitor['onArrayBegin']>;

/** What `readJson` accepts and lists. */
interface ReadLimits {
  repeatedMax: number;
  /** How many values the text may have. Default: `jsonValuesMax`. */
  valuesMax?: number;
}

/**
 * Parses JSON. `repeated` has the names that an object contains twice, at most `repeatedMax`; `JSON.parse` uses the
 * last value. Throws a `JsonError` for a text that is not JSON (RFC 8259), is nested deeper than 64 levels or has more
 * than `valuesMax` values.
 */
export function readJson(
  text: string,
  { repeatedMax, valuesMax = jsonValuesMax }: ReadLimits,
): { value: unknown; repeated: JsonFault[] } {
  const { values, members, depth, end } = countJson(text, { values: valuesMax, depth: depthMax });
  if (values > valuesMax) {
    const detail = jsonMessages.manyValues(valuesMax);
    throw new JsonError({ pointer: '', detail, offset: end - 1, length: 1 });
  }
  const parsed = depth > depthMax ? undefined : parse(text);
  // Fewer members than the text has: of a repeated name, only the last one is left.
  if (parsed && membersOf(parsed.value) === members) return { value: parsed.value, repeated: [] };
  if (text.trim() === '')
    throw new JsonError({ pointer: '', detail: jsonMessages.empty, offset: 0, length: 1 });
  // Finding the places takes much longer than parsing.
  const repeated = findFaults(text, repeatedMax);
  if (parsed) return { value: parsed.value, repeated };
  throw new JsonError({ pointer: '', detail: jsonMessages.other, offset: 0, length: 1 });
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns the repeated names. Throws a `JsonError` at the first place that is not JSON or is nested too deeply. */
function findFaults(text: string, repeatedMax: number): JsonFault[] {
  const repeated: JsonFault[] = [];
  /** The names of each enclosing object so far. */
  const open: Set<string>[] = [];
  const enter: Begin = (offset, length, _line, _column, path) => {
    open.push(new Set());
    if (open.length <= depthMax) return;
    const detail = jsonMessages.deep(depthMax);
    throw new JsonError({ pointer: pointerTo(path()), detail, offset, length });
  };
  const leave = (): void => void open.pop();
  const visitor: JSONVisitor = {
    onObjectBegin: enter,
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectProperty: (name, offset, length, _line, _column, path) => {
      const names = open.at(-1);
      if (names?.has(name) && repeated.length < repeatedMax) {
        repeated.push({
          pointer: pointerTo([...path(), name]),
          detail: jsonMessages.repeated,
          offset,
          length,
        });
      }
      names?.add(name);
    },
    onError: (code, offset, length) => {
      const kind = printParseErrorCode(code);
      const isCutOff = length === 0 || (kind === 'UnexpectedEndOfString' && offset + length === text.length);
      const { cutOff, other } = jsonMessages;
      const detail = isCutOff ? cutOff : kind === '<unknown ParseErrorCode>' ? other : jsonMessages[kind];
      throw new JsonError({ pointer: '', detail, offset, length });
    },
  };
  visit(text, visitor, { disallowComments: true });
  return repeated;
}

/**
 * Returns the positions of the values (for arrays and objects, of their bracket) and of member names, by JSON
 * pointer. For a repeated name, the last one counts.
 */
export function locateJson(text: string): { values: Map<string, Span>; names: Map<string, Span> } {
  const values = new Map<string, Span>();
  const names = new Map<string, Span>();
  const begin: Begin = (offset, length, _line, _column, path) =>
    void values.set(pointerTo(path()), { offset, length });
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onLiteralValue: (_value, ...place) => void begin(...place),
    onObjectProperty: (name, offset, length, _line, _column, path) =>
      void names.set(pointerTo([...path(), name]), { offset, length }),
  });
  return { values, names };
}

/** Returns where a fault is in a JSON text. A missing value has the place of its object. */
export function spanOf(
  text: string,
  { values, names }: ReturnType<typeof locateJson>,
  { pointer, detail }: Fault,
): Span {
  const name = names.get(pointer);
  // A fault of a name, not of its value, begins with the name.
  const isOfName = name && detail.startsWith(text.slice(name.offset, name.offset + name.length));
  let at = pointer;
  while (at !== '' && !values.has(at)) at = at.slice(0, at.lastIndexOf('/'));
  const { offset, length } = (isOfName ? name : values.get(at)) ?? { offset: 0, length: 1 };
  return { offset, length };
}
