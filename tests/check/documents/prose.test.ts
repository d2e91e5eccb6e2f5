import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const lineMax = 120;
const cellMax = 100;
const helpLineMax = 100;
// Words that the glossary replaces, such as "retry" and "heartbeat".
const dialect = /\b(?:anew|astray|hearsay|whoever|told again|signs? of life|that which|as it were)\b/i;

const sources = ['packages', 'services', 'tests', 'bench', 'deploy', 'proto'].map(
  (folder) => `${folder}/**/*.{ts,tsx,mjs,proto,sh,yaml}`,
);
const docs = [
  '{README,CONTRIBUTING,SECURITY}.md',
  'docs/**/*.md',
  '{packages,bench,examples}/**/*.md',
  'deploy/**/*.md',
];
const wordsMax = 2_500;
const decisionLinesMax = 60;
const termsMax = 90;
// A released migration never changes.
const migration = /\/migrations\/\d/;
const generated = /(?:^|\/)(?:node_modules|dist|gen)\//;

interface Line {
  place: string;
  text: string;
}

function linesOf(patterns: string[]): Line[] {
  const files = globSync(patterns, { cwd: root, exclude: (file) => generated.test(`${file}/`) }).toSorted();
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((text, index) => ({ place: `${file}:${index + 1}`, text })),
  );
}

/** Selects comments. In block comments, the lines of the code base begin with an asterisk. */
const isComment = ({ place, text }: Line): boolean =>
  /\.(?:sh|yaml):/.test(place) ? /^\s*#|\s#\s/.test(text) : /^\s*(?:\/\/|\/\*|\*)|\s\/\/\s/.test(text);

const tooLong = ({ text }: Line): boolean => Array.from(text).length > lineMax;

/** A long address cannot be wrapped. */
const isAddress = ({ text }: Line): boolean => /^\W*https?:\S+$/.test(text.trim());

test('lines of comments have at most 120 characters', () => {
  const lines = linesOf(sources);
  expect(lines.length).toBeGreaterThan(10_000);
  const found = lines.filter((line) => isComment(line) && tooLong(line) && !isAddress(line));
  expect(found.map(({ place }) => place)).toEqual([]);
});

test('lines of the docs have at most 120 characters', () => {
  const found = linesOf(docs).filter((line) => tooLong(line) && !isAddress(line));
  expect(found.map(({ place }) => place)).toEqual([]);
});

test('cells of tables have at most 100 characters', () => {
  const rows = linesOf(docs).filter(({ text }) => text.startsWith('|'));
  const found = rows.filter(({ text }) =>
    text.split(/(?<!\\)\|/).some((cell) => Array.from(cell.trim()).length > cellMax),
  );
  expect(rows.length).toBeGreaterThan(100);
  expect(found.map(({ place }) => place)).toEqual([]);
});

test('pages of the docs have at most 2,500 words, and decisions at most 60 lines', () => {
  const pages = Map.groupBy(linesOf(docs), ({ place }) => place.slice(0, place.lastIndexOf(':')));
  expect(pages.size).toBeGreaterThan(100);
  const tooLarge = [...pages].flatMap(([page, lines]) => {
    const words = lines.flatMap(({ text }) => text.split(/\s+/).filter(Boolean)).length;
    // The last line is empty: it follows the last line break.
    const isTooLong = page.startsWith('docs/decisions/') && lines.length - 1 > decisionLinesMax;
    return words > wordsMax || isTooLong ? [`${page}: ${words} words, ${lines.length - 1} lines`] : [];
  });
  expect(tooLarge).toEqual([]);
});

test('the glossary has at most 90 terms, each once', () => {
  const terms = linesOf(['docs/glossary.md']).flatMap(
    ({ text }) => /^- \*\*(.+?)\*\*:/.exec(text)?.[1] ?? [],
  );
  expect(terms.length).toBeGreaterThan(50);
  expect(terms.length).toBeLessThanOrEqual(termsMax);
  expect(new Set(terms).size).toBe(terms.length);
});

// The help of `parley` is checked as it is printed.
test('lines of help texts have at most 100 characters', () => {
  const files = globSync(['{packages,services,tests,bench,deploy}/**/*.ts', 'deploy/{update,make-env}'], {
    cwd: root,
    exclude: (file) => generated.test(`${file}/`),
  });
  const declared = /^(?:const |export const )?(?:help|helpText|usage)\b[^`'\n]*=[^`']*([`'])([^]*?)\1/gm;
  const texts = files.flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(declared), ([, , text = '']) => text),
  );
  expect(texts.length).toBeGreaterThan(14);
  const lines = texts.flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => line.length > helpLineMax)).toEqual([]);
});

test('sentences of docs and comments name their subject: none has "that of" or "those of"', () => {
  const comments = linesOf(sources).filter((line) => isComment(line) && !migration.test(line.place));
  const found = [...linesOf(docs), ...comments].filter(({ text }) => /\b(?:that|those) of\b/i.test(text));
  expect(found.map(({ place }) => place)).toEqual([]);
});

test('code and docs use none of the words that the glossary replaces', () => {
  const lines = linesOf([...sources, ...docs]).filter(
    ({ place }) => !place.startsWith('tests/check/documents/prose'),
  );
  expect(lines.filter(({ text }) => dialect.test(text)).map(({ place }) => place)).toEqual([]);
});
