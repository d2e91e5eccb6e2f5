import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../../deploy/observability');
const blocks = (path: string): string[] =>
  Array.from(readFileSync(join(folder, path), 'utf8').matchAll(/```sh\n(.*?)```/gs), ([, code = '']) => code);

const functions = blocks('README.md').find((code) => code.includes('problems() {')) ?? '';

const unavailable = {
  time: 1,
  level: 40,
  service: 'webhook',
  msg: 'NATS is unavailable',
  err: { message: 'refused' },
};
const log = [
  unavailable,
  { time: 2, level: 30, service: 'webhook', msg: 'started', text: 'a {brace} and a "quote"' },
  { time: 3, level: 30, service: 'webhook', msg: 'delivery attempted' },
  { ...unavailable, time: 4 },
  { time: 5, level: 30, service: 'webhook', msg: 'stopping', reason: 'SIGTERM' },
].map((entry) => JSON.stringify(entry));

/** Returns what the shell prints for a command of the runbooks on a log. */
function run(command: string, lines: readonly string[]): string {
  const script = `logs() { cat; }\n${functions}\n${command}`;
  return execFileSync('sh', ['-c', script], { input: lines.join('\n'), encoding: 'utf8' });
}

const decorations: [string, (line: string) => string][] = [
  ['nothing', (line) => line],
  ['the escape sequence of Compose 2.26 in front', (line) => `\u001b[K${line}`],
  ['colours and a name in front', (line) => `\u001b[36mwebhook-1  | \u001b[0m${line}\u001b[0m`],
  ['a carriage return at the end', (line) => `${line}\r`],
  ['lines of other programs', (line) => `(node:7) Warning: {unreadable}\n${line}\nplain text`],
];

const isWithoutJq = spawnSync('jq', ['--version']).error !== undefined;

test.skipIf(isWithoutJq && !process.env['CI']).each(decorations)(
  'the functions of the runbooks read a log with %s',
  (_, decorate) => {
    const lines = log.map(decorate);
    expect(run('problems webhook', lines).trim()).toBe('2 webhook: NATS is unavailable: refused');
    expect(run('starts webhook', lines)).toBe('2 webhook started \n5 webhook stopping SIGTERM\n');
    expect(run('entries webhook', lines).trim().split('\n')).toEqual(log);
  },
);

test('runbooks read logs with these functions only', () => {
  const runbooks = globSync('runbooks/*/*.md', { cwd: folder });
  const lines = runbooks.flatMap((path) => blocks(path)).flatMap((code) => code.split('\n'));
  expect(lines.filter((line) => line.startsWith('entries '))).not.toEqual([]);
  expect(lines.filter((line) => /\blogs [a-z"$]/.test(line) && !line.includes('kubectl'))).toEqual([]);
});
