import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, shown, type Stage } from '../console/console-stage.ts';
import { focused } from '../keyboard.ts';
import { desktop, narrow, openBrowser } from '../tab.ts';
import { ask, cardOf, keptText, openSteps } from './steps-view.ts';

// The editor of bots with a keyboard alone.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const choices = [
  { value: 'a', label: 'Apples' },
  { value: 'p', label: 'Pears' },
];
const steps = [
  ask('fruit', { en: 'Which fruit?', de: 'Welches Obst?' }, { input: { type: 'choice', choices } }),
  ask('why', 'Why {{answers.fruit|that}}?', {
    next: [{ if: "answers.fruit == 'a'", goto: 'end' }, { else: 'end' }],
  }),
  { id: 'end', kind: 'end', text: 'Thank you' },
];

/** A stop of the keyboard. `hidden`: the element, if it is outside of the window or behind something else. */
interface Stop {
  isInScreen: boolean;
  hidden: string | undefined;
}

/** Returns where the focus is. A text becomes an editor when the focus comes to it, within some frames. */
const stopOf = (page: Page): Promise<Stop> =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let found = stopNow();
    for (let frames = 0; frames < 30 && found.hidden !== undefined; frames += 1) {
      await frame();
      found = stopNow();
    }
    return found;

    function stopNow(): Stop {
      const element = document.activeElement;
      if (!element?.closest('main')) return { isInScreen: false, hidden: undefined };
      const { left, top, width, height } = element.getBoundingClientRect();
      const margin = Math.min(height / 2, 12);
      const isSeen = [top + margin, top + height / 2, top + height - margin].some((y) => {
        const there = document.elementFromPoint(left + width / 2, y);
        return there !== null && (element.contains(there) || there.contains(element));
      });
      const at = `${element.outerHTML.slice(0, 160)} at ${Math.round(left)} ${Math.round(top)}`;
      return { isInScreen: true, hidden: isSeen ? undefined : at };
    }
  });

/** Far more than the screen has. */
const stopsMax = 200;

/** Presses a key until the focus leaves the screen. Returns the stops, and those that are out of sight. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<{ stops: number; hidden: string[] }> {
  const hidden: string[] = [];
  for (let stops = 0; stops < stopsMax; stops += 1) {
    const stop = await stopOf(page);
    if (!stop.isInScreen) return { stops, hidden };
    if (stop.hidden !== undefined) hidden.push(stop.hidden);
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not leave the screen`);
}

test.each([
  ['wide', desktop],
  ['narrow', narrow],
] as const)('each stop of the keyboard in the views of the editor is in sight: %s', async (_, window) => {
  await using tab = await openBrowser({ viewport: window });
  const { page } = tab;
  await openSteps(page, stage, steps, { query: '?preview=no' });
  await cardOf(page, 3).waitFor();
  for (const view of ['Steps', 'Map', 'Translations']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await shown(page);
    await page.locator('main a, main button').first().focus();
    const forwards = await walk(page, 'Tab');
    await page.keyboard.press('Shift+Tab');
    const back = await walk(page, 'Shift+Tab');
    expect({ view, hidden: [...forwards.hidden, ...back.hidden] }).toEqual({ view, hidden: [] });
    expect(back.stops).toBe(forwards.stops);
  }
});

test('the focus stays beside what a key has removed, and comes back from each window', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openSteps(page, stage, steps);
  const inCard = async (number: number): Promise<boolean> =>
    cardOf(page, number).evaluate((card) => card.contains(document.activeElement));
  const nameOf = async (): Promise<string> => (await focused(page)).name;

  await cardOf(page, 2).getByRole('button', { name: 'Remove way 1' }).press('Enter');
  await expect.poll(() => inCard(2)).toBe(true);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.press('Enter');
  await expect.poll(() => undo.getAttribute('aria-disabled')).toBe('true');
  expect(await nameOf()).toMatch(/^Undo/);

  const insert = page.getByRole('button', { name: 'Insert a step as number 2' });
  for (const open of [
    insert,
    cardOf(page, 1).getByRole('button', { name: 'Rename fruit' }),
    cardOf(page, 1).getByRole('button', { name: 'Delete step 1' }),
    page.getByRole('button', { name: 'Check and publish…' }),
  ]) {
    await open.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
  }
  await cardOf(page, 3).getByRole('button', { name: 'Delete step 3' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete step' }).press('Enter');
  await expect.poll(() => inCard(2)).toBe(true);
  expect(tab.faults).toEqual([]);
});

test('a number that is undone while it is typed stays undone when its field is left, and is redone', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const next = [{ if: 'answers.score >= 3', goto: 'bye' }, { else: 'why' }];
  const id = await openSteps(page, stage, [
    ask('score', 'How was it?', { input: { type: 'number' }, next }),
    ask('why', 'Why?'),
    { id: 'bye', kind: 'end' },
  ]);
  const operand = cardOf(page, 1).getByLabel('Compared with', { exact: true });
  await operand.press('End');
  await page.keyboard.type('5');
  await expect.poll(() => keptText(page, id)).toContain('answers.score >= 35');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => operand.inputValue()).toBe('3');
  await page.keyboard.press('Tab');
  await expect.poll(() => keptText(page, id)).not.toContain('answers.score >= 35');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => operand.inputValue()).toBe('35');
  expect(tab.faults).toEqual([]);
});
