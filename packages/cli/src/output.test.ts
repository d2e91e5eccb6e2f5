import { globSync, readFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Failure } from './failure.ts';
import { jsonText, print, printFailure, printWarnings, table } from './output.ts';
import type { Shell } from './shell.ts';

/** ESC, OSC with BEL, CSI as C1, line feed, carriage return, DEL, a bidirectional override and a line separator. */
const evil = 'A\u001b[2J\u001b]0;x\u0007\u009b1m\nB\r\u007f\u202ec\u2028\u0000';
const escaped = String.raw`A\u001b[2J\u001b]0;x\u0007\u009b1m\nB\r\u007f\u202ec\u2028\u0000`;
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

async function written(by: (shell: Shell) => void): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const shell = { env: {}, cwd: () => '.', stdin: Readable.from([]), stdout, stderr };
  by(Object.assign(new EventEmitter(), shell));
  stdout.end();
  stderr.end();
  return (await Promise.all([text(stdout), text(stderr)])).join('');
}

test('a row of a table is one line, with all that a terminal obeys escaped', async () => {
  const shown = table(
    ['ID', 'NAME'],
    [
      ['1', evil],
      ['2', 'Zoë 👩‍🚀 日本'],
    ],
    'none',
  );
  expect(await written((shell) => print(shell, false, null, shown))).toBe(
    `ID  NAME\n1   ${escaped}\n2   Zoë 👩‍🚀 日本\n`,
  );
});

test('a text keeps its own line feeds only', async () => {
  const shown = await written((shell) => print(shell, undefined, null, `first\n${evil}`));
  expect(shown.split('\n').filter((line) => unsafe.test(line))).toEqual([]);
  expect(shown).toContain(String.raw`\u001b]0;x\u0007`);
});

test('--json is the same value in JSON, and no text in it reaches the terminal', async () => {
  const value = { name: evil, list: ['Zoë'] };
  const shown = await written((shell) => print(shell, true, value, ''));
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown.split('\n').filter((line) => unsafe.test(line))).toEqual([]);
  const error = await written((shell) => printFailure(shell, true, new Failure(evil, { type: 'x' })));
  expect(unsafe.test(error.trimEnd())).toBe(false);
  expect(JSON.parse(error)).toMatchObject({ error: { type: 'x' } });
});

test('a line of NDJSON is one line with the same value, and no text in it reaches the terminal', () => {
  const value = { name: evil, list: ['Zoë', { [evil]: evil }] };
  const line = jsonText(value);
  expect(JSON.parse(line)).toEqual(value);
  expect(line.at(-1)).toBe('\n');
  expect(unsafe.test(line.slice(0, -1))).toBe(false);
});

test('a failure and a warning have one line each, whatever the server or a file says', async () => {
  const fault = { pointer: `/${evil}`, detail: evil };
  const place = { file: 'bot.json', line: 1, column: 2, frame: `> 1 | "${evil}"` };
  const shown = await written((shell) => {
    printFailure(shell, false, new Failure(evil, { type: 'x', faults: [fault] }));
    printWarnings(shell, [{ ...fault, place: { ...place, frame: 'frame' } }]);
  });
  expect(shown.split('\n').filter((line) => unsafe.test(line))).toEqual([]);
  expect(shown.trimEnd().split('\n')).toHaveLength(4);
});

test('nothing else writes to the terminal, but data in the format that was asked for, and own words', () => {
  const folder = import.meta.dirname;
  const writers = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /(?:stdout|stderr)\??\.write\(/.test(readFileSync(join(folder, file), 'utf8')));
  expect(writers.toSorted()).toEqual([
    // The definition, the schema and the export, as JSON, NDJSON or CSV.
    'commands/bot/draft.ts',
    'commands/bot/insight.ts',
    'commands/bot/pull.ts',
    'commands/bot/schema.ts',
    'commands/customer.ts',
    'commands/insight.ts',
    'commands/interaction.ts',
    'commands/interaction/email-block.ts',
    // What a service of this deployment prints.
    'commands/keys.ts',
    'commands/migrate.ts',
    'export/output.ts',
    'preview/server.ts',
    // What the parser of options says.
    'run.ts',
  ]);
});
