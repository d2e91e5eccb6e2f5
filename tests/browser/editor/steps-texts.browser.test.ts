import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../console/console-stage.ts';
import { ask, cardOf, keptText, openSteps } from './steps-view.ts';
import { everywhere, lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';

// Texts of steps, whose values are chips.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const exactly = { exact: true };
const textOf = (page: Page, number: number): Locator => cardOf(page, number).getByLabel('Text', exactly);
const end = { id: 'bye', kind: 'end' };
/** Undoes all by the keyboard. How many steps that are depends on how fast it was typed. */
async function undoAll(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Undo' });
  while (await button.isEnabled()) await page.keyboard.press('ControlOrMeta+z');
}
/** The text of the second step, in the definition as it is kept. */
const writtenIn = async (page: Page, id: string): Promise<unknown> => {
  const { steps } = JSON.parse(await keptText(page, id)) as { steps: { text: unknown }[] };
  return steps[1]?.text;
};

test('a value is a chip with the words of its question, and one unit for keys and the clipboard', async () => {
  await using tab = await openBrowser({
    edition: 'full',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = tab;
  const id = await openSteps(page, stage, [
    ask('first', 'Which fruit?'),
    ask('second', 'Why {{ answers.first | that }} now?'),
    end,
  ]);
  const text = textOf(page, 2);
  const written = (): Promise<unknown> => writtenIn(page, id);
  await expect.poll(() => text.innerText()).toBe('Why Answer: Which fruit? now?');
  await text.getByRole('button', { name: 'Answer: Which fruit?, or else “that”', ...exactly }).waitFor();
  await lookAt('console-steps-chip', tab, everywhere);
  await page.emulateMedia({ colorScheme: 'dark' });
  await lookAt('console-steps-chip-dark', tab, { windows: ['desktop'], inspected: ['desktop'] });
  await page.emulateMedia({ colorScheme: 'light' });

  await text.press('Home');
  await page.keyboard.type('So: ');
  await expect.poll(written).toBe('So: Why {{ answers.first | that }} now?');
  for (let key = 0; key < 'Why '.length; key += 1) await page.keyboard.press('ArrowRight');
  // The chip is selected, and left by the next key.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ControlOrMeta+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('{{ answers.first | that }}');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('!');
  await expect.poll(written).toBe('So: Why {{ answers.first | that }}! now?');
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(written).toBe('So: Why {{ answers.first | that }}!{{ answers.first | that }} now?');
  await page.keyboard.press('Backspace');
  await expect.poll(written).toBe('So: Why {{ answers.first | that }}! now?');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Delete');
  await expect.poll(written).toBe('So: Why  now?');
  await undoAll(page);
  await expect.poll(() => text.innerText()).toBe('Why Answer: Which fruit? now?');
  expect(tab.faults).toEqual([]);
});

test('a chip opens what is shown without its value, by mouse, finger and Enter, and is removed there', async () => {
  await using tab = await openBrowser({ hasTouch: true });
  const { page } = tab;
  const id = await openSteps(page, stage, [ask('first', 'Which fruit?'), ask('second', 'Why ?'), end]);
  const text = textOf(page, 2);
  const written = (): Promise<unknown> => writtenIn(page, id);
  await text.press('End');
  await text.press('ArrowLeft');
  await cardOf(page, 2).getByRole('button', { name: 'Insert a value…' }).click();
  const offers = page.getByRole('listbox', { name: 'Suggestions' });
  await offers.getByRole('option', { name: 'Answer: Which fruit?' }).click();
  await expect.poll(written).toBe('Why {{answers.first}}?');
  await page.keyboard.type(' and {{last');
  await offers.getByRole('option', { name: 'Customer: Last name' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(written).toBe('Why {{answers.first}} and {{customer.lastName}}?');

  const chip = text.getByRole('button', { name: /^Answer: Which fruit\?/ });
  const fallback = page.getByLabel('Instead of “Answer: Which fruit?”, if missing');
  const isFocused = () => fallback.evaluate((field) => field === document.activeElement);
  await chip.click();
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.type('that{}');
  await expect.poll(written).toBe('Why {{answers.first|that}} and {{customer.lastName}}?');
  await lookAt('console-steps-chip-open', tab, everywhere);
  await page.keyboard.press('Escape');
  await fallback.waitFor({ state: 'hidden' });
  await page.keyboard.press('Home');
  for (let key = 0; key <= 'Why '.length; key += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(isFocused).toBe(true);
  expect(await fallback.inputValue()).toBe('that');
  await page.keyboard.press('Enter');
  await fallback.waitFor({ state: 'hidden' });
  // In a narrow window, the line goes on.
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Really?');
  await expect.poll(written).toBe('Why {{answers.first|that}} and {{customer.lastName}}?\nReally?');

  await chip.tap();
  await page.getByRole('button', { name: 'Remove “Answer: Which fruit?”' }).tap();
  await expect.poll(written).toBe('Why  and {{customer.lastName}}?\nReally?');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(written).toBe('Why {{answers.first|that}} and {{customer.lastName}}?\nReally?');
  expect(await fallback.count()).toBe(0);
  await undoAll(page);
  await expect.poll(() => text.innerText()).toBe('Why ?');
  expect(tab.faults).toEqual([]);
});

test('lines that are pasted end as in other fields, and without a selection nothing is copied or cut', async () => {
  await using tab = await openBrowser({
    edition: 'full',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = tab;
  const id = await openSteps(page, stage, [ask('first', 'Which fruit?'), ask('second', 'Why?'), end]);
  const text = textOf(page, 2);
  const written = (): Promise<unknown> => writtenIn(page, id);
  await page.evaluate(() => navigator.clipboard.writeText(' One\r\ntwo {{answers.first}}\rthree'));
  await text.press('End');
  await page.keyboard.press('ControlOrMeta+v');
  const pasted = 'Why? One\ntwo {{answers.first}}\nthree';
  await expect.poll(written).toBe(pasted);
  await page.evaluate(() => navigator.clipboard.writeText('kept'));
  await text.press('ControlOrMeta+x');
  await page.keyboard.press('ControlOrMeta+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('kept');
  await page.keyboard.type('!');
  await expect.poll(written).toBe(`${pasted}!`);
  expect(tab.faults).toEqual([]);
});

test('chips have an edge where colours are forced, in and out of the screen', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const steps = Array.from({ length: 40 }, (_, index) => ask(`q${index}`, '{{customer.firstName}}?'));
  await openSteps(page, stage, [...steps, end]);
  await page.emulateMedia({ forcedColors: 'active' });
  for (const number of [1, 30]) {
    const chip = textOf(page, number).getByTitle('Customer: First name', exactly);
    const { colour, style } = await chip.evaluate((element) => {
      const { outlineColor, outlineStyle } = getComputedStyle(element);
      return { colour: outlineColor, style: outlineStyle };
    });
    expect([style, colour]).not.toEqual(['solid', 'rgba(0, 0, 0, 0)']);
    expect(style).toBe('solid');
  }
  expect(tab.faults).toEqual([]);
});

test('a composed text, and one from right to left, go around the chips', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  const steps = [ask('first', 'ما اسمك؟'), ask('second', 'مرحبا {{customer.firstName|صديقي}}، كيف'), end];
  const id = await openSteps(page, stage, steps, { locale: 'ar' });
  const text = textOf(page, 2);
  await text.focus();
  await expect.poll(() => text.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  await lookAt('console-steps-chip-rtl', tab, { windows: ['desktop', 'narrow'] });
  await text.press('Home');
  // To the left is on.
  for (let key = 0; key < 'مرحبا '.length + 2; key += 1) await page.keyboard.press('ArrowLeft');
  const cdp = await context.newCDPSession(page);
  await cdp.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
  await cdp.send('Input.imeSetComposition', { text: 'かな', selectionStart: 2, selectionEnd: 2 });
  await cdp.send('Input.insertText', { text: 'かな' });
  await expect.poll(() => writtenIn(page, id)).toBe('مرحبا {{customer.firstName|صديقي}}かな، كيف');
  expect(tab.faults).toEqual([]);
});

test('a text far from the screen has its chips, and is typed in when the focus comes to it', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const steps = Array.from({ length: 40 }, (_, index) =>
    ask(`q${index}`, `{{customer.firstName}}, ${index}?`),
  );
  const id = await openSteps(page, stage, [...steps, end]);
  await textOf(page, 1).waitFor();
  const isOpen = (field: Locator) =>
    field.evaluate((element) => element instanceof HTMLElement && element.isContentEditable);
  expect(await isOpen(textOf(page, 1))).toBe(true);
  const far = textOf(page, 30);
  expect(await far.innerText()).toBe('Customer: First name, 29?');
  expect(await isOpen(far)).toBe(false);
  const heightOf = async () => (await cardOf(page, 30).boundingBox())?.height;
  const before = await heightOf();
  await far.focus();
  await expect.poll(() => isOpen(far)).toBe(true);
  expect(await heightOf()).toBe(before);
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await expect.poll(() => keptText(page, id)).toContain('"{{customer.firstName}}, 29?!"');
  expect(tab.faults).toEqual([]);
});
