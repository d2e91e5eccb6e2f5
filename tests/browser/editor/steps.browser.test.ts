import { randomUUID } from 'node:crypto';
import { createWorkspace } from '@parley/testing/api';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openBrowser as openSession } from '../../conversations/conversation.ts';
import { npsBot } from '../../conversations/sample-bots.ts';
import type { Place } from '../../insight/insight-conversations.ts';
import { createLink } from '../../people/console-people.ts';
import { openStage, replaceText, signIn, type Stage } from '../console/console-stage.ts';
import { ask, cardOf, chooseIn, keptText, openSteps } from './steps-view.ts';
import { expectStill } from '../inspect.ts';
import { coloursOnly, everywhere, lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';

// The view of steps in the editor of bots.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const exactly = { exact: true };
const isSaved = (page: Page) => page.getByText('Saved as the draft').waitFor();
const definitionOf = async (id: string) => (await stage.place.workspace.client.bots.getDraft(id)).definition;

/**
 * A person with a mouse, whose clicks are counted. To choose from a list of the browser takes two; to replace what is
 * in a field, three. `seconds`: how long it takes by the keystroke-level model (Card, Moran and Newell).
 */
function clicking(page: Page) {
  let clicks = 0;
  let typed = '';
  const type = async (text: string): Promise<void> => {
    typed += text;
    await page.keyboard.type(text);
  };
  return {
    clicks: () => clicks,
    typed: () => typed,
    // To think, point and press; and to press a key, with the way from the mouse to the keys.
    seconds: () => clicks * (1.35 + 1.1 + 0.2) + typed.length * 0.28 + clicks * 0.4,
    click: async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    },
    choose: async (target: Locator, label: string): Promise<void> => {
      clicks += 2;
      await chooseIn(target, label);
    },
    type,
    write: async (target: Locator, text: string): Promise<void> => {
      clicks += 3;
      await target.click({ clickCount: 3 });
      await type(text);
    },
  };
}

/** Notes each key from now on: what is typed into a field, and all others. A new document forgets them. */
const noteKeys = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { dataset } = document.documentElement;
    const note = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const [target] = event.composedPath();
      const isInField =
        target instanceof Element && target.matches('input, textarea, [contenteditable=true]');
      const isTyped = isInField && key.length === 1 && !ctrlKey && !metaKey && !altKey;
      const name = isTyped ? 'typed' : 'others';
      dataset[name] = `${dataset[name] ?? ''}${key}`;
    };
    addEventListener('keydown', note, true);
  });
const keysOf = (page: Page) =>
  page.evaluate(() => {
    const { typed, others } = document.documentElement.dataset;
    return { typed, others };
  });

/** Holds the conversation of a new customer with the live version. Returns the ids of the questions in their order. */
async function walkThrough(place: Place, answers: Record<string, unknown>): Promise<string[]> {
  const { baseUrl, workspace, botId } = place;
  const customerId = randomUUID();
  const { id } = await workspace.client.interactions.create({ customerId, botId, status: 'Pending' });
  const customer = await openSession(baseUrl, workspace, customerId);
  const asked: string[] = [];
  let snapshot = await customer.start(id);
  while (snapshot.input) {
    const { stepId } = snapshot.input;
    asked.push(stepId);
    snapshot = await customer.say(id, snapshot, { value: answers[stepId] });
  }
  expect(snapshot.status).toBe('Completed');
  return asked;
}

