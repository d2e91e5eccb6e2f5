import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { longForm } from '@parley/testing/long-form';
import type { CDPSession, ElementHandle, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createOperatorLink } from '../../people/console-people.ts';
import { screens, withoutQuery } from './console-screens.ts';
import { openOverview, openStage, shown, signIn, type Stage } from './console-stage.ts';
import { openBrowser } from '../tab.ts';

// What is typed into a field stays there: no shortcut, form or window takes it.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

// The shortcuts of one key and of two, what completes or closes itself, and one character of each kind.
const telling = 'gogigcgbgwgagsg?/pjkxX aZ5.,-_@\'"`([{<&=';

const isLongForm = longForm(1) > 1;

/** Thousands of keys: on a busy machine, each waits for a processor. */
const busyMsMax = 15 * 60_000;

/** A screen by its path, and its windows that have fields, by the words of their buttons. */
type Place = [path: string, ...windows: string[]];

const places = (): Place[] => [
  ...screens.flatMap(({ path, windows }): Place[] =>
    windows ? [[withoutQuery(path(stage)), ...windows]] : [],
  ),
  // It has fields for the values of this bot.
  [`/interactions?bot=${stage.place.botId}`],
];
const placesOfPortal = (): Place[] => [
  ['/webhooks', 'New webhook'],
  [`/webhooks/${stage.webhookId}`],
  [`/webhooks/${stage.webhookId}/settings`, 'Delete webhook'],
];

