import type { Environment } from '@marcbachmann/cel-js';

// What the library does otherwise than CEL says, done as it says. It lets none of its functions be replaced: ours have
// names of their own, which the calls in a tree are given before it is checked and run.

/** The names under which our functions run, by the names that expressions have for them. */
export const ownFunctions: ReadonlyMap<string, string> = new Map([
  ['indexOf', 'indexOfPoint'],
  ['substring', 'substringOfPoints'],
  ['int', 'int64'],
]);

/**
 * Lets an environment run our functions. Places in a text count code points, as `size` does, from 0; one that is not in
 * it is a failure (the `strings` extension of CEL). What does not fit into 64 bits is no `int`.
 */
export function registerOwnFunctions(environment: Environment): void {
  environment.registerFunction('string.indexOfPoint(string): int', indexOf);
  environment.registerFunction('string.indexOfPoint(string, int): int', indexOf);
  environment.registerFunction('string.substringOfPoints(int): string', substring);
  environment.registerFunction('string.substringOfPoints(int, int): string', substring);
  environment.registerFunction('int64(int): int', toInt);
  environment.registerFunction('int64(double): int', (value: number) => toInt(BigInt(Math.trunc(value))));
  environment.registerFunction('int64(string): int', (text: string) => {
    if (!/^[+-]?\d{1,19}$/.test(text)) throw new RangeError('not a whole number');
    return toInt(BigInt(text));
  });
}

/** Whether CEL has such an `int`. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function toInt(value: bigint): bigint {
  if (!isInt64(value)) throw new RangeError('not within 64 bits');
  return value;
}

function indexOf(text: string, wanted: string, from?: bigint): bigint {
  if (from !== undefined) refuseOutside(from, BigInt(Array.from(text).length) - (wanted === '' ? 0n : 1n));
  const found = text.indexOf(wanted, firstPoints(text, from ?? 0n).length);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const points = Array.from(text);
  const last = end ?? BigInt(points.length);
  refuseOutside(last, BigInt(points.length));
  refuseOutside(start, last);
  return points.slice(Number(start), Number(last)).join('');
}

function firstPoints(text: string, count: bigint): string {
  return Array.from(text).slice(0, Number(count)).join('');
}

function refuseOutside(place: bigint, last: bigint): void {
  if (place < 0n || place > last) throw new RangeError('index out of range');
}
