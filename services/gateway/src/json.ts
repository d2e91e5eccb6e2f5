import { AppError, type Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json-pointer';
import { faultsMax } from './faults.ts';
import { describeJsonFault } from './json-fault.ts';

/** How deep a body may be nested. */
export const depthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON in UTF-8 that can be read in one way only. 400 (`malformed-json`), with where it is wrong, for what is no
 * JSON, is nested deeper than 64 levels, or has an object with a name twice: which one counts differs among readers.
 */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed([{ pointer: '', detail: describeJsonFault(text) }], cause);
  }
  const members = countMembers(value, []);
  if (members !== countColons(text)) throw malformed(repeatedNames(text));
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw malformed([{ pointer: '', detail: 'Is not UTF-8' }], cause);
  }
}

function malformed(faults: Fault[], cause?: unknown): AppError {
  return new AppError('invalid_argument', 'malformed-json', 'The body is not valid JSON', { faults, cause });
}

/** How many members all objects in the value have. */
function countMembers(value: unknown, path: (string | number)[]): number {
  if (value === null || typeof value !== 'object') return 0;
  if (path.length === depthMax) {
    throw malformed([{ pointer: pointerTo(path), detail: `Is nested deeper than ${depthMax} levels` }]);
  }
  let members = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      members += countMembers(value[index], path);
      path.pop();
    }
    return members;
  }
  for (const [name, inner] of Object.entries(value)) {
    path.push(name);
    members += 1 + countMembers(inner, path);
    path.pop();
  }
  return members;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** How many members were written in a JSON text: each has one colon outside of strings. */
function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === colon) colons += 1;
    else if (unit === quote) at = endOfString(text, at);
  }
  return colons;
}

/** Where the string that begins at `from` has its closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (; text.charCodeAt(at) !== quote; at += 1) {
    if (text.charCodeAt(at) === backslash) at += 1;
  }
  return at;
}

/** The places of all members of a JSON text whose name their object has already. */
function repeatedNames(text: string): Fault[] {
  const faults: Fault[] = [];
  const path: (string | number)[] = [];
  const open: { names: Set<string> | undefined }[] = [];
  for (let at = 0; at < text.length && faults.length < faultsMax; at += 1) {
    const { names } = open.at(-1) ?? {};
    switch (text[at]) {
      case '{':
        open.push({ names: new Set() });
        path.push('');
        break;
      case '[':
        open.push({ names: undefined });
        path.push(0);
        break;
      case '}':
      case ']':
        open.pop();
        path.pop();
        break;
      case ',':
        if (!names) path.push(Number(path.pop()) + 1);
        break;
      case '"': {
        const end = endOfString(text, at);
        if (names && isName(text, end + 1)) {
          const name = JSON.parse(text.slice(at, end + 1)) as string;
          path[path.length - 1] = name;
          if (names.has(name)) faults.push({ pointer: pointerTo(path), detail: 'Is given twice' });
          names.add(name);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return faults;
}

const beforeColon = /\s*:/y;

/** Whether the string that ends at `end` names a member. */
function isName(text: string, end: number): boolean {
  beforeColon.lastIndex = end;
  return beforeColon.test(text);
}
