import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

// The suite finds the integration tests of a package in its folder `tests`, which may hold one.
const isTestsOfPackage = (folder: string): boolean => /^packages\/[^/]+\/tests$/.test(folder);

test('no folder holds a single file, or more than 20', () => {
  const folders = globSync('{packages,services,tests,bench}/**/', {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|gen)$/.test(path),
  });
  expect(folders.length).toBeGreaterThan(200);
  const wrong = folders.filter((folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).length;
    return files > 20 || (files === 1 && entries.length === 1 && !isTestsOfPackage(folder));
  });
  expect(wrong).toEqual([]);
});

/** A file below this length belongs to its only caller, unless the caller would become longer than `callerMax`. */
const smallMax = 30;
const callerMax = 250;

/** Files of a kind, each of which has its own file whatever its length. */
const kinds = [
  /\/questions\/(?:types\/)?[^/]+\//,
  /\/ui\/questions\/types\//,
  /\/texts\/(?:de|en)\//,
  /\/commands\/[^/]+\//,
  /\/migrations\//,
  // SQL, metrics, routes and presenters have files of their own (docs/architecture.md).
  /(?:store|metrics|routes|present-[a-z-]+)\.ts$/,
  // Entries: they run when they are imported, or a package exports them.
  /\/(?:main|index|bundle-package)\.tsx?$/,
];

/** Returns the names of the files that are imported as a part of a package, or when they are needed. */
function namesImportedElsewhere(): Set<string> {
  const files = globSync('{packages,services,tests,bench}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|gen)$/.test(path),
  });
  return new Set(
    files.flatMap((file) => {
      const paths = readFileSync(join(root, file), 'utf8').matchAll(/(?:'@parley\/|import\('\.)([^']+)'/g);
      return Array.from(paths, ([, path = '']) => basename(path).replace(/\.tsx?$/, ''));
    }),
  );
}

/** A unit test loads no screen of the console. So what screens decide is beside them (console-modules.test.ts). */
const isTestedAlone = (file: string): boolean =>
  file.startsWith('packages/console/') && existsSync(join(root, file.replace(/\.ts$/, '.test.ts')));

test('no small file has a single caller', () => {
  const files = globSync('{packages,services}/*/{src/**/,}*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\/gen\/|\.test\.|\.d\.ts$|^packages\/testing\//.test(file),
  );
  const contents = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const callers = new Map<string, string[]>();
  for (const [file, content] of contents) {
    for (const [, path = ''] of content.matchAll(/from '(\.[^']+)'/g)) {
      const called = join(file, '..', path);
      callers.set(called, [...(callers.get(called) ?? []), file]);
    }
  }
  const elsewhere = namesImportedElsewhere();
  const lines = (file: string): number => (contents.get(file) ?? '').split('\n').length - 1;
  const wrong = files.filter((file) => {
    const [caller, ...others] = callers.get(file) ?? [];
    if (caller === undefined || others.length > 0 || lines(file) >= smallMax) return false;
    if (isTestedAlone(file)) return false;
    if (elsewhere.has(basename(file).replace(/\.tsx?$/, ''))) return false;
    return lines(file) + lines(caller) <= callerMax && !kinds.some((kind) => kind.test(file));
  });
  expect(wrong).toEqual([]);
});
