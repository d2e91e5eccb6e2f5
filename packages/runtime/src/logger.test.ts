import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const loggerUrl = new URL('./logger.ts', import.meta.url).href;

/** Returns the standard output of a process that logs with this code and then ends. */
function linesOf(code: string): Promise<{ n: number }[]> {
  const program = `import { createLogger } from ${JSON.stringify(loggerUrl)};
    const logger = createLogger('some', 'info');
    ${code}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (_error, output) => {
      resolve(
        output
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as { n: number }),
      );
    });
  });
}

test.each([
  ['by itself', ''],
  ['by exit', 'process.exit(1);'],
  ['by an uncaught error', "throw new Error('on purpose');"],
  ['by an unhandled rejection', "await Promise.reject(new Error('on purpose'));"],
])('logged lines are written in order when the process ends %s', async (_how, end) => {
  const lines = await linesOf(`for (let n = 0; n < 2_000; n += 1) logger.info({ n }, 'said'); ${end}`);
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 2_000 }, (_, n) => n));
});
