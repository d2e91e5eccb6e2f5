/** The marks around what models think before they answer; a group has text at an end. */
const reasoningMark =
  /<(\/?)(?:think(?:ing)?|thought|reasoning|reflection|analysis)>|[[◁](\/?)think[\]▷]|<\|channel\|>(final)?\w*(?:<\|message\|>)?/gi;

/** The most braces that may begin no object: each is followed to the end of the reply at most. */
const vainStartsMax = 8;

const breaks: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns the text without the model's reasoning. A part without an end reaches to the end of the text, and one without
 * a start from its beginning.
 */
export function withoutReasoning(text: string): string {
  let kept = '';
  let at = 0;
  let isReasoning = false;
  for (const match of text.matchAll(reasoningMark)) {
    const isEnd = match.slice(1).some(Boolean);
    if (!isReasoning) kept = isEnd ? '' : kept + text.slice(at, match.index);
    isReasoning = !isEnd;
    at = match.index + match[0].length;
  }
  return (isReasoning ? kept : kept + text.slice(at)).trim();
}

/**
 * Returns the JSON object of a reply: the whole reply, or the last object in it that has one of the keys, as models put
 * prose, code fences and reasoning around it. Repairs commas before a closing bracket, and line breaks in strings.
 * Undefined without such an object. Takes linear time.
 */
export function findObject(reply: string, keys: readonly string[]): Record<string, unknown> | undefined {
  const whole = parse(reply);
  if (whole !== undefined) return whole;
  const text = withoutReasoning(reply);
  let found: Record<string, unknown> | undefined;
  let vain = 0;
  for (let at = text.indexOf('{'); at !== -1 && vain < vainStartsMax; ) {
    const scanned = scanObject(text, at);
    const value = scanned && parse(scanned.json);
    if (value === undefined) vain += 1;
    else if (keys.some((key) => Object.hasOwn(value, key))) found = value;
    at = text.indexOf('{', value === undefined || !scanned ? at + 1 : scanned.end);
  }
  return found;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the repaired text from a brace to the one that closes it, and the index behind that one. */
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