/** Fails if a screen of a router, below this route, is in no place. Addresses that only lead elsewhere have none. */
async function expectAll(router: string, below: string, visited: readonly Place[]): Promise<void> {
  const source = await readFile(join(import.meta.dirname, '../../../packages/console/src', router), 'utf8');
  const routes = [
    ...source.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)',[^;]*?component: part\(/g),
  ];
  const paths = routes.filter(([, parent]) => parent === below).map(([, , path = '']) => path);
  expect(paths).not.toEqual([]);
  const isVisited = (path: string): boolean =>
    visited.some((place) =>
      new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`).test(withoutQuery(place[0]) || '/'),
    );
  expect(paths.filter((path) => !isVisited(path))).toEqual([]);
}

/** Returns the fields for text in view, also in shadow trees. */
async function fieldsIn(page: Page): Promise<ElementHandle<HTMLElement>[]> {
  const list = await page.evaluateHandle(() => {
    const kinds = ['text', 'search', 'email', 'url', 'password', 'number', 'tel'];
    const inside = (root: Document | ShadowRoot): HTMLElement[] =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
        ...(element.shadowRoot ? inside(element.shadowRoot) : []),
        element,
      ]);
    const isField = (element: HTMLElement): boolean =>
      element instanceof HTMLInputElement
        ? kinds.includes(element.type)
        : element instanceof HTMLTextAreaElement || element.getAttribute('contenteditable') === 'true';
    // Behind a window, the others are inert.
    const window = document.querySelector('[role=dialog]');
    return inside(document).filter(
      (element) =>
        isField(element) &&
        !element.matches(':disabled, [readonly]') &&
        element.checkVisibility({ visibilityProperty: true }) &&
        (!window || window.contains(element)),
    );
  });
  const properties = await list.getProperties();
  return [...properties.values()].map((one) => one as unknown as ElementHandle<HTMLElement>);
}

/** What must not change while somebody types. Filters of a list are written into its address. */
const stateOf = (page: Page): Promise<unknown> =>
  page.evaluate(() => ({
    path: location.pathname,
    windows: document.querySelectorAll('[role=dialog], dialog[open]').length,
    isPaused: document.querySelector('[aria-label="Pause live updates"]')?.getAttribute('aria-pressed'),
  }));

const contentOf = (field: ElementHandle<HTMLElement>): Promise<string> =>
  field.evaluate((element) => ('value' in element ? String(element.value) : element.innerText));

/** Types the characters as fast as the browser takes them: it handles keys in their order. */
async function typeAll(cdp: CDPSession, characters: string): Promise<void> {
  const presses = [...characters].flatMap((text) => {
    const name = /[a-z]/i.test(text) ? `Key${text.toUpperCase()}` : /\d/.test(text) ? `Digit${text}` : '';
    const key = { key: text, code: name, windowsVirtualKeyCode: name.charCodeAt(name.length - 1) || 0 };
    const down = { type: 'keyDown', ...key, text, unmodifiedText: text } as const;
    return [
      cdp.send('Input.dispatchKeyEvent', down),
      cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ];
  });
  await Promise.all(presses);
}

async function typeInto(
  page: Page,
  cdp: CDPSession,
  field: ElementHandle<HTMLElement>,
  characters: string,
): Promise<void> {
  const [name, isNumber] = await field.evaluate((element) => [
    element.outerHTML.slice(0, 200),
    element.getAttribute('type') === 'number',
  ]);
  const before = await stateOf(page);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await typeAll(cdp, characters);
  const content = await contentOf(field);
  // The editor closes brackets and quotes by itself.
  const missing = isNumber ? [] : [...characters.trim()].filter((one) => !content.includes(one));
  expect(missing, `characters that ${name} has not got`).toEqual([]);
  expect(await stateOf(page), `after typing into ${name}`).toEqual(before);
}

/** Composes a text in the field with the focus, and ends that with Enter, as input methods do. */
async function composeInto(page: Page, cdp: CDPSession, field: ElementHandle<HTMLElement>): Promise<void> {
  const [name, kind] = await field.evaluate((element) => [
    element.outerHTML.slice(0, 200),
    element.getAttribute('type'),
  ]);
  if (kind === 'number') return;
  const before = await stateOf(page);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  const composition = { text: 'かな', selectionStart: 2, selectionEnd: 2 };
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
  await cdp.send('Input.imeSetComposition', composition);
  for (const key of ['g', 'b', '/', '?', 'p']) {
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...enter });
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
  await cdp.send('Input.insertText', { text: 'かな' });
  // Safari ends the composition first.
  await field.evaluate((element) => {
    const late = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(new KeyboardEvent('keydown', late));
  });
  expect(await contentOf(field), name).toContain('かな');
  expect(await stateOf(page), `after composing in ${name}`).toEqual(before);
}

test('what is typed arrives in every field of every screen, also composed characters', {
  timeout: busyMsMax,
}, async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  const cdp = await page.context().newCDPSession(page);
  const ofHeader = await page.getByRole('combobox', { name: 'Find and open' }).elementHandle();
  await typeInto(page, cdp, ofHeader as ElementHandle<HTMLElement>, printable);
  await composeInto(page, cdp, ofHeader as ElementHandle<HTMLElement>);
  await expectAll('router.tsx', 'workspace', places());
  const others = places().filter(([path]) => !path.endsWith('/edit'));
  expect(await typeOn(page, cdp, stage.address, others)).toBeGreaterThan(25);
});

test('what is typed arrives in every field of the views and windows of the editor', {
  timeout: busyMsMax,
}, async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  const cdp = await page.context().newCDPSession(page);
  const editor = places().filter(([path]) => path.endsWith('/edit'));
  expect(await typeOn(page, cdp, stage.address, editor)).toBeGreaterThan(20);
});

test('what is typed arrives in every field of the portal, and of the screen of operators', {
  timeout: busyMsMax,
}, async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  const cdp = await context.newCDPSession(page);
  const { baseUrl, workspace } = stage.place;
  const { url } = await workspace.client.webhooks.portalLinks.create({ personalData: true });
  await page.goto(url);
  await page.getByText('Last success').first().waitFor();
  await expectAll('portal/router.tsx', 'workspace', placesOfPortal());
  const inPortal = (path: string): string => `${baseUrl}/console/portal/${workspace.id}${path}`;
  expect(await typeOn(page, cdp, inPortal, placesOfPortal())).toBeGreaterThan(6);

  const code = await createOperatorLink(inject('operator'));
  await page.goto(`${baseUrl}/console/sign-in/link#${code}`);
  await page.waitForURL('**/console/operator');
  await expectAll('router.tsx', 'operator', [['']]);
  // It has none now.
  expect(await typeOn(page, cdp, (path) => `${baseUrl}/console/operator${path}`, [['']])).toBe(0);
});

