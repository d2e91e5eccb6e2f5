interface JsonCounts {
  /** The values, members and elements included. */
  values: number;
  /** The members of all objects. */
  members: number;
  /** The levels of arrays and objects inside each other. */
  depth: number;
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')];
const [arrayBegin, arrayEnd, objectBegin, objectEnd] = [code('['), code(']'), code('{'), code('}')];
const space = code(' ');

/**
 * Counts what a JSON text contains, in one pass and without reading values. Stops at the first character with which the
 * text has more values or levels than the limits. A text that is not JSON may have any counts.
 */
export function countJson(
  text: string,
  limits: Pick<JsonCounts, 'values' | 'depth'>,
): JsonCounts & { end: number } {
  let [values, members, level, depth] = [1, 0, 0, 0];
  let isFirst = false;
  let at = 0;
  for (; at < text.length && values <= limits.values && depth <= limits.depth; at += 1) {
    const character = text.charCodeAt(at);
    if (character <= space) continue;
    const isEnd = character === arrayEnd || character === objectEnd;
    // An array or object that is not empty has one more value than commas.
    if (character === comma || (isFirst && !isEnd)) values += 1;
    isFirst = character === arrayBegin || character === objectBegin;
    if (character === quote) at = endOfString(text, at);
    else if (character === colon) members += 1;
    else if (isEnd) level -= 1;
    else if (isFirst) {
      level += 1;
      depth = Math.max(depth, level);
    }
  }
  return { values, members, depth, end: at };
}

interface Member {
  name: string;
  /** Name and value with the spaces around them, without the comma. */
  text: string;
  /** The value with the spaces around it. */
  value: string;
}

/** Returns the members of the object that a valid JSON text contains. */
export function splitMembers(json: string): Member[] {
  const members: Member[] = [];
  let [level, begin, colonAt] = [0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    const isBegin = character === objectBegin || character === arrayBegin;
    const isEnd = character === objectEnd || character === arrayEnd;
    if (level === 1 && (character === comma || isEnd) && colonAt > begin) {
      const name: unknown = JSON.parse(json.slice(begin, colonAt));
      members.push({ name: String(name), text: json.slice(begin, at), value: json.slice(colonAt + 1, at) });
    }
    if (character === quote) at = endOfString(json, at);
    else if (level === 1 && character === colon) colonAt = at;
    else if (isBegin) level += 1;
    else if (isEnd) level -= 1;
    if (level === 1 && (character === comma || isBegin)) begin = at + 1;
  }
  return members;
}

interface ItemPlace {
  /** Where it begins and ends, without the spaces around it. */
  from: number;
  to: number;
  /** Where the colon of a member is. Undefined for an element. */
  colon: number | undefined;
}

/** Returns where the items of the array or object at `offset` of a valid JSON text are. */
export function itemPlaces(json: string, offset: number): ItemPlace[] {
  const places: ItemPlace[] = [];
  let [level, from, to] = [0, -1, 0];
  let colonAt: number | undefined;
  for (let at = offset + 1; at < json.length && level >= 0; at += 1) {
    const character = json.charCodeAt(at);
    if (character <= space) continue;
    if (character === arrayEnd || character === objectEnd) level -= 1;
    if (level < 0 || (level === 0 && character === comma)) {
      if (from >= 0) places.push({ from, to, colon: colonAt });
      [from, colonAt] = [-1, undefined];
      continue;
    }
    if (from < 0) from = at;
    if (character === quote) at = endOfString(json, at);
    else if (level === 0 && character === colon) colonAt = at;
    else if (character === arrayBegin || character === objectBegin) level += 1;
    to = at + 1;
  }
  return places;
}

/** Returns the index of the closing quote, or the end of the text. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) return at;
    if (character === backslash) at += 1;
  }
  return text.length;
}

/** Returns how many members the objects in a parsed value have in all. */
export function membersOf(value: unknown): number {
  if (!isObject(value)) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + membersOf(item), 0);
  const names = Object.keys(value);
  return names.reduce((sum, name) => sum + membersOf(value[name]), names.length);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
