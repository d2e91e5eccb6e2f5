import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].toSorted();

test('docs/operations.md lists the variables that the processes read, and no others', () => {
  const sources = [...globSync('services/*/src/config.ts', { cwd: root }), 'packages/runtime/src/config.ts'];
  const variables = namesIn(sources.map(read).join('\n'), /^ +([A-Z][A-Z_]+): /gm);
  expect(variables.length).toBeGreaterThan(20);
  const rows = read('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1]);
  // Read by `run`, before there is a configuration.
  const ofRun = ['LOG_LEVEL', 'OTEL_'];
  expect(namesIn(rows.join('\n'), /`([A-Z_]+)/g)).toEqual([...variables, ...ofRun].toSorted());
});
