import { expect, test } from 'vitest';
import { unavailable } from '../errors.ts';
import { createStackThrottle } from './stack-throttle.ts';

let nowMs = 1;
const isDue = createStackThrottle(() => nowMs);

/** An error of a library: its own frames name files of that library only. */
function thrownAt(line: number, code = 'ECONNRESET', message = 'lost'): Error {
  const stack = [
    `Error: ${message}`,
    '    at Socket.onEnd (node:net:1:1)',
    '    at Client.read (/app/node_modules/pg/lib/client.js:9:1)',
    `    at load (/app/services/some/src/store.ts:${line}:1)`,
  ].join('\n');
  return Object.assign(new Error(message), { stack, code });
}

test('a stack is due once per minute and cause: name, code and the place in our own code', () => {
  expect([thrownAt(1), thrownAt(1, 'ECONNRESET', 'with other data')].map(isDue)).toEqual([true, false]);
  expect([thrownAt(2), thrownAt(1, 'ETIMEDOUT'), thrownAt(2)].map(isDue)).toEqual([true, true, false]);
  nowMs += 60_000;
  expect(isDue(thrownAt(1))).toBe(false);
  nowMs += 1;
  expect([thrownAt(1), thrownAt(1)].map(isDue)).toEqual([true, false]);
});

test('the cause of an error counts, and not what wraps it', () => {
  const wrapped = (line: number) => unavailable(new Error(`call ${line}`, { cause: thrownAt(line) }));
  expect([wrapped(11), wrapped(11), wrapped(12)].map(isDue)).toEqual([true, false, true]);
});

test('errors of any number of causes take a limited memory, and one without a stack has a cause too', () => {
  const bare = (name: string) => Object.assign(new Error('x'), { name, stack: undefined });
  for (let n = 0; n < 5_000; n += 1) expect(isDue(bare(`Fault${n}`))).toBe(true);
  expect(isDue(bare('Fault4999'))).toBe(false);
  // Forgotten with the others, it is due again.
  expect(isDue(bare('Fault0'))).toBe(true);
});
