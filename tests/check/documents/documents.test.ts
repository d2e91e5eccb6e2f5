import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { documentAt, documentPaths } from '../../documents/all.ts';

const root = resolve(import.meta.dirname, '../../..');

test.each(documentPaths)('%s is as the code makes it (npm run generate)', async (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(await documentAt(path));
});

// A shell empties the file first, and a program that fails then leaves it empty.
test('no script of the repository writes a file by a redirection', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['generate']).toContain('tests/documents/all.ts');
  const written = Object.values(scripts).flatMap(
    (script) => script.match(/>>?\s*(?!\/dev\/null|&)\S+/g) ?? [],
  );
  expect(written).toEqual([]);
});