test('from an empty workspace to a live bot of three questions with a branch: 40 clicks, five minutes, no shortcut', async () => {
  const { baseUrl } = stage.place;
  const workspace = await createWorkspace(baseUrl, inject('operator'));
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(`${baseUrl}/console/sign-in/link#${await createLink(inject('operator'), workspace.id)}`);
  await page.getByText('There are no bots yet').waitFor();
  await noteKeys(page);
  const { click, choose, write, type, clicks, seconds, typed } = clicking(page);
  await click(page.getByRole('link', { name: 'Create a bot' }));
  const dialog = page.getByRole('dialog');
  await write(dialog.getByLabel('Name', exactly), 'After the delivery');
  await click(dialog.getByRole('button', { name: 'New bot' }));

  await write(cardOf(page, 1).getByLabel('Text', exactly), 'How happy are you with the delivery?');
  await click(page.getByRole('button', { name: 'Insert a step as number 2' }));
  await click(dialog.getByRole('button', { name: 'Long text' }));
  await cardOf(page, 2).locator('[contenteditable]:focus').waitFor();
  await type('What went wrong?');
  await click(page.getByRole('button', { name: 'Insert a step as number 3' }));
  await click(dialog.getByRole('button', { name: 'Yes or no' }));
  await cardOf(page, 3).locator('[contenteditable]:focus').waitFor();
  await type('May we call you?');
  const first = cardOf(page, 1);
  await click(first.getByRole('button', { name: 'Add “if … go to”' }));
  await choose(first.getByLabel('Comparison', exactly), 'is at least');
  await write(first.getByLabel('Compared with', exactly), '4');
  await choose(first.getByLabel('go to', exactly), '3. May we call you?');
  await page.getByText('Nothing is wrong.').waitFor();
  await click(page.getByRole('button', { name: 'Check and publish…' }));
  await click(page.getByRole('button', { name: 'Publish', exact: true }));
  await page.getByText('Version 2 is live').waitFor();

  expect(clicks()).toBeLessThanOrEqual(40);
  expect(await keysOf(page)).toEqual({ typed: typed(), others: undefined });
  expect(seconds()).toBeLessThanOrEqual(5 * 60);
  const [, botId = ''] = /\/bots\/([^/]+)\/edit/.exec(page.url()) ?? [];
  const place = { ...stage.place, workspace, botId };
  const others = { longText: 'It came late.', yesNo: true };
  expect(await walkThrough(place, { rating: 2, ...others })).toEqual(['rating', 'longText', 'yesNo']);
  expect(await walkThrough(place, { rating: 4, ...others })).toEqual(['rating', 'yesNo']);
  await lookAt('console-steps', tab, everywhere);
  expect(tab.faults).toEqual([]);
});

const idsOf = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Steps', exact: true }).locator('h3 + button code').allInnerTexts();

test('steps are copied, moved by keys, mouse and finger, renamed and deleted, and all of it is undone and redone', async () => {
  await using tab = await openBrowser({ hasTouch: true });
  const { page } = tab;
  const id = await openSteps(page, stage, [
    ask('first', 'First?', { next: [{ if: "answers.first == 'x'", goto: 'third' }, { else: 'second' }] }),
    ask('second', 'Second, after {{answers.first|nothing}}?'),
    ask('third', 'Third?'),
    { id: 'bye', kind: 'end' },
  ]);
  const before = ['first', 'second', 'third', 'bye'];
  await expect.poll(() => idsOf(page)).toEqual(before);
  const handleOf = (number: number) => page.getByRole('button', { name: `Move step ${number}: drag it` });

  await handleOf(2).press('ArrowDown');
  await expect.poll(() => idsOf(page)).toEqual(['first', 'third', 'second', 'bye']);
  await expect.poll(() => handleOf(3).evaluate((handle) => handle === document.activeElement)).toBe(true);
  await page.getByText('Now step 3 of 4').waitFor({ state: 'attached' });
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => idsOf(page)).toEqual(before);

  const dragBy = async (
    move: (x: number, y: number) => Promise<void>,
    down: () => Promise<void>,
    up: () => Promise<void>,
  ) => {
    // What is said about saving can move the list.
    await expect.poll(() => page.getByText(/^(?:Not saved yet|Is saved…)$/).count()).toBe(0);
    await handleOf(1).scrollIntoViewIfNeeded();
    const from = await handleOf(1).boundingBox();
    const target = await cardOf(page, 2).boundingBox();
    if (!from || !target) throw new Error('the cards are not shown');
    const x = from.x + from.width / 2;
    await move(x, from.y + from.height / 2);
    await down();
    await move(x, from.y + 40);
    await move(x, target.y + target.height / 2 + 20);
    await expect.poll(async () => (await idsOf(page)).length).toBe(4);
    await up();
  };
  const { mouse } = page;
  await page.setViewportSize({ width: 1280, height: 2600 });
  await dragBy(
    (x, y) => mouse.move(x, y),
    () => mouse.down(),
    () => mouse.up(),
  );
  await expect.poll(() => idsOf(page)).toEqual(['second', 'first', 'third', 'bye']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => idsOf(page)).toEqual(before);

  const cdp = await page.context().newCDPSession(page);
  let at = { x: 0, y: 0 };
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] });
  let isDown = false;
  await dragBy(
    async (x, y) => {
      at = { x, y };
      if (isDown) await touch('touchMove');
    },
    async () => {
      await touch('touchStart');
      isDown = true;
    },
    async () => void (await touch('touchEnd')),
  );
  await expect.poll(() => idsOf(page)).toEqual(['second', 'first', 'third', 'bye']);
  await page.getByRole('button', { name: 'Undo' }).click();

  await page.getByRole('button', { name: 'Duplicate step 2' }).click();
  await expect.poll(() => idsOf(page)).toEqual(['first', 'second', 'second2', 'third', 'bye']);
  await page.getByRole('button', { name: 'Rename first' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('third');
  await dialog.getByText('Another step has this id.').waitFor();
  await dialog.getByRole('textbox').fill('start');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'Delete step 1' }).click();
  await dialog.getByText('2. Second, after ‹start›?: names its value in a text').waitFor();
  await lookAt('console-steps-delete', tab);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: 'Delete step' }).click();
  await expect.poll(() => idsOf(page)).toEqual(['second', 'second2', 'third', 'bye']);
  await page.getByText('There is no question “start” any more.').first().waitFor();
  await isSaved(page);
  for (let times = 0; times < 3; times += 1) await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => idsOf(page)).toEqual(before);
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
  for (let times = 0; times < 3; times += 1) await page.getByRole('button', { name: 'Redo' }).click();
  await isSaved(page);
  await expect
    .poll(async () => ((await definitionOf(id))['steps'] as { id: string }[]).map((step) => step.id))
    .toEqual(['second', 'second2', 'third', 'bye']);
  expect(tab.faults).toEqual([]);
});

