import { LRUCache } from 'lru-cache';
import { endsBy } from './ends-by.ts';

const apartMs = 60_000;
/** Bounds the memory. Errors have far fewer causes. */
const causesMax = 1_000;
const causeCharactersMax = 500;
const depthMax = 5;

/**
 * Returns a function that returns whether the stack of an error is to be logged: once per cause and minute. A cause is
 * the name and code of the innermost error and the first line of our own code in its stack.
 */
export function createStackThrottle(now: () => number = () => performance.now()): (error: Error) => boolean {
  const logged = new LRUCache<string, true>({ max: causesMax, ttl: apartMs, ...endsBy(now) });
  return (error) => {
    const cause = causeOf(error);
    if (logged.has(cause)) return false;
    logged.set(cause, true);
    return true;
  };
}

function causeOf(error: Error): string {
  let innermost = error;
  for (let depth = 0; depth < depthMax && innermost.cause instanceof Error; depth += 1)
    innermost = innermost.cause;
  const { name, code } = innermost as Error & { code?: unknown };
  const frames = (innermost.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  // Skips frames of libraries and of error constructors, which many causes share.
  const own = frames.find((frame) => !/node:|node_modules|\/runtime\/src\/errors\.ts/.test(frame));
  return `${name} ${String(code)} ${own ?? frames[0]}`.slice(0, causeCharactersMax);
}
