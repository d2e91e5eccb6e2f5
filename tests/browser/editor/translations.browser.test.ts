import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';
import { openStage, signIn, type Stage } from '../console/console-stage.ts';
import { ask, cardOf, keptText, openSteps } from './steps-view.ts';

// Translations of a bot, beside the texts that they translate.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('a translation is written, becomes stale with its source, and comes from a file of a translator', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { client } = stage.place.workspace;
  const definition = {
    schemaVersion: 1,
    key: 'translated',
    name: 'Translated',
    type: 'Test',
    steps: [
      {
        id: 'hi',
        kind: 'say',
        text: { en: 'Hi {{customer.firstName|you}}', de: 'Hallo {{customer.firstName|Sie}}' },
      },
      { id: 'end', kind: 'end', text: 'Bye' },
    ],
  };
  const bot = await client.bots.create(definition);
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${bot.id}/edit`));
  await page.getByRole('button', { name: 'Translations', exact: true }).click();
  await page.getByText('German (de): 1 of 2 translated').waitFor();
  const draftOf = async () => (await client.bots.getDraft(bot.id).catch(() => undefined))?.definition;

  await page.getByLabel(/^2\. Bye · Text/).fill('Tschüss');
  await page.getByText('German (de): 2 of 2 translated').waitFor();
  await page.getByLabel(/^1\. Hi ‹first name› · Text/).fill('Hallo');
  await page.getByText('It lacks {{customer.firstName}}.').waitFor();
  await page.getByText('German (de): 1 of 2 translated, 1 faulty', { exact: true }).waitFor();
  await page.getByText('✕ Faulty', { exact: true }).waitFor();
  await lookAt('console-translations', tab);
  await page.getByLabel(/^1\. Hi ‹first name› · Text/).fill('Guten Tag {{customer.firstName|Sie}}');
  await expect.poll(draftOf).toMatchObject({
    steps: [
      { text: { de: 'Guten Tag {{customer.firstName|Sie}}' } },
      {
        text: { en: 'Bye', de: 'Tschüss' },
        translated: { de: { text: expect.stringMatching(/^[0-9a-f]{8}$/) } },
      },
    ],
  });

  await page.getByLabel('New language, such as fr').fill('fr');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('French (fr): 0 of 2 translated').waitFor();
  const csv = 'key,en,fr,de\r\nend.text,See you,Au revoir,Bis bald\r\nnone.text,,Rien,\r\n';
  await page
    .getByLabel('Take translations from a file: CSV or XLIFF')
    .setInputFiles({ name: 'back.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByText('2 translations were taken from the file.').waitFor();
  await page.getByText('The bot has no such text.').waitFor();
  // The translator had another source.
  await page.getByText('French (fr): 0 of 2 translated, 1 stale', { exact: true }).waitFor();
  await page.getByText('Source has changed').waitFor();

  const other = Buffer.from('key,fr\r\na.text,Un\r\nb.text,Deux\r\n');
  await page
    .getByLabel('Take translations from a file: CSV or XLIFF')
    .setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: other });
  await page.getByText('It may be the file of another bot.').waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as XLIFF' }).click();
  expect((await download).suggestedFilename()).toBe('translated.fr.xlf');
  await page.getByLabel(/^2\. Bye · Text/).fill('Au revoir !');
  await page.getByText('French (fr): 1 of 2 translated', { exact: true }).waitFor();
  expect(tab.faults).toEqual([]);
});

const takeCsv = (page: Page, ...lines: string[]): Promise<void> =>
  page.getByLabel('Take translations from a file: CSV or XLIFF').setInputFiles({
    name: 'back.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });

test('a wrong file is undone and redone in one step, by buttons and keys, and so is what was typed', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const choices = [
    { value: 's', label: { en: 'Small', de: 'Klein' } },
    { value: 'l', label: { en: 'Large', de: 'Groß' } },
  ];
  const steps = [
    ask('size', { en: 'Which size?', de: 'Welche Größe?' }, { input: { type: 'choice', choices } }),
    { id: 'bye', kind: 'end', text: 'Bye' },
  ];
  const id = await openSteps(page, stage, steps, { query: '?view=translations' });
  const fieldOf = (words: string) => page.getByLabel(words);
  const wordings = () => page.getByRole('list', { name: /^Texts and/ }).locator('textarea');
  const shown = () => wordings().evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
  const [undo, redo] = ['Undo', 'Redo'].map((name) => page.getByRole('button', { name, exact: true }));
  await fieldOf('2. Bye · Text').pressSequentially('Ade');
  const typed = ['Welche Größe?', 'Klein', 'Groß', 'Ade'];
  await expect.poll(shown).toEqual(typed);
  const before = await keptText(page, id);

  await takeCsv(
    page,
    'key,en,de,fr',
    'size.text,Which size?,Falsch,Faux',
    'size.input.choices.s,Small,Falsch,Faux',
    'bye.text,Bye,Falsch,Faux',
  );
  await page.getByText('6 translations were taken from the file.').waitFor();
  const wrong = ['Falsch', 'Falsch', 'Groß', 'Falsch'];
  await expect.poll(shown).toEqual(wrong);
  await undo?.click();
  await expect.poll(shown).toEqual(typed);
  expect(await keptText(page, id)).toBe(before);
  await page.getByText('French (fr)').waitFor({ state: 'detached' });
  await page.getByText('were taken from the file').waitFor({ state: 'detached' });
  await page.getByText('Undone', { exact: true }).waitFor({ state: 'attached' });
  await redo?.click();
  await expect.poll(shown).toEqual(wrong);
  await page.getByText('French (fr): 3 of 4 translated').waitFor();

  // In a field, as in the rest of the view.
  await fieldOf('1. Which size? · Choice: Large').focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(shown).toEqual(typed);
  for (const key of ['ControlOrMeta+y', 'ControlOrMeta+Shift+z']) {
    await page.keyboard.press(key);
    await expect.poll(shown).toEqual(wrong);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(shown).toEqual(typed);
  }
  // What no text has yet is the field's own.
  const language = page.getByLabel('New language, such as fr');
  await language.pressSequentially('xx');
  await language.press('ControlOrMeta+z');
  await expect.poll(() => language.inputValue()).toBe('');
  expect(await shown()).toEqual(typed);
  await language.press('ControlOrMeta+z');
  await expect.poll(shown).toEqual([...typed.slice(0, 3), '']);
  expect(await undo?.getAttribute('aria-disabled')).toBe('true');

  // The language of what has changed is shown.
  await takeCsv(page, 'key,en,fr', 'size.text,Which size?,Quelle taille ?', 'bye.text,Bye,Au revoir');
  await page.getByText('French (fr): 2 of 4 translated').waitFor();
  await undo?.click();
  await page.getByText('French (fr)').waitFor({ state: 'detached' });
  await redo?.click();
  await page.getByRole('list', { name: 'Texts and their translations into French (fr)' }).waitFor();
  await expect.poll(shown).toEqual(['Quelle taille ?', '', '', 'Au revoir']);
  // All views have one history.
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await cardOf(page, 2).waitFor();
  await undo?.click();
  await expect.poll(() => redo?.getAttribute('aria-disabled')).toBeNull();
  await page.getByRole('button', { name: 'Translations', exact: true }).click();
  await page.getByText('German (de): 3 of 4 translated').waitFor();
  expect(await page.getByText('French (fr)').count()).toBe(0);
  expect(tab.faults).toEqual([]);
});

test('a language without texts stays until the editor is closed, and a text that is typed stays among the open ones', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openSteps(page, stage, [ask('name', 'What is your name?'), { id: 'end', kind: 'end', text: 'Bye' }], {
    query: '?view=translations',
  });
  await page.getByLabel('New language, such as fr').fill('it');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const list = page.getByRole('list', { name: 'Texts and their translations into Italian (it)' });
  await list.waitFor();
  for (const view of ['Steps', 'Map', 'Source']) {
    await page.getByRole('button', { name: view, exact: true }).click();
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Translations', exact: true }).click();
    await list.waitFor();
    await page.getByText('Italian (it): 0 of 2 translated').waitFor();
  }
  await page.getByLabel('Only missing, stale and faulty ones').check();
  const field = list.getByLabel('2. Bye · Text');
  await field.pressSequentially('Ciao');
  await page.getByText('Italian (it): 1 of 2 translated').waitFor();
  await expect.poll(() => field.inputValue()).toBe('Ciao');
  expect(tab.faults).toEqual([]);
});

test('a step names its languages, leads to its translations, and gives yes and no words of their own', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const again = { en: 'Would you come again?', de: 'Kommen Sie wieder?', 'pt-BR': 'Você voltaria?' };
  const id = await openSteps(page, stage, [
    ask('name', 'What is your name?'),
    ask('again', again, { input: { type: 'yesNo' } }),
    { id: 'end', kind: 'end' },
  ]);
  const card = cardOf(page, 2);
  await card
    .getByText('This is the text in English. It also exists in German and Brazilian Portuguese.')
    .waitFor();
  await card.getByText('These words are English in every language.').waitFor();
  await lookAt('console-steps-languages', tab);
  await card.getByRole('button', { name: 'Show translations' }).click();
  const text = page.getByLabel(/^2\. Would you come again\? · Text/);
  await expect.poll(() => text.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByText('German (de): 1 of 4 translated').waitFor();
  await page.getByLabel(/^2\. Would you come again\? · Words for yes/).fill('Ja');
  await page.getByText('German (de): 2 of 4 translated').waitFor();
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await card.getByText('These words are English').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await card.getByRole('button', { name: 'Write your own' }).click();
  await expect.poll(() => keptText(page, id)).toMatch(/"labels": \{\s*"yes": "Yes",\s*"no": "No"/);
  expect(tab.faults).toEqual([]);
});
