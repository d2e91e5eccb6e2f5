import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// Between processes only: never in an answer of the API.
const internal = ['unauthenticated', 'operator-only'];

const sources = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root })
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/gen/'))
  .map((file) => readFileSync(join(root, file), 'utf8'));

test('every error type is documented, and every documented one exists', () => {
  const used = sources
    .flatMap((source) => [...source.matchAll(/AppError\(\s*'[a-z_]+',\s*'([a-z-]+)'/g)])
    .map(([, type]) => type ?? '')
    .filter((type) => !internal.includes(type));
  const listed = readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| \d{3} \| `([a-z-]+)`/gm);
  const documented = [...listed].map(([, type]) => type ?? '');
  expect([...new Set(used)].filter((type) => !documented.includes(type))).toEqual([]);
  expect(documented.filter((type) => !sources.some((source) => source.includes(`'${type}'`)))).toEqual([]);
});

test('what an error says to people begins with a capital letter', () => {
  const details = /\bdetail(?::| =)\s*['"`](.+)/g;
  const messages = /AppError\(\s*'[a-z_]+',\s*'[a-z-]+',\s*['"`](.+)/g;
  const told = sources.flatMap((source) =>
    [details, messages].flatMap((pattern) => Array.from(source.matchAll(pattern), ([, text = '']) => text)),
  );
  expect(told.length).toBeGreaterThan(50);
  expect(told.filter((text) => /^[a-z]/.test(text))).toEqual([]);
});
