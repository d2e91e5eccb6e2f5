import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refusalTypes } from '@parley/rpc/context';
import { expect, test } from 'vitest';
import { errorTypes } from '../../../services/gateway/src/openapi/error-types.ts';

const root = resolve(import.meta.dirname, '../../..');

// Sources that read or describe answers; the others throw errors.
const elsewhere =
  /^packages\/(?:cli|client|sdk-generator|testing|widget)\/|^services\/gateway\/src\/openapi\//;

const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/gen/'),
);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = files.map(read);

// An AppError, a property or variable `type`, a map of refusals, a union of refusals.
const givenTypes = [
  /AppError\(\s*'[a-z_]+',\s*('[a-z-]+')/g,
  /\btype(?::| =) ?([^;,}\n]*'[a-z]+-[a-z-]+'[^;,}\n]*)/g,
  /\brefusal\w*(?:: [^=]+)? = \{([^}]*)\}/gi,
  /\btype \w*Refusal =([^;]*);/g,
];

// Leaves out operands of a comparison and values of a map.
const slug = /(?<!=== |': )'([a-z]+(?:-[a-z]+)*)'/g;

function typesIn(source: string): string[] {
  return givenTypes
    .flatMap((pattern) => Array.from(source.matchAll(pattern), ([, given = '']) => given))
    .flatMap((given) => Array.from(given.matchAll(slug), ([, type = '']) => type));
}

test('every error type is used, and every used one is listed', () => {
  const given = new Set(files.filter((file) => !elsewhere.test(file)).flatMap((file) => typesIn(read(file))));
  const listed = Object.keys(errorTypes);
  expect([...given].filter((type) => !listed.includes(type) && !refusalTypes.includes(type))).toEqual([]);
  expect(listed.filter((type) => !given.has(type))).toEqual([]);
});

test('the text of an error begins with a capital letter', () => {
  const details = /\bdetail(?::| =)\s*['"`](.+)/g;
  const messages = /AppError\(\s*'[a-z_]+',\s*'[a-z-]+',\s*['"`](.+)/g;
  const texts = sources.flatMap((source) =>
    [details, messages].flatMap((pattern) => Array.from(source.matchAll(pattern), ([, text = '']) => text)),
  );
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((text) => /^[a-z]/.test(text))).toEqual([]);
});
