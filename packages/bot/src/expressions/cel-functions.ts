import type { Environment } from '@marcbachmann/cel-js';
import { caseGrowthMax } from './expression-cost.ts';
import { findText } from '../text/find-text.ts';

// Replacements for functions of the library that differ from CEL, need more than linear time or multiply text. The
// library cannot replace a function, so these have names of their own: calls are renamed in the syntax tree before it
// is checked and run.

/** The names of our functions, by the names in expressions. */
export const ownFunctions: ReadonlyMap<string, string> = new Map([
  ['contains', 'containsText'],
  ['indexOf', 'indexOfPoint'],
  ['substring', 'substringOfPoints'],
  ['int', 'int64'],
  ['lowerAscii', 'lowerText'],
  ['upperAscii', 'upperText'],
]);

/**
 * Registers our functions. Indexes into a text count code points, as `size` does, from 0; one out of range fails (the
 * `strings` extension of CEL). A value outside 64 bits is no `int`. A change of case fails for a text of letters that
 * become several.
 */
export function registerOwnFunctions(environment: Environment): void {
  environment.registerFunction(
    'string.containsText(string): bool',
    (text: string, wanted: string) => findText(text, wanted) >= 0,
  );
  environment.registerFunction('string.indexOfPoint(string): int', indexOf);
  environment.registerFunction('string.indexOfPoint(string, int): int', indexOf);
  environment.registerFunction('string.substringOfPoints(int): string', substring);
  environment.registerFunction('string.substringOfPoints(int, int): string', substring);
  environment.registerFunction('string.lowerText(): string', (text: string) =>
    inOtherCase(text, text.toLowerCase()),
  );
  environment.registerFunction('string.upperText(): string', (text: string) =>
    inOtherCase(text, text.toUpperCase()),
  );
  environment.registerFunction('int64(int): int', toInt);
  environment.registerFunction('int64(double): int', (value: number) => toInt(BigInt(Math.trunc(value))));
  environment.registerFunction('int64(string): int', (text: string) => {
    if (!/^[+-]?\d{1,19}$/.test(text)) throw new RangeError('not a whole number');
    return toInt(BigInt(text));
  });
}

/** Whether the value fits into an `int` of CEL. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function toInt(value: bigint): bigint {
  if (!isInt64(value)) throw new RangeError('not within 64 bits');
  return value;
}

// The small addition is for short texts: one letter becomes up to three.
function inOtherCase(text: string, changed: string): string {
  if (changed.length > caseGrowthMax * text.length + 10) throw new RangeError('grows too much');
  return changed;
}

function indexOf(text: string, wanted: string, from?: bigint): bigint {
  const start = from === undefined ? 0 : unitsIn(text, from);
  if (from !== undefined && wanted !== '' && start === text.length) throw outOfRange();
  const found = findText(text, wanted, start);
  return found < 0 ? -1n : BigInt(pointsIn(text, found));
}

function substring(text: string, start: bigint, end?: bigint): string {
  const first = unitsIn(text, start);
  const last = end === undefined ? text.length : unitsIn(text, end);
  if (first > last) throw outOfRange();
  return text.slice(first, last);
}

/** Returns the number of code points in the first `units` UTF-16 units. */
export function pointsIn(text: string, units: number): number {
  let points = units;
  for (let at = 1; at < units; at += 1) if (isSecondHalf(text, at)) points -= 1;
  return points;
}

/** Returns the number of UTF-16 units of the first `points` code points. Throws when the text has fewer. */
function unitsIn(text: string, points: bigint): number {
  if (points < 0n || points > BigInt(text.length)) throw outOfRange();
  let units = 0;
  for (let left = Number(points); left > 0; left -= 1) units += isSecondHalf(text, units + 1) ? 2 : 1;
  if (units > text.length) throw outOfRange();
  return units;
}

function isSecondHalf(text: string, at: number): boolean {
  const isSecond = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isSecond && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

function outOfRange(): RangeError {
  return new RangeError('index out of range');
}
