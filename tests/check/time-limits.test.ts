import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

// Limits of time in tests. A busy machine holds up a process for seconds, so one that is short is only in a file that
// runs alone.

const root = resolve(import.meta.dirname, '../..');
const sources = globSync(['{packages,services}/*/{src/**/*.test.ts,tests/**/*.ts}', 'tests/**/*.ts'], {
  cwd: root,
})
  .filter((file) => !/\.alone\.test\.ts$|^tests\/check\//.test(file))
  .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }));

const waitMsMin = 60_000;
const durationMsMin = 10_000;
const isBelow = (limitMs: number, ms: string): boolean => Number(ms.replaceAll('_', '')) < limitMs;

/** Returns the arguments of a call whose opening bracket is here. Brackets in texts are in pairs. */
function argumentsAt(text: string, start: number): string {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if ('([{'.includes(text.charAt(index))) depth += 1;
    if (')]}'.includes(text.charAt(index)) && --depth === 0) return text.slice(start, index + 1);
  }
  return '';
}

/** Returns the places of what is found in the sources. */
function placesOf(pattern: RegExp, isFault: (found: RegExpExecArray, text: string) => boolean): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)]
      .filter((found) => isFault(found, text))
      .map(({ index, 0: words }) => `${file}:${text.slice(0, index).split('\n').length} ${words}`),
  );
}

test('a test waits for at least a minute, and gives `vi.waitFor` a limit, whose own is a second', () => {
  const waits = placesOf(
    /(?:vi\.waitFor|vi\.waitUntil|\beventually|\.poll|\.waitFor|\buntil|\.setDefault(?:Navigation)?Timeout)\(/g,
    (found, text) => {
      const given = argumentsAt(text, found.index + found[0].length - 1);
      const limits = [
        ...given.matchAll(/\btimeout(?:Ms)?: ([\d_]+)/g),
        ...given.matchAll(/[(,]\s*([\d_]+),?\s*\)$/g),
      ];
      if (limits.some(([, ms = '']) => isBelow(waitMsMin, ms))) return true;
      return (
        found[0].startsWith('vi.') &&
        limits.length === 0 &&
        !/, *\w+,?\s*\)$/.test(given.replaceAll(/\n\s*/g, ' '))
      );
    },
  );
  expect(waits).toEqual([]);
});

test('no duration has to be below ten seconds', () => {
  const measured =
    /expect\([^\n]*(?:performance\.now\(\)|Date\.now\(\)(?! \/)|tookMs|durationMs)[^\n]*\)\s*\.toBeLessThan(?:OrEqual)?\((\d[\d_]*)\)/g;
  expect(placesOf(measured, ([, ms = '']) => isBelow(durationMsMin, ms))).toEqual([]);
});

test('no test ends before a minute: its limit is for what hangs', () => {
  expect(placesOf(/^ *\}, (\d[\d_]*)\);$/gm, ([, ms = '']) => isBelow(waitMsMin, ms))).toEqual([]);
});
