import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// Between processes only: never in an answer of the API.
const internal = ['unauthenticated', 'operator-only'];

// What answers, without those who read answers, and without the description of the answers, which names every type.
const elsewhere = /^packages\/(?:cli|client|testing|widget)\/|^services\/gateway\/src\/openapi\//;

const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/gen/'),
);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = files.map(read);

// An error itself; then what is made into one: a refusal, a type that is chosen, the names of a map or a union of refusals.
const givenTypes = [
  /AppError\(\s*'[a-z_]+',\s*('[a-z-]+')/g,
  /\btype(?::| =) ?([^;,}\n]*'[a-z]+-[a-z-]+'[^;,}\n]*)/g,
  /\brefusal\w*(?:: [^=]+)? = \{([^}]*)\}/gi,
  /\btype \w*Refusal =([^;]*);/g,
];

// Neither what a type is chosen by, nor what a map has under a type.
const slug = /(?<!=== |': )'([a-z]+(?:-[a-z]+)*)'/g;

/** The error types that a source gives. */
function typesIn(source: string): string[] {
  return givenTypes
    .flatMap((pattern) => Array.from(source.matchAll(pattern), ([, given = '']) => given))
    .flatMap((given) => Array.from(given.matchAll(slug), ([, type = '']) => type));
}

test('every error type is documented, and every documented one is given', () => {
  const given = new Set(files.filter((file) => !elsewhere.test(file)).flatMap((file) => typesIn(read(file))));
  const listed = read('docs/errors.md').matchAll(/^\| \d{3} \| `([a-z-]+)`/gm);
  const documented = Array.from(listed, ([, type = '']) => type);
  expect([...given].filter((type) => !documented.includes(type) && !internal.includes(type))).toEqual([]);
  expect(documented.filter((type) => !given.has(type))).toEqual([]);
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
