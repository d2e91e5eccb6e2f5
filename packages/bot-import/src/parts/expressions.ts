/** A value of a conversation in an expression. */
export type Operand = {
  /** CEL. */
  value: string;
  type: 'string' | 'int' | 'double' | 'bool' | 'list';
  /** CEL: whether there is a value. Absent if there always is. */
  has?: string;
};

export type Comparison =
  | 'equal'
  | 'unequal'
  | 'less'
  | 'atMost'
  | 'more'
  | 'atLeast'
  | 'contains'
  | 'lacks'
  | 'starts'
  | 'ends'
  | 'startsNot'
  | 'endsNot';

const numeric: Partial<Record<Comparison, string>> = { less: '<', atMost: '<=', more: '>', atLeast: '>=' };
const negated: Partial<Record<Comparison, Comparison>> = {
  unequal: 'equal',
  lacks: 'contains',
  startsNot: 'starts',
  endsNot: 'ends',
};

/** The most characters of an expression. */
export const expressionCharsMax = 500;

/** Returns a text as CEL. */
export function quoted(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `'${escaped}'`;
}

/** Returns a number as CEL, of the type `double`. */
export function asDouble(value: number): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Returns an operand as a `double`; undefined if it is never a number. */
export function numberOf({ value, type }: Operand): string | undefined {
  if (type === 'double') return value;
  return type === 'int' || type === 'string' ? `double(${value})` : undefined;
}

/** Returns the number that a text is, or undefined. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim();
  const value = Number(trimmed);
  return trimmed !== '' && Number.isFinite(value) && Math.abs(value) < 1e15 ? value : undefined;
}

/**
 * Returns the comparison of a value with a text or another value as CEL, or undefined if CEL cannot say it. Without a
 * value, a comparison is false, and a negated one is true. `ignoresCase`: of the parts of a text.
 */
export function compare(
  how: Comparison,
  left: Operand,
  right: string | Operand,
  { ignoresCase = false }: { ignoresCase?: boolean } = {},
): string | undefined {
  const positive = negated[how];
  if (positive !== undefined) {
    const inner = compare(positive, left, right, { ignoresCase });
    if (inner === undefined) return undefined;
    const opposite =
      positive === 'equal' && inner.includes(' == ') ? inner.replace(' == ', ' != ') : not(inner);
    return left.has === undefined ? opposite : `(${not(left.has)} || ${opposite})`;
  }
  const sign = numeric[how];
  if (sign !== undefined) return compareOrder(sign, left, right);
  if (how === 'equal') return compareEqual(left, right);
  if (left.type === 'list') {
    return how === 'contains' && typeof right === 'string' ? `${quoted(right)} in ${left.value}` : undefined;
  }
  if (left.type !== 'string') return undefined;
  const called = { contains: 'contains', starts: 'startsWith', ends: 'endsWith' }[how as 'contains'];
  const fold = (text: string) => (ignoresCase ? `${text}.lowerAscii()` : text);
  const other =
    typeof right === 'string' ? quoted(ignoresCase ? lowerAscii(right) : right) : textOf(right, fold);
  return other === undefined ? undefined : `${fold(left.value)}.${called}(${other})`;
}

function lowerAscii(text: string): string {
  return text.toLowerCase();
}

function textOf({ value, type }: Operand, fold: (text: string) => string): string | undefined {
  if (type === 'list') return undefined;
  return fold(type === 'string' ? value : `string(${value})`);
}

function compareOrder(sign: string, left: Operand, right: string | Operand): string | undefined {
  if (left.type === 'list') {
    const size = typeof right === 'string' ? readNumber(right) : undefined;
    return size === undefined ? undefined : `size(${left.value}) ${sign} ${Math.trunc(size)}`;
  }
  const number = typeof right === 'string' ? readNumber(right) : numberOf(right);
  const own = numberOf(left);
  if (number !== undefined && own !== undefined) {
    if (typeof number === 'string') return `${own} ${sign} ${number}`;
    // A whole scale is compared with a whole number, as authors write it.
    return left.type === 'int' && Number.isInteger(number)
      ? `${left.value} ${sign} ${number}`
      : `${own} ${sign} ${asDouble(number)}`;
  }
  // Days and times sort as text.
  const isDay = typeof right === 'string' && /^\d/.test(right);
  return left.type === 'string' && isDay ? `${left.value} ${sign} ${quoted(right)}` : undefined;
}

function compareEqual(left: Operand, right: string | Operand): string | undefined {
  if (typeof right !== 'string') {
    if (left.type === right.type) return `${left.value} == ${right.value}`;
    const [one, other] = [numberOf(left), numberOf(right)];
    return one === undefined || other === undefined ? undefined : `${one} == ${other}`;
  }
  switch (left.type) {
    case 'string':
      return `${left.value} == ${quoted(right)}`;
    case 'list':
      return `${quoted(right)} in ${left.value}`;
    case 'bool':
      return right === 'true' ? left.value : right === 'false' ? not(left.value) : undefined;
    default: {
      const number = readNumber(right);
      if (number === undefined) return undefined;
      const isWhole = left.type === 'int' && Number.isInteger(number);
      return isWhole ? `${left.value} == ${number}` : `${numberOf(left)} == ${asDouble(number)}`;
    }
  }
}

/** Returns whether there is a value that is not empty. */
export function isSet({ value, type, has }: Operand): string {
  const known = has ?? 'true';
  if (type !== 'string') return known;
  return has === undefined ? `${value} != ''` : `(${has} && ${value} != '')`;
}

export function not(expression: string): string {
  return /^[\w.]+$|^has\([\w.]+\)$|^\(.*\)$/.test(expression) && isOneGroup(expression)
    ? `!${expression}`
    : `!(${expression})`;
}

/** Returns undefined if one of the parts is. */
export function all(parts: readonly (string | undefined)[]): string | undefined {
  return joined(parts, ' && ');
}

/** Returns undefined if one of the parts is. */
export function any(parts: readonly (string | undefined)[]): string | undefined {
  return joined(parts, ' || ');
}

function joined(parts: readonly (string | undefined)[], operator: string): string | undefined {
  if (parts.some((part) => part === undefined)) return undefined;
  const [first, ...others] = parts as string[];
  if (first === undefined) return undefined;
  return others.length === 0 ? first : `(${[first, ...others].join(operator)})`;
}

/** Returns an expression without the parentheses around all of it. */
export function bare(expression: string): string {
  return expression.startsWith('(') && isOneGroup(expression) ? expression.slice(1, -1) : expression;
}

/** Returns whether the first parenthesis, if the expression begins with one, is closed by its end. */
function isOneGroup(expression: string): boolean {
  if (!expression.startsWith('(')) return true;
  let depth = 0;
  let quote = false;
  for (let at = 0; at < expression.length; at += 1) {
    const sign = expression[at];
    if (sign === '\\') at += 1;
    else if (sign === "'") quote = !quote;
    else if (!quote && sign === '(') depth += 1;
    else if (!quote && sign === ')') depth -= 1;
    if (depth === 0 && at < expression.length - 1) return false;
  }
  return true;
}
