import { ownFunctions, pointsIn } from './cel-functions.ts';
import { type ComparedText, comparisonsOf, isNode, operatorOffset } from './cel-tree.ts';
import { type Message, messages, reasons } from '../text/messages.ts';

// What an author reads about a faulty expression.

/** Returns the text for a position in an expression, in code points from 1. */
export function placeIn(expression: string, offset: number): string {
  return `, at character ${pointsIn(expression, offset) + 1}`;
}

/** Returns the first comparison of a field with a text that none of its values can be, or have, as a fault. */
export function comparisonFault(
  compared: readonly ComparedText[],
  values: Readonly<Record<string, readonly string[]>>,
  expression: string,
): Message | undefined {
  for (const { field, how, text, start } of compared) {
    const known = values[field];
    if (!known || known.some((value) => comparisons[how](value, text))) continue;
    const shown = known.filter((value) => value !== '').join(', ');
    return messages.neverKnown(field, `${JSON.stringify(text)}${placeIn(expression, start)}`, shown);
  }
  return undefined;
}

/**
 * Returns the first comparison that comes out the same for each known value of the only field that it reads, as a
 * fault: it can never hold. `evaluate` returns the result of a part of the expression; undefined without one.
 */
export function constantFault(
  tree: unknown,
  values: Readonly<Record<string, readonly string[]>>,
  expression: string,
  evaluate: (part: string, field: string, value: string) => unknown,
): Message | undefined {
  for (const { field, start, end, holdsIf } of comparisonsOf(tree)) {
    const known = values[field] ?? [];
    const isConstant = (part: string): boolean =>
      known.length > 0 && known.every((value) => evaluate(part, field, value) === !holdsIf);
    const part = partsAround(expression, start, end).find(isConstant);
    if (part === undefined) continue;
    const shown = known.filter((value) => value !== '').join(', ');
    return messages.neverKnown(part, `${holdsIf}${placeIn(expression, start)}`, shown);
  }
  return undefined;
}

/** Returns a part of an expression with up to three of the parentheses around it: a node does not count its own. */
function partsAround(expression: string, start: number, end: number): string[] {
  const [before = ''] = /[\s(]*$/.exec(expression.slice(0, start)) ?? [];
  const [after = ''] = /^[\s)]*/.exec(expression.slice(end)) ?? [];
  const starts = [
    start,
    ...[...before].flatMap((one, at) => (one === '(' ? start - before.length + at : [])).toReversed(),
  ];
  const ends = [end, ...[...after].flatMap((one, at) => (one === ')' ? end + at + 1 : []))];
  return starts.slice(0, 4).flatMap((from) => ends.slice(0, 4).map((to) => expression.slice(from, to)));
}

const comparisons: Record<ComparedText['how'], (value: string, text: string) => boolean> = {
  '==': (value, text) => value === text,
  startsWith: (value, text) => value.startsWith(text),
  endsWith: (value, text) => value.endsWith(text),
  contains: (value, text) => value.includes(text),
};

export function summary(error: unknown, expression: string, known: string): string {
  if (!(error instanceof Error) || !('code' in error)) return reasons.notUnderstood;
  const misplaced = misplacedPart(error, expression);
  if (misplaced !== undefined) return misplaced;
  const text = 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
  let line = (text.split('\n')[0] ?? '').replace(/\.$/, '');
  for (const [name, own] of ownFunctions) line = line.replaceAll(`${own}(`, `${name}(`);
  const offset = offsetOf(error, expression);
  const place = offset === undefined ? '' : placeIn(expression, offset);
  const missing = missingIn(line);
  if (missing !== undefined) return reasons.undeclared(missing, known, place);
  const types = /^no such overload: (.*)$/.exec(line)?.[1];
  return types === undefined ? `${line}${place}` : reasons.noOverload(`${types}${place}${hintFor(types)}`);
}

/** Returns what is wrong with the syntax; undefined for another fault. The library names its own kinds of tokens. */
function misplacedPart(error: Error & { code: unknown }, expression: string): string | undefined {
  if (error.code !== 'unexpected_token' && error.code !== 'expected_token') return undefined;
  const range = 'range' in error && isRange(error.range) ? error.range : { start: 0, end: 0 };
  const part = expression.slice(range.start, range.end);
  const place = placeIn(expression, range.start);
  return part.trim() === '' ? reasons.endsEarly(place) : reasons.unexpected(part, place);
}

/** Returns the position of the operator whose operands do not fit, else of the faulty part. */
export function offsetOf(error: Error, expression: string): number | undefined {
  const operator = 'node' in error && isNode(error.node) ? operatorOffset(error.node, expression) : -1;
  if (operator >= 0) return operator;
  return 'range' in error && isRange(error.range) ? error.range.start : undefined;
}

// Authors compare properties of the context, which are texts, with numbers.
function hintFor(types: string): string {
  const [, left = '', right = ''] = /^(\w+) \S+ (\w+)$/.exec(types) ?? [];
  const isMixed =
    [left, right].includes('string') && [left, right].some((type) => /^(?:int|double)$/.test(type));
  return isMixed ? '; int(...) or double(...) makes a number of a text' : '';
}

export function missingIn(message: string): string | undefined {
  return /^(?:No such key|Unknown variable): (.*?)\.?$/m.exec(message)?.[1];
}

function isRange(range: unknown): range is { start: number; end: number } {
  if (typeof range !== 'object' || range === null || !('start' in range) || !('end' in range)) return false;
  return typeof range.start === 'number' && typeof range.end === 'number';
}
