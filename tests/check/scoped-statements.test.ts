import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }));

test('a marker has a literal reason: none is computed, none is written by hand', () => {
  for (const { file, text } of sources.filter(
    (one) => !/(?:across-workspaces|statement-workspace)\.ts$/.test(one.file),
  )) {
    const uses = text.split('acrossWorkspaces(').length - 1;
    expect([file, uses]).toEqual([
      file,
      [...text.matchAll(/acrossWorkspaces\(\s*'[^'*]+'\s*,?\s*\)/g)].length,
    ]);
    expect([file, text.includes('across workspaces: ')]).toEqual([file, false]);
  }
});

test('no service bypasses the check of its statements', () => {
  const passing =
    /application_name|kyselyOver|new Connections\b|CompiledQuery|from 'pg'|new Kysely\b|PostgresDialect/;
  const services = sources.filter(
    ({ file }) => file.startsWith('services/') || /^packages\/(?:audit|events)\//.test(file),
  );
  expect(services.filter(({ text }) => passing.test(text)).map(({ file }) => file)).toEqual([]);
});