/** Returns the same for fields that handle keys in the same way. */
const kindOf = (field: ElementHandle<HTMLElement>): Promise<string> =>
  field.evaluate((element) => `${element.tagName} ${element.getAttribute('type')} ${element.role}`);

/**
 * Types and composes in all fields of these screens and their windows. The first field of each kind gets every
 * printable character, and the others get the telling ones. Returns how many fields there are.
 */
async function typeOn(
  page: Page,
  cdp: CDPSession,
  addressOf: (path: string) => string,
  visited: readonly Place[],
): Promise<number> {
  let typed = 0;
  const kinds = new Set<string>();
  const check = async (): Promise<void> => {
    for (const field of await fieldsIn(page)) {
      // The field of the header is on all screens.
      if (await field.evaluate((element) => element.closest('header') !== null)) continue;
      // The fields of a value go with the text that named it.
      if (!(await field.evaluate((element) => element.isConnected))) continue;
      const kind = await kindOf(field);
      await composeInto(page, cdp, field);
      await typeInto(page, cdp, field, isLongForm || !kinds.has(kind) ? printable : telling);
      kinds.add(kind);
      typed += 1;
    }
  };
  const checkWindow = async (button: Locator): Promise<void> => {
    await button.first().click();
    await page.getByRole('dialog').waitFor();
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first().click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  };
  for (const [path, ...windows] of visited) {
    await page.goto(addressOf(path));
    await shown(page);
    if (path.endsWith('/edit')) await typeInEditor(page, check, checkWindow);
    await check();
    // What was typed may filter the list away.
    if (windows.length > 0) await page.goto(addressOf(path));
    for (const name of windows) await checkWindow(page.getByRole('button', { name, exact: true }));
  }
  return typed;
}

/** Types in all views of the editor but the last one, and in its windows. What is typed there is no bot any more. */
async function typeInEditor(
  page: Page,
  check: () => Promise<void>,
  checkWindow: (button: Locator) => Promise<void>,
): Promise<void> {
  const steps = page.getByRole('textbox', { name: 'Text', exact: true }).first();
  const viewOf = (name: string): Locator => page.getByRole('button', { name, exact: true });
  await steps.waitFor();
  for (const name of [/^Rename /, /^Insert a step /, /^Check and publish/])
    await checkWindow(page.getByRole('button', { name }));
  await viewOf('Translations').click();
  await page.getByLabel('New language').fill('fr');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('list', { name: 'Texts and their translations into fr' }).waitFor();
  await check();
  await viewOf('Steps').click();
  await steps.waitFor();
  // The options of the first questions. Others have the same controls.
  const options = page.locator('summary', { hasText: /^Options$/ });
  for (const at of [0, 1]) await options.nth(at).click();
  await check();
  await viewOf('Source').click();
  await page.getByRole('textbox', { name: 'Definition of the bot' }).waitFor();
}

test('shortcuts of single keys can be switched off, and stay off', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  const paused = page.getByRole('button', { name: 'Pause live updates' });
  await page.keyboard.press('p');
  await expect.poll(() => paused.getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('p');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByLabel('Shortcuts of single keys').uncheck();
  await help.getByText('g i').waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await page.reload();
  await shown(page);
  await page.goto(stage.address('/interactions'));
  const first = page.getByRole('link', { name: 'c-1005' });
  await first.focus();
  for (const key of ['p', '?', 'x', 'j', '/', 'g', 'b']) await page.keyboard.press(key);
  await expect.poll(() => paused.getAttribute('aria-pressed')).toBe('false');
  await expect.poll(() => paused.getAttribute('title')).toBe('Pause live updates');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('c-1005');
  await expect.poll(() => page.getByRole('checkbox', { name: 'Select c-1005' }).isChecked()).toBe(false);
  expect(new URL(page.url()).pathname).toMatch(/\/interactions$/);
  // Keys that are no letters go on.
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('c-1004');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await help.getByLabel('Shortcuts of single keys').check();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await page.keyboard.press('p');
  await expect.poll(() => paused.getAttribute('aria-pressed')).toBe('true');
});