test('steps and source are one text: each shows what the other has changed, in its layout, and undoes it', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const id = await openSteps(page, stage, [{ id: 'bye', kind: 'end' }], { query: '?view=source' });
  const editor = page.getByRole('textbox', { name: 'Definition of the bot' });
  await editor.waitFor();
  const lines = (await editor.innerText()).split('\n');
  const key = lines.find((line) => line.includes('"key"')) ?? '';
  const byHand = `{ "schemaVersion" : 1,\n${key}\n "name": "By hand", "type": "x",\n "steps": [ {"id":"hello", "kind":"say",   "text":"Hi"},\n\n   {"id":"bye","kind":"end"} ] }\n`;
  await replaceText(page, byHand);
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).first().fill('Hello');
  await page.getByRole('button', { name: 'Source', exact: true }).click();
  await expect.poll(() => keptText(page, id)).toBe(byHand.replace('"Hi"', '"Hello"'));
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => editor.innerText()).toContain('"Hi"');
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await expect.poll(() => idsOf(page)).toEqual(['bye']);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => idsOf(page)).toEqual(['hello', 'bye']);

  await replaceText(page, byHand.replace('"By hand",', '"By hand"'));
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'cannot be shown as steps' }).waitFor();
  await lookAt('console-steps-unreadable', tab);
  await page.getByRole('button', { name: 'Show the fault in Source' }).click();
  await page.keyboard.type('   ,');
  await page.getByText('no faults').waitFor();
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await expect.poll(() => idsOf(page)).toEqual(['hello', 'bye']);
  expect(tab.faults).toEqual([]);
});

