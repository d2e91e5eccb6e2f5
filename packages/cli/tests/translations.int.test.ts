import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-translations-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const source = `{
  "schemaVersion": 1, "key": "hello", "name": "Hello", "type": "Test",
  "steps": [
    { "id": "hi", "kind": "say", "text": { "en": "Hi {{customer.firstName|you}}", "de": "Hallo {{customer.firstName|Sie}}" } },
    { "id": "end",  "kind": "end", "text": "Bye" }
  ]
}
`;
const run = (...args: string[]) => runCommand(['bot', 'translations', ...args], { cwd: folder });
const read = (name: string) => readFile(join(folder, name), 'utf8');

test('texts go to translators and come back, as CSV and as XLIFF, and the file stays as it was laid out', async () => {
  await writeFile(join(folder, 'hello.json'), source);
  const shown = await run('show', 'hello.json');
  expect(shown.stdout).toMatch(/de +missing +end\.text +Bye/);
  expect(shown.stdout).toContain('de: 1 of 2 translated, 1 missing, 0 stale, 0 faulty');

  await run('export', 'hello.json', '--output', 'hello.csv', '--language', 'fr');
  const csv = await read('hello.csv');
  expect(csv).toContain('key,en,de,de (state),fr,fr (state)');
  await writeFile(
    join(folder, 'hello.csv'),
    csv.replace('end.text,Bye,,missing,,missing', 'end.text,Bye,Tschüss,,Au revoir,'),
  );
  expect((await run('import', 'hello.json', 'hello.csv')).stdout).toContain('2 other translations');
  const made = await read('hello.json');
  expect(made.startsWith(source.slice(0, source.indexOf('"Bye"')))).toBe(true);
  expect(JSON.parse(made).steps[1].text).toEqual({ en: 'Bye', de: 'Tschüss', fr: 'Au revoir' });
  expect((await runCommand(['bot', 'validate', 'hello.json'], { cwd: folder })).exitCode).toBe(0);

  await writeFile(join(folder, 'hello.json'), made.replace('"en": "Bye"', '"en": "See you"'));
  expect((await run('show', 'hello.json', '--language', 'de')).stdout).toMatch(
    /de +stale +end\.text +See you/,
  );
  await run('export', 'hello.json', '--output', 'hello.xlf', '--language', 'de');
  const xliff = await read('hello.xlf');
  expect(xliff).toContain('subState="parley:stale"');
  await writeFile(join(folder, 'hello.xlf'), xliff.replace('>Tschüss<', '>Bis bald<'));
  expect((await run('import', 'hello.json', 'hello.xlf')).exitCode).toBe(0);
  expect((await run('show', 'hello.json', '--language', 'de')).stdout).toContain(
    'Nothing is missing, stale or faulty.',
  );
});

test('what does not fit is named, and the rest is taken', async () => {
  await writeFile(join(folder, 'hello.json'), source);
  await writeFile(
    join(folder, 'bad.csv'),
    'key,de\nhi.text,Hallo {{customer.email}}\nend.text,Tschau\nnone.text,Was\n',
  );
  const { exitCode, stderr } = await run('import', 'hello.json', 'bad.csv');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('2 translations are not taken; hello.json has 1 other translation');
  expect(stderr).toContain('It lacks customer.firstName. Its source does not name customer.email.');
  expect(JSON.parse(await read('hello.json')).steps[1].text).toEqual({ en: 'Bye', de: 'Tschau' });
  await writeFile(join(folder, 'none.xlf'), '<a/>');
  expect((await run('import', 'hello.json', 'none.xlf')).stderr).toContain('none.xlf is no XLIFF 2 file');
  expect((await run('export', 'hello.json', '--output', 'x.xlf')).exitCode).toBe(2);
});
