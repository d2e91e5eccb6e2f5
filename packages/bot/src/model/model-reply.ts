import { isJsonObject } from '@parley/runtime/json/json-object';

/** The marks around what models think before they answer; a group has text at an end. */
const reasoningMark =
  /<(\/?)(?:think(?:ing)?|thought|reasoning|reflection|analysis)>|[[◁](\/?)think[\]▷]|<\|channel\|>(final)?\w*(?:<\|message\|>)?/gi;

/** What searches for objects in vain may read of a reply, in its lengths: each of them may read to its end. */
const vainReadsMax = 4;

const breaks: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

type Json = Record<string, unknown>;

/**
 * Returns the text without the model's reasoning. A part without an end reaches to the end of the text, and one without
 * a start from its beginning. Marks in a JSON object are its own words.
 */
export function withoutReasoning(text: string): string {
  return readReply(text).words;
}

/** Returns the words of a model without the reasoning before them. Later marks are words: a text may be about them. */
export function withoutReasoningBefore(text: string): string {
  let at = 0;
  let isReasoning = false;
  for (const match of text.matchAll(reasoningMark)) {
    if (!isReasoning && text.slice(at, match.index).trim() !== '') break;
    isReasoning = !endsReasoning(match);
    at = match.index + match[0].length;
  }
  return isReasoning ? '' : text.slice(at).trim();
}

/**
 * Returns the JSON object of a reply: the whole reply, or the last object in it that has one of the keys, as models put
 * prose, code fences and reasoning around it. Repairs commas before a closing bracket, and line breaks in strings.
 * Undefined without such an object. Takes linear time.
 */
export function findObject(reply: string, keys: readonly string[]): Json | undefined {
  const whole = parse(reply);
  if (whole !== undefined) return whole;
  return readReply(reply).objects.findLast((value) => keys.some((key) => Object.hasOwn(value, key)));
}

/** Returns the reply without the model's reasoning, and the JSON objects in it. */
function readReply(text: string): { words: string; objects: Json[] } {
  const marks = new RegExp(`\\{|${reasoningMark.source}`, reasoningMark.flags);
  let words = '';
  let objects: Json[] = [];
  let at = 0;
  let isReasoning = false;
  let readInVain = 0;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    if (match[0] !== '{') {
      const isEnd = endsReasoning(match);
      if (!isReasoning && isEnd) [words, objects] = ['', []];
      if (!isReasoning && !isEnd) words += text.slice(at, match.index);
      isReasoning = !isEnd;
      at = marks.lastIndex;
    } else if (!isReasoning && readInVain < vainReadsMax * text.length) {
      const scanned = scanObject(text, match.index);
      const value = scanned && parse(scanned.json);
      const end = scanned?.end ?? text.length;
      if (value === undefined) readInVain += end - match.index;
      else {
        objects.push(value);
        marks.lastIndex = end;
      }
    }
  }
  return { words: (isReasoning ? words : words + text.slice(at)).trim(), objects };
}

function endsReasoning(mark: RegExpExecArray): boolean {
  return mark.slice(1).some(Boolean);
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the repaired text from a brace to its closing brace, and the index behind that. */
function scanObject(text: string, start: number): { json: string; end: number } | undefined {
  let json = '';
  // A comma and the blanks behind it.
  let comma = '';
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (isInString) {
      const isEscape = unit === '\\';
      json += isEscape ? text.slice(at, at + 2) : (breaks[unit] ?? unit);
      if (isEscape) at += 1;
      isInString = unit !== '"';
      continue;
    }
    if (unit === ',' || (comma !== '' && /\s/.test(unit))) {
      comma += unit;
      continue;
    }
    const isClosing = unit === '}' || unit === ']';
    json += isClosing ? unit : comma + unit;
    comma = '';
    if (isClosing) depth -= 1;
    if (unit === '{' || unit === '[') depth += 1;
    if (unit === '"') isInString = true;
    if (depth === 0) return { json, end: at + 1 };
  }
  return undefined;
}
