import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

// The calls of `repeat`, and the table of docs/architecture/polls.md.

const root = resolve(import.meta.dirname, '../../..');
const intervalMsMax = 60_000;

const sources = globSync('{services,packages}/*/src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const everything = sources.map(({ text }) => text).join('\n');

/** In a name, `…` stands for what differs. The service is empty for a call in a package. */
const calls = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/(?<![.\w])repeat\(\s*(['`])(.*?)\1, (\w+)/g)].map(([, , name = '', interval = '']) => ({
    name: name.replaceAll(/\$\{[^}]*\}/g, '…'),
    service: /^services\/(\w+)/.exec(file)?.[1] ?? '',
    intervalMs: intervalOf(interval, text),
  })),
);

/** Returns the value of a number, or of a constant of this file or another one; of two, the first. */
function intervalOf(interval: string, text: string): number {
  const pattern = new RegExp(String.raw`const ${interval} = (?:[\w.]+ \? (\w+) : \w+|([\d_ *]+));`);
  const [, chosen, product = interval] = pattern.exec(text) ?? pattern.exec(everything) ?? [];
  if (chosen) return intervalOf(chosen, text);
  return product.split('*').reduce((ms, factor) => ms * Number(factor.replaceAll('_', '')), 1);
}

const table = readFileSync(join(root, 'docs/architecture/polls.md'), 'utf8');
const rows = table.split('\n').flatMap((line) => {
  const [, every = '', services = '', poll = ''] = line.split('|');
  const intervalMs = Number.parseFloat(every) * 1_000;
  return [...poll.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name, services, intervalMs }));
});

test('every poll is in the table, with its service and its interval, and the table has no other', () => {
  // A call in another form would be missed. One more is the definition.
  expect(everything.match(/(?<![.\w-])repeat\(\s*(?:\w+: string|['`])/g)).toHaveLength(calls.length + 1);
  const isListed = ({ name, service, intervalMs }: (typeof calls)[number]): boolean =>
    rows.some(
      (row) =>
        row.name === name &&
        row.intervalMs === intervalMs &&
        (row.services.includes(' all ') || row.services.includes(service)),
    );
  const isRare = (intervalMs: number): boolean => intervalMs > intervalMsMax;
  expect(calls.filter((one) => !isRare(one.intervalMs) && !isListed(one))).toEqual([]);
  const names = new Set(calls.map(({ name }) => name));
  expect(rows.filter(({ name = '' }) => !names.has(name))).toEqual([]);
});
