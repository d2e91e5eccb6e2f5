import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const loggerUrl = new URL('./logger.ts', import.meta.url).href;

/** What a process writes to its standard output that logs by this code and then ends. */
function linesOf<Line = { n: number }>(code: string): Promise<Line[]> {
  const program = `import { createLogger } from ${JSON.stringify(loggerUrl)};
    const logger = createLogger('some', 'info');
    ${code}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (_error, output) => {
      resolve(
        output
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Line),
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

test('the stack of an error is in the first of its lines, and every line has its name and message', async () => {
  const lines = await linesOf<{ err: { type: string; message: string; stack?: string } }>(`
    const fail = (message) => Object.assign(new TypeError(message), { code: 'SOME' });
    for (let n = 0; n < 3; n += 1) logger.error({ err: fail('call ' + n) }, 'failed');
    const refused = new AggregateError([new Error('IPv6'), new Error('IPv4')], 'refused');
    for (let n = 0; n < 2; n += 1) logger.error({ err: new Error('outer', { cause: refused }) }, 'failed');`);
  expect(lines.map(({ err }) => [err.type, err.message, err.stack !== undefined])).toEqual([
    ['TypeError', 'call 0', true],
    ['TypeError', 'call 1', false],
    ['TypeError', 'call 2', false],
    ['Error', 'outer: refused', true],
    ['Error', 'outer: refused', false],
  ]);
});
