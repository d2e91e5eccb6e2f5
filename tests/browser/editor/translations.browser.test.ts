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

  await page.getByLabel(/^end\.text/).fill('Tschüss');
  await page.getByText('German (de): 2 of 2 translated').waitFor();
  await page.getByLabel(/^hi\.text/).fill('Hallo');
  await page.getByText('It lacks {{customer.firstName}}.').waitFor();
  await page.getByText('German (de): 1 of 2 translated, 1 faulty', { exact: true }).waitFor();
  await page.getByText('✕ Faulty', { exact: true }).waitFor();
  await lookAt('console-translations', tab);
  await page.getByLabel(/^hi\.text/).fill('Guten Tag {{customer.firstName|Sie}}');
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
  await page
    .getByText('French (fr): 1 of 2 translated, 1 stale')
    .or(page.getByText('French (fr): 0 of 2 translated, 1 stale'))
    .waitFor();
  await page.getByText('Source has changed').waitFor();

  const other = Buffer.from('key,fr\r\na.text,Un\r\nb.text,Deux\r\n');
  await page
    .getByLabel('Take translations from a file: CSV or XLIFF')
    .setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: other });
  await page.getByText('It may be the file of another bot.').waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as XLIFF' }).click();
  expect((await download).suggestedFilename()).toBe('translated.fr.xlf');
  await page.getByLabel(/^end\.text/).fill('Au revoir !');
  await page.getByText('French (fr): 1 of 2 translated', { exact: true }).waitFor();
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
  const text = page.getByLabel(/^again\.text/);
  await expect.poll(() => text.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByText('German (de): 1 of 4 translated').waitFor();
  await page.getByLabel(/^again\.input\.labels\.yes/).fill('Ja');
  await page.getByText('German (de): 2 of 4 translated').waitFor();
  await page.getByRole('button', { name: 'Steps', exact: true }).click();
  await card.getByText('These words are English').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await card.getByRole('button', { name: 'Write your own' }).click();
  await expect.poll(() => keptText(page, id)).toMatch(/"labels": \{\s*"yes": "Yes",\s*"no": "No"/);
  expect(tab.faults).toEqual([]);
});
