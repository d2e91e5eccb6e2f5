import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { validateDefinition } from '@parley/bot/definition';
import { questionTypes } from '@parley/bot/question-types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

// Writes the files of docs/bots.md and docs/bots/steps.md to a folder, and runs their commands there.
const pages = await Promise.all(
  ['bots.md', 'bots/steps.md'].map((name) =>
    readFile(resolve(import.meta.dirname, '../../../docs', name), 'utf8'),
  ),
);
const blocks = [...pages.join('\n').matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
  ([, language = '', name = '', content = '']) => ({ language, name, content }),
);
const files = blocks.filter(({ language }) => language === 'json');
const sessions = blocks
  .filter(({ language }) => language === 'console')
  .map(({ content }) => {
    const [command = '', ...shown] = content.trimEnd().split('\n');
    return { command, shown };
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-bots-doc-'));
  for (const { name, content } of files) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every example is a file or a command', () => {
  expect(files.length).toBeGreaterThan(5);
  expect(sessions.length).toBeGreaterThan(4);
  for (const { name } of files) expect(name).toMatch(/\.json$/);
  expect(blocks.length).toBe(files.length + sessions.length);
});

const bots = files.filter(({ content }) => content.includes('"schemaVersion"'));

test.each(bots)('$name is valid, except for faulty.json', ({ name, content }) => {
  const { faults = [] } = validateDefinition(JSON.parse(content)) as { faults?: unknown[] };
  expect(faults.length > 0).toBe(name === 'faulty.json');
});

test('the pages have an example of every kind of step and mode of a model, and name every type of input', async () => {
  const { stdout } = await runCommand(['bot', 'schema']);
  const named: string[] = [];
  JSON.parse(stdout, (key, value: { const?: unknown } | null) => {
    if (['kind', 'type', 'mode'].includes(key) && typeof value?.const === 'string') named.push(value.const);
    return value;
  });
  expect(named.length).toBeGreaterThan(20);
  const values = new Set(
    bots.flatMap(({ content }) => [...content.matchAll(/"(\w+)"/g)].map(([, one]) => one)),
  );
  const types = questionTypes.map(({ name }): string => name);
  for (const one of named.filter((name) => !types.includes(name))) expect(values, one).toContain(one);
  for (const name of types) expect(pages.join('\n')).toContain(`\`${name}\``);
});

describe('each command prints the shown output', () => {
  test.each(sessions)('$command', async ({ command, shown }) => {
    const [prompt, program, ...args] = command.split(' ');
    expect([prompt, program]).toEqual(['$', 'parley']);
    const isScript = args.includes('--answers');
    const typed = shown.flatMap((line) => /^(?:you|llm)(?: {2}|$)(.*)$/.exec(line)?.slice(1) ?? []);
    const input = isScript ? '' : typed.map((line) => `${line}\n`).join('');
    const { stdout, stderr } = await runCommand(args, { cwd: folder, input });
    expect(`${stdout}${stderr}`.trimEnd()).toBe(shown.join('\n'));
  });
});
