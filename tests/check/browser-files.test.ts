import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oldestBrowsers } from '@parley/browser-files/browsers';
import { buildConsole, isConsoleBuilt } from '@parley/browser-files/build-console';
import { buildWidget, isWidgetBuilt } from '@parley/browser-files/build-widget';
import { browserFiles, consoleDist, widgetDist } from '@parley/browser-files/files';
import { beforeAll, expect, test } from 'vitest';
import { newerFunctionsIn } from './observability/newer-functions.ts';

const bytesMax = {
  // Loaded by every page: loader, session, detector and SDK.
  'loader.js': 7.25 * 1024,
  // Loaded for a waiting conversation: its screens.
  'ui.js': 31 * 1024,
  'landing.js': 32 * 1024,
  // Loaded for the first question of a type that few bots have.
  'fields.js': 12 * 1024,
  'client.js': 8 * 1024,
};

let built: Awaited<ReturnType<typeof buildWidget>>;
beforeAll(async () => {
  built = await buildWidget();
});

test.each(Object.entries(bytesMax))('%s is at most %i bytes, compressed', (name, most) => {
  const file = built.find((one) => one.name === name);
  expect(file?.gzipBytes).toBeGreaterThan(0);
  expect(file?.gzipBytes).toBeLessThanOrEqual(most);
});

test('only files with a hash in their name are immutable, and the loader names its chunk', () => {
  const files = browserFiles(widgetDist);
  expect(files.map(({ name }) => name).sort()).toEqual(Object.keys(bytesMax).sort());
  for (const { path, isImmutable } of files) expect(isImmutable).toBe(/-[A-Z0-9]{8}\.\w+$/.test(path));
  const contentOf = (name: string): string => String(files.find((file) => file.name === name)?.content);
  expect(contentOf('loader.js')).toContain(files.find(({ name }) => name === 'ui.js')?.path);
  const fields = files.find(({ name }) => name === 'fields.js')?.path ?? '';
  expect(contentOf('ui.js')).toContain(`import("./${fields.replace('chunks/', '')}")`);
  expect(contentOf('landing.js')).toContain(`import("./${fields}")`);
});

test('the build is reproducible, detected, and readable by all users whatever the umask', async () => {
  expect(isWidgetBuilt()).toBe(true);
  const umask = process.umask(0o077);
  try {
    expect(await buildWidget({ force: true })).toEqual(built);
  } finally {
    process.umask(umask);
  }
  for (const path of ['', ...built.map((file) => file.path)]) {
    const { mode } = statSync(join(widgetDist, path));
    expect(mode & 0o044, `others can read ${path}`).toBe(0o044);
  }
});

test('no file uses a function that the oldest supported browsers do not have', () => {
  // Together, because one file has the names of another.
  const scripts = browserFiles(widgetDist).map(({ content }) => String(content));
  expect(newerFunctionsIn(scripts, oldestBrowsers)).toEqual([
    // Of the branding.
    '.displayName',
    // Preact looks whether the browser has it.
    '.moveBefore',
    // Of the theme.
    '.radius',
  ]);
});

test.each([
  ['URL.canParse(a)', ['URL.canParse']],
  ['Promise.withResolvers()', ['Promise.withResolvers']],
  ['a?.checkVisibility(),new Set(b).union(c)', ['.union']],
  ['AbortSignal.any([a]),b.at(-1).toSorted()', []],
])('the check finds newer functions: %s', (script, found) => {
  expect(newerFunctionsIn([script], oldestBrowsers)).toEqual(found);
});

test('the documents name the oldest supported browsers', async () => {
  const sdk = await readFile(new URL('../../docs/sdk.md', import.meta.url), 'utf8');
  const { chrome, edge, firefox, safari } = oldestBrowsers;
  expect(edge).toBe(chrome);
  expect(sdk.replaceAll(/\s+/g, ' ')).toContain(
    `Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari} (also on iOS), and newer`,
  );
});

/** The first screen of the console, with all that it loads. */
const firstScreenBytesMax = 230 * 1024;

/** What the editor of bots loads beyond the first screen when it is opened with its preview. */
const editorBytesMax = 250 * 1024;

test('the first screen of the console is small, and so is the editor of bots, and neither has inline code', async () => {
  const files = await buildConsole();
  expect(isConsoleBuilt()).toBe(true);
  const contents = new Map(browserFiles(consoleDist).map(({ path, content }) => [path, String(content)]));
  const first = files.filter(({ isFirst }) => isFirst).map(({ path }) => path);
  const named = (...names: string[]): string[] =>
    names.map((name) => {
      const found = files.filter((file) => file.name === name);
      expect(found, name).toHaveLength(1);
      return found[0]?.path ?? '';
    });
  /** Returns the files, and all that they import at once. */
  const loadedWith = (paths: string[]): Set<string> => {
    const loaded = new Set(paths);
    for (const path of loaded) {
      const imports = contents.get(path)?.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g) ?? [];
      for (const [, imported = ''] of imports) loaded.add(imported);
    }
    expect([...loaded].filter((path) => !contents.has(path))).toEqual([]);
    return loaded;
  };
  const bytesOf = (paths: ReadonlySet<string>): number =>
    files.filter(({ path }) => paths.has(path)).reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  const firstScreen = loadedWith([...first, ...named('overview.js')]);
  expect(firstScreen.size).toBeGreaterThan(5);
  expect(bytesOf(firstScreen)).toBeLessThanOrEqual(firstScreenBytesMax);

  const shell = loadedWith(first);
  const opened = loadedWith(named('edit.js', 'workbench.js', 'preview.js'));
  const editor = new Set([...opened].filter((path) => !shell.has(path)));
  expect(editor.size).toBeGreaterThan(10);
  expect(bytesOf(editor)).toBeLessThanOrEqual(editorBytesMax);

  // The library of the map comes with the map. All styles are in one file.
  const withMap = (paths: Iterable<string>): string[] =>
    [...paths].filter((path) => path.endsWith('.js') && contents.get(path)?.includes('react-flow'));
  expect(withMap(loadedWith(named('map-view.js')))).not.toEqual([]);
  expect(withMap([...shell, ...opened])).toEqual([]);
});