test('the map has each step and way with its figures, leads to a step of the list and back, and is one stop of the keyboard', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${stage.place.botId}/edit`));
  const toMap = page.getByRole('button', { name: 'Map', exact: true });
  await toMap.click();
  const map = page.getByLabel('Map of the steps');
  const nodeOf = (number: number) => map.getByRole('button', { name: new RegExp(`^${number}\\. `) });
  const { steps } = npsBot as { steps: object[] };
  await nodeOf(steps.length).waitFor();
  expect(await map.getByRole('button').count()).toBe(steps.length);
  await map.getByText(/is at least 9$/).waitFor();
  await map.getByText('“Yes, please”', exactly).waitFor();
  // The figures come after the conversations.
  await map
    .getByText(/^\d+ came here, \d+ \(.+\) stopped$/)
    .first()
    .waitFor();
  // Two were promoters and two detractors. Somebody who does not see the ways hears it at their step.
  await expect.poll(() => map.getByText('2 (50%)', exactly).count()).toBe(2);
  const taken = 'taken by 2 \\(50%\\)';
  await map
    .getByRole('button', {
      name: new RegExp(`^3\\. .*is at least 9: [^;]*${taken};.*Otherwise: [^;]*${taken}$`),
    })
    .waitFor();
  await lookAt('console-map', tab, everywhere);
  await page.emulateMedia({ colorScheme: 'dark' });
  await lookAt('console-map-dark', tab, coloursOnly);
  await page.setViewportSize(desktop);

  const place = (part: 'step' | 'node') =>
    page.evaluate((name) => {
      const element = document.activeElement?.closest(`[data-${name}]`);
      return Number(element?.getAttribute(`data-${name}`) ?? Number.NaN) + 1;
    }, part);
  await nodeOf(2).click();
  await expect.poll(() => place('step')).toBe(2);
  await toMap.click();
  await expect.poll(() => nodeOf(2).getAttribute('aria-current')).toBe('true');

  const whole = page.getByRole('button', { name: 'Whole map' });
  await whole.press('Tab');
  await expect.poll(() => place('node')).toBe(2);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => place('node')).toBe(3);
  await page.keyboard.press('End');
  await expect.poll(() => place('node')).toBe(steps.length);
  await page.keyboard.press('Tab');
  await expect.poll(() => place('node')).toBeNaN();
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => place('node')).toBe(steps.length);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => place('step')).toBe(steps.length - 1);

  // The card of the bot is no step.
  await page.getByText('Name, language, context, results, reminders').click();
  await toMap.click();
  await whole.press('Tab');
  await expect.poll(() => place('node')).toBe(steps.length - 1);
  expect(tab.faults).toEqual([]);
});

test('a list of steps has all of them when a mouse or a key opens it', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const id = await openSteps(page, stage, [
    ask('first', 'First?'),
    ask('second', 'Second?'),
    { id: 'bye', kind: 'end' },
  ]);
  const all = ['the next step: 2. Second?', '1. First?', '2. Second?', '3. End'];
  const [first, second] = [1, 2].map((number) => cardOf(page, number).getByLabel('Then', exactly));
  await first?.click();
  expect(await first?.locator('option').allInnerTexts()).toEqual(all);
  await page.keyboard.press('Escape');
  expect(await second?.inputValue()).toBe('');
  await second?.focus();
  await page.keyboard.press('End');
  await expect.poll(() => second?.inputValue()).toBe('bye');
  await expect.poll(() => keptText(page, id)).toContain('"next": "bye"');
  expect(tab.faults).toEqual([]);
});

test('the map shows what the list has changed: a step to which no way leads is marked', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const ofMap = () => loaded.filter((url) => url.includes('/map-view-'));
  await openSteps(page, stage, [
    ask('first', 'First?'),
    ask('second', 'Second?'),
    { id: 'bye', kind: 'end' },
  ]);
  await chooseIn(cardOf(page, 1).getByLabel('Then', exactly), '3. End');
  expect(ofMap()).toEqual([]);
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.getByLabel('Map of the steps');
  await map.getByRole('button', { name: /^2\. .*Never reached/ }).waitFor();
  expect(ofMap()).toHaveLength(1);
  await expect.poll(() => map.locator('g[data-id]').count()).toBe(2);
  await page.getByText('1 step is never reached').waitFor();
  expect(await map.getByText('Never reached').count()).toBe(1);
  await lookAt('console-map-unreached', tab);
  await map.getByRole('button', { name: /^1\. / }).click();
  await chooseIn(cardOf(page, 1).getByLabel('Then', exactly), 'the next step: 2. Second?');
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await map.getByRole('button', { name: /^2\. / }).waitFor();
  await expect.poll(() => map.getByText('Never reached').count()).toBe(0);
  expect(tab.faults).toEqual([]);
});

test('faults are at their step and say what to do, and what rows cannot say stays an expression', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const choices = [
    { value: 'a', label: 'Apples' },
    { value: 'p', label: 'Pears' },
  ];
  await openSteps(page, stage, [
    ask('fruit', 'Which fruit?', {
      input: { type: 'choice', choices },
      next: [{ if: "answers.fruit == 'a' && size(answers.fruit) < 3", goto: 'bye' }, { else: 'why' }],
    }),
    ask('why', 'Why?', { when: "answers.fruit == 'p' || answers.fruit == 'a'" }),
    { id: 'bye', kind: 'end' },
  ]);
  await page.frameLocator('iframe').getByRole('button', { name: 'Start' }).waitFor();
  await expectStill(page);
  const expression = cardOf(page, 1).getByLabel('Expression (CEL)');
  await expect.poll(() => expression.inputValue()).toBe("answers.fruit == 'a' && size(answers.fruit) < 3");
  await expression.fill('answers.unknown == 1');
  await cardOf(page, 1).getByText('This condition cannot work:').first().waitFor();
  await cardOf(page, 1).getByRole('button', { name: 'Show as rows' }).click();
  const row = cardOf(page, 1).getByRole('group', { name: 'Condition 1' });
  await expect.poll(() => row.getByLabel('Value').inputValue()).toBe('answers.unknown');
  await chooseIn(row.getByLabel('Value'), 'Answer: Which fruit?');
  await row.getByLabel('Compared with').selectOption({ label: 'Pears' });
  const second = cardOf(page, 2);
  await expect.poll(() => second.getByLabel('If', exactly).inputValue()).toBe('any');
  await second.getByLabel('If', exactly).selectOption({ label: 'all of these hold' });
  await page.getByText('Nothing is wrong.').waitFor();

  const before = await page.evaluate(() => performance.now());
  await second.getByLabel('Text', exactly).fill('');
  await second.getByText('Text: Write something here.').waitFor();
  await page.getByText('1 fault').first().waitFor();
  await page.getByRole('button', { name: 'Go to the next one' }).click();
  await expect.poll(() => page.locator(':focus').innerText()).toContain('Write something here.');
  await second.getByLabel('Text', exactly).fill('Why?');
  await page.getByText('Nothing is wrong.').waitFor();
  await expectStill(page, before);
  await cardOf(page, 1).getByText('Options', exactly).click();
  await cardOf(page, 1).getByRole('button', { name: 'Add: Choices' }).click();
  await cardOf(page, 1).getByLabel('Words', exactly).nth(2).fill('Plums');
  await cardOf(page, 1).getByText('More settings').click();
  await lookAt('console-steps-options', tab, everywhere);
  await page.emulateMedia({ colorScheme: 'dark' });
  await lookAt('console-steps-dark', tab, coloursOnly);
  await page.setViewportSize(desktop);
  await cardOf(page, 1).getByLabel('Type of the answer').selectOption({ label: 'Ranking' });
  await page.getByText('Nothing is wrong.').waitFor();
  expect(tab.faults).toEqual([]);
});

test('what is wrong is said in the same words in each view, in German too, and leads to its step', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const choices = [{ value: 'a', label: 'Apples' }];
  const id = await openSteps(page, stage, [
    ask('fruit', 'Which fruit?', { input: { type: 'choice', choices } }),
    ask('why', 'Why?', { when: "answers.fruit == 'p'" }),
    { id: 'bye', kind: 'end' },
  ]);
  await page.getByRole('button', { name: 'Check and publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Check and publish' });
  const warning = dialog.getByRole('list', { name: '1 warning' }).getByRole('button');
  await expect
    .poll(() => warning.innerText())
    .toMatch(/2\. Why\?.*answers\.fruit is never "p".*Compare it with one of its values\./s);
  await lookAt('console-publish-warning', tab, everywhere);
  await warning.click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => cardOf(page, 2).locator('h3:focus').count()).toBe(1);

  const { definition } = await stage.place.workspace.client.bots.getVersion(id, 1);
  await replaceText(page, JSON.stringify(definition).replace('"type":"choice"', '"type":"choose"'));
  const faults = page.getByRole('list', { name: 'Faults', exact: true }).getByRole('button');
  await expect.poll(() => faults.first().innerText()).toMatch(/1\. Which fruit\?.*Choose one of these: /s);
  await page.setViewportSize(desktop);
  await page.getByLabel('Language', exactly).selectOption({ label: 'Deutsch' });
  const german = page.getByRole('list', { name: 'Fehler', exact: true }).getByRole('button');
  await expect.poll(() => german.first().innerText()).toMatch(/1\. Which fruit\?.*Wählen Sie eines davon: /s);
  expect(tab.faults).toEqual([]);
});

test('the rest of the bot has forms too: names are changed wherever they are used, and what breaks is said first', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const steps = [
    ask('why', 'Why {{context.item|this}}?', { when: "context.item != ''" }),
    { id: 'bye', kind: 'end' },
  ];
  const id = await openSteps(page, stage, steps, { context: [{ name: 'item' }] });
  const card = page.getByRole('region', { name: 'The conversation' });
  await card.getByText('Name, language, context, results, reminders').click();
  await card.getByLabel('Name, for customers').fill('About this');
  await card.getByLabel('Language of the texts').selectOption({ label: 'German' });
  await card.getByLabel('Customers may change earlier answers').check();
  const stopped = card.getByRole('group', { name: 'Say that a customer has stopped, after' });
  await stopped.getByLabel('Unit').selectOption('hours');
  await stopped.getByRole('textbox').fill('2');
  await card.getByRole('button', { name: 'Add: Reminders' }).click();
  await page.getByText('Nothing is wrong.').waitFor();
  await lookAt('console-steps-bot', tab, everywhere);

  const name = card.getByLabel('Name', exactly);
  const kept = await keptText(page, id);
  // What the bot does not have yet is undone in the field.
  await name.press('End');
  await name.pressSequentially('s');
  await name.press('ControlOrMeta+z');
  await expect.poll(() => name.inputValue()).toBe('item');
  expect(await keptText(page, id)).toBe(kept);
  await name.fill('product');
  await name.press('Enter');
  await expect.poll(() => keptText(page, id)).toContain('"Why {{context.product|this}}?"');
  const remove = card.getByRole('button', { name: 'Remove Context 1' });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Change this anyway?' });
  await dialog.getByText('1. Why ‹product›?: names its value in a text').waitFor();
  await dialog.getByText('1. Why ‹product›?: has a condition about it').waitFor();
  await lookAt('console-steps-breaks', tab);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => name.inputValue()).toBe('product');
  await stopped.getByLabel('Unit').selectOption('never');
  await isSaved(page);
  await expect
    .poll(() => definitionOf(id))
    .toMatchObject({
      name: 'About this',
      locale: 'de',
      revise: true,
      stalledAfterSeconds: null,
      reminders: [{ afterSeconds: 86_400 }],
      context: [{ name: 'product' }],
      steps: [{ text: 'Why {{context.product|this}}?', when: "context.product != ''" }, {}],
    });

  await remove.click();
  await dialog.getByRole('button', { name: 'Change anyway' }).click();
  await cardOf(page, 1).getByText('The context has no “product”.').waitFor();
  await card.getByLabel('Name, for customers').fill('');
  await card.getByText('Name, for customers: Write something here.').waitFor();
  await page.getByRole('button', { name: 'Go to the next one' }).click();
  await expect.poll(() => page.locator(':focus').innerText()).toContain('Name, for customers');
  expect(tab.faults).toEqual([]);
});

test('an expression is completed with values, choices and functions, and its field says what is wrong', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const choices = [
    { value: 'a', label: 'Apples' },
    { value: 'p', label: 'Pears' },
  ];
  const id = await openSteps(page, stage, [
    ask('fruit', 'Which fruit?', { input: { type: 'choice', choices } }),
    ask('why', 'Why?', { when: "answers.fruit == 'a'" }),
    { id: 'bye', kind: 'end' },
  ]);
  const second = cardOf(page, 2);
  await second.getByRole('button', { name: 'Write as an expression' }).click();
  const field = second.getByRole('combobox', { name: 'Only if · Expression (CEL)' });
  await field.fill('');
  await field.pressSequentially('whi');
  const offers = page.getByRole('listbox', { name: 'Suggestions' });
  await offers.getByRole('option', { name: 'Answer: Which fruit?' }).waitFor();
  await lookAt('console-steps-offers', tab);
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('answers.fruit');
  await field.pressSequentially(' == ');
  await offers.getByRole('option', { name: 'Pears' }).click();
  await field.pressSequentially(' && si');
  await field.press('Enter');
  await field.pressSequentially('answers.w');
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe("answers.fruit == 'p' && size(answers.why)");
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await second.getByText('This condition cannot work:').nth(1).waitFor();
  await field.press('End');
  await field.pressSequentially(' > 3');
  await page.getByText('Nothing is wrong.').waitFor();
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('false');

  const text = second.getByLabel('Text', exactly);
  await text.fill('');
  await text.pressSequentially('Why, {{first');
  await text.press('Enter');
  await expect.poll(() => text.innerText()).toBe('Why, Customer: First name');
  await isSaved(page);
  expect(await definitionOf(id)).toMatchObject({
    steps: [
      {},
      { text: 'Why, {{customer.firstName}}', when: "answers.fruit == 'p' && size(answers.why) > 3" },
      {},
    ],
  });
  expect(tab.faults).toEqual([]);
});
