import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSelection, SelectionError, selectsFrom } from '../suite/selection.ts';
import { slowFiles } from '../suite/slow-first.ts';

const root = resolve(import.meta.dirname, '../..');

test('project and a part of the path select the tests of a run', () => {
  expect(readSelection([], root)).toEqual([]);
  const given = ['--project', 'unit', '--project=check', 'src/json.test', 'tests/check'];
  expect(readSelection(given, root)).toEqual([
    '--project=unit',
    '--project=check',
    'src/json.test',
    'tests/check',
  ]);
});

test.each([
  [['--foo'], "Unknown option '--foo'"],
  [['-x'], "Unknown option '-x'"],
  [
    ['--project', 'foo'],
    'there is no project "foo", but check, unit, integration, end-to-end, browser, alone',
  ],
  [['nosuchfile'], 'no test file has "nosuchfile" in its path'],
  [['--project', 'unit', 'tests/check'], 'no test file has "tests/check" in its path'],
])('%j selects nothing and is rejected in one line', (args, message) => {
  expect(() => readSelection(args, root)).toThrow(new SelectionError(message));
});

test.each<[boolean, string[]]>([
  [true, []],
  [true, ['--project', 'browser']],
  [true, ['tests/browser']],
  [true, ['src/json.test', 'landing.browser']],
  [false, ['--project', 'unit']],
  [false, ['src/json.test']],
  [false, ['--project', 'unit', 'tests/browser']],
])('%s: browser tests are in %j', (isSelected, args) => {
  expect(selectsFrom('browser', args, root)).toBe(isSelected);
});

test('each name of a slow file is that of one file', () => {
  const files = globSync('{packages,services,tests}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules'],
  });
  const found = slowFiles.map((name) => files.filter((file) => file.endsWith(`${name}.test.ts`)).length);
  expect(found).toEqual(slowFiles.map(() => 1));
});
