import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../packages/console/src');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

/** Modules whose functions do nothing without a browser, and the browser tests of what they do. */
const ofBrowsers: Record<string, string> = {
  'data/session/session.ts': 'tests/browser/console/console-failures.browser.test.ts',
  'environment.ts': 'tests/browser/console/portal.browser.test.ts',
  'portal/branding.ts': 'tests/browser/console/portal.browser.test.ts',
  'shell/theme.ts': 'tests/browser/console/console.browser.test.ts',
  'ui/email/draw-email.ts': 'tests/browser/reach.browser.test.ts',
  'ui/forms/save-file.ts': 'tests/browser/console/console.browser.test.ts',
  'ui/forms/single-keys.ts': 'tests/browser/console/console.browser.test.ts',
};

/** An exported function that is no hook, and no description of a read. Hooks decide nothing that a function could. */
const decides = /^export (?:async )?(?:function (?!use[A-Z])|const (?!\w+Query\b)\w+ =\s*\([^)]*\)[^=]*=>)/m;

test('each module of the console that exports a function has a unit test, or is named as one of browsers', () => {
  const files = globSync('**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\.d\.ts$|^texts\//.test(file),
  );
  const tested = new Set(
    globSync('**/*.test.ts', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, path = '']) =>
        join(dirname(file), path),
      ),
    ),
  );
  const untested = files.filter((file) => decides.test(read(file)) && !tested.has(file));
  expect(untested.toSorted()).toEqual(Object.keys(ofBrowsers).toSorted());
  for (const file of Object.values(ofBrowsers))
    expect(globSync(file, { cwd: resolve(root, '../../..') })).toEqual([file]);
});

/** Functions of components' files that need a browser or make elements, or decide nothing. Others are in modules. */
const besideComponents: Record<string, string[]> = {
  'data/workspace.tsx': ['mayNotChoose'],
  'main.tsx': ['createRouter', 'keepCompositions'],
  'portal/router.tsx': ['createPortalRouter'],
  'router.tsx': ['createConsoleRouter'],
  'screens/bots/edit/code-editor.tsx': ['extensionsOf'],
  'screens/customers/receipts.tsx': ['saveReceipt'],
  'screens/interactions/import/import.tsx': ['readFile'],
  'screens/interactions/list.tsx': ['detailColumns'],
  'ui/forms/button.tsx': ['buttonClass'],
  'ui/forms/shortcuts.tsx': ['isTyping'],
  'ui/part.tsx': ['part', 'hasFields'],
  'ui/tables/table.tsx': ['columnsOf', 'headOf'],
};

/** A function beside components that is no component, no hook, and no description of a read. */
const beside =
  /^(?:export )?(?:async )?(?:function (?!use[A-Z])([a-z]\w*)|const (?!\w+Query\b)([a-z]\w*) =\s*(?:async )?\([^)]*\)[^=]*=>)/gm;

test('files of components have no function that decides: it is in a module beside them', () => {
  const found = globSync('**/*.tsx', { cwd: root }).flatMap((file) => {
    const names = [...read(file).matchAll(beside)].map(([, name, other]) => name ?? other ?? '');
    return names.length > 0 ? [[file, names] as const] : [];
  });
  expect(Object.fromEntries(found)).toEqual(besideComponents);
});
