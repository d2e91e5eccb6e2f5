import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test.each(['rpc', 'postgres'])('what the %s package adds to its library can be read in an hour', (name) => {
  const folder = join(root, 'packages', name);
  const [, path = ''] = readFileSync(join(folder, 'README.md'), 'utf8').split('## Read it in an hour\n');
  const [text = ''] = path.split('\n## ');
  const [, stated = ''] = /at most\s+([\d,]+)\s+lines/.exec(text) ?? [];
  const files = Array.from(text.matchAll(/^\| `(src\/.+?)`/gm), ([, file = '']) => file);
  expect(files.length).toBeGreaterThan(5);
  const lines = files.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length);
  const total = lines.reduce((sum, count) => sum + count, 0);
  expect(total).toBeLessThanOrEqual(Number(stated.replace(',', '')));
  expect(Number(stated.replace(',', ''))).toBeLessThanOrEqual(1_600);
});
