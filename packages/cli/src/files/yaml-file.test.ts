import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDataFile } from './yaml-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-yaml-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
const shell = Object.assign(new EventEmitter(), { env: {}, cwd: () => folder, ...streams });

async function read(text: string, name = 'a.yaml') {
  await writeFile(join(folder, name), text);
  return readDataFile(name, shell);
}

test('YAML has the values of JSON: strings are no dates and no booleans', async () => {
  const { value, text } = await read('a: no\nb: 2026-11-01\nc: &x [1, null]\nd: *x\ne: |\n  line\n');
  expect(value).toEqual({ a: 'no', b: '2026-11-01', c: [1, null], d: [1, null], e: 'line\n' });
  expect(JSON.parse(text)).toEqual(value);
});

test('a fault has its place: of a value, of a name, or of the object of a missing value', async () => {
  const { place } = await read('list:\n  - name: x\n    other: 1\n');
  const at = (pointer: string, detail = 'Is wrong') => {
    const { line, column, frame } = place({ pointer, detail }).place;
    return [line, column, frame.split('\n')[0]];
  };
  expect(at('/list/0/name')).toEqual([2, 11, '2 |   - name: x']);
  expect(at('/list/0/other', '"other" is not a known field')).toEqual([3, 5, '3 |     other: 1']);
  expect(at('/list/0/missing')).toEqual([2, 5, '2 |   - name: x']);
});

test.each([
  ['a list without its end', 'a: [1', 'Flow sequence'],
  ['a repeated name', 'a: 1\na: 2', 'unique'],
  ['a second document', 'a: 1\n---\nb: 2', 'multiple documents'],
  ['a tag', 'a: !!binary aGk=', 'tag'],
  ['a number that JSON does not have', 'a: .inf', 'finite'],
  ['an alias to itself', 'a: &a [*a]', ''],
  ['100 levels', `a: ${'['.repeat(100)}${']'.repeat(100)}`, '64'],
  ['50,000 levels', `a: ${'['.repeat(50_000)}`, ''],
  ['aliases of aliases', `a: &a [1,2,3]\n${twice('a', 'b')}${twice('b', 'c')}${twice('c', 'd')}`, 'alias'],
  ['a file without a value', '# nothing', 'empty'],
])('%s is refused', async (_, text, reason) => {
  const failure = await read(text).then(
    () => expect.fail('accepted'),
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ type: 'invalid-yaml' });
  expect(JSON.stringify([failure, String(failure)])).toContain(reason);
});

function twice(name: string, next: string): string {
  return `${next}: &${next} [${Array.from({ length: 9 }, () => `*${name}`).join()}]\n`;
}
