import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
// Files that a command of an operator writes.
const writtenBeforeUse = new Set(['deploy/.env', 'deploy/secrets', 'deploy/secrets/all.env', 'deploy/logs']);
const skipped = new Set(['node_modules', 'test-output', 'dist']);

/** Returns the Markdown files below a folder, also through symbolic links, by the paths that readers see. */
function markdownIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (skipped.has(name) || name.startsWith('.') || !existsSync(path)) return [];
    if (statSync(path).isDirectory()) return markdownIn(path);
    return name.endsWith('.md') ? [path] : [];
  });
}

/** Returns the anchors of the headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  const headings =
    readFileSync(file, 'utf8')
      .replaceAll(/^```[^]*?^```/gm, '')
      .match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function linksOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const links = Array.from(text.matchAll(/\]\(([^()\s]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function brokenLinksOf(file: string): string[] {
  return linksOf(file).filter((link) => {
    const [path = '', anchor] = link.split('#');
    // Not `realpath`: a reader's viewer resolves a link from the path of the page.
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

/** Returns the files and folders that a page names and that do not exist. */
function missingPathsOf(file: string): string[] {
  const named = readFileSync(file, 'utf8').matchAll(
    /`((?:services|packages|tests|bench|deploy|docs|proto|examples)\/[\w./-]+)`/g,
  );
  return Array.from(named, ([, path = '']) => path).filter(
    (path) =>
      ![root, dirname(file)].some((folder) => existsSync(join(folder, path))) &&
      !path.includes('NNNN') &&
      !writtenBeforeUse.has(path),
  );
}

test('every file of the repository that the docs name exists', () => {
  const missing = markdownIn(root).flatMap((file) =>
    missingPathsOf(file).map((path) => `${relative(root, file)}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every link of the docs leads to a file and a heading of the repository', () => {
  const files = markdownIn(root);
  expect(files.length).toBeGreaterThan(60);
  const broken = files.flatMap((file) =>
    brokenLinksOf(file).map((link) => `${relative(root, file)}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('links lead from the README to every page of the docs', () => {
  const open = [join(root, 'README.md')];
  for (const file of open) {
    for (const link of linksOf(file)) {
      const [path = ''] = link.split('#');
      const target = join(dirname(file), path);
      if (target.endsWith('.md') && !open.includes(target)) open.push(target);
    }
  }
  // The README links the folder of the decisions.
  const pages = markdownIn(join(root, 'docs')).filter((file) => !file.includes('/decisions/'));
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter((page) => !open.includes(page)).map((page) => relative(root, page))).toEqual([]);
});
