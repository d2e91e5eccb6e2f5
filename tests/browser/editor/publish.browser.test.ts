import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { signInWithoutPersonalData } from '../../people/console-people.ts';
import { openPublishing, openStage, signIn, type Stage, takeSession } from '../console/console-stage.ts';
import { pressUntil } from '../keyboard.ts';
import { inBothLayouts, lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';
import { ask, cardOf } from './steps-view.ts';

// What somebody reads before a version becomes live, and the way back to an older one.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const botOf = (steps: object[]) => ({
  schemaVersion: 1,
  key: `published-${randomUUID()}`,
  name: 'Published',
  type: 'Feedback',
  steps,
});

const sectionOf = (dialog: Locator, title: string | RegExp) =>
  dialog.locator('section').filter({ has: dialog.page().getByRole('heading', { name: title }) });

const publishIn = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true });

test('an editor who may not see personal data publishes, and reads why nothing is replayed', async () => {
  const { client } = stage.place.workspace;
  const hi = (text: string) => ({ id: 'hi', kind: 'say', text: { en: text, de: 'Hallo' } });
  const before = botOf([hi('Hi'), { id: 'bye', kind: 'end', text: 'Bye' }]);
  const { id } = await client.bots.create(before);
  const { cookie } = await signInWithoutPersonalData(inject('operator'), stage.place, 'editor', 'Edith');
  await using tab = await openBrowser();
  const { page, context } = tab;
  await takeSession(context, stage.place.baseUrl, cookie);
  await page.goto(stage.address(`/bots/${id}/edit`));
  await cardOf(page, 2).getByRole('textbox', { name: 'Text', exact: true }).fill('See you');
  await page.getByText('Saved as the draft').waitFor();

  const dialog = await openPublishing(page);
  await dialog
    .getByRole('region', { name: 'What changes after version 1' })
    .getByText('After: See you')
    .waitFor();
  await sectionOf(dialog, 'Progress of the languages').getByText('German (de): 1 of 2 translated').waitFor();
  const proof = sectionOf(dialog, 'Who is affected');
  await proof.getByText('You do not have the right to read these (scope personal-data:read)').waitFor();
  const replay = proof.getByRole('button', { name: 'Replay finished conversations' });
  expect(await replay.getAttribute('title')).toBe('You need the scope personal-data:read for this.');
  await lookAt('console-editor-publish-unproven', tab, inBothLayouts);
  await page.setViewportSize(desktop);
  await dialog.getByLabel('Note: why is it changed?').fill('Friendlier');
  await publishIn(page).click();
  await page.getByText('Version 2 is live').waitFor();
  const { data } = await client.bots.listVersions(id);
  expect(data[0]).toMatchObject({ version: 2, isLive: true, note: 'Friendlier' });
  const { definition } = await client.bots.getVersion(id, 2);
  expect(definition).toMatchObject({ steps: [hi('Hi'), { text: 'See you' }] });
  expect(tab.faults).toEqual([]);
});

test('before a version is published, its warnings and missing, stale and faulty translations are listed', async () => {
  const { client } = stage.place.workspace;
  const texts = { en: 'Hi {{customer.firstName|you}}', de: 'Hallo {{customer.firstName|Sie}}' };
  const choices = [{ value: 'basic', label: 'Basic' }];
  const before = botOf([
    { id: 'hi', kind: 'say', text: texts },
    { id: 'bye', kind: 'end' },
  ]);
  const { id } = await client.bots.create(before);
  const steps = [
    {
      id: 'hi',
      kind: 'say',
      text: { ...texts, fr: 'Salut {{customer.firstName|toi}}', it: 'Ciao' },
      // Of another source.
      translated: { fr: { text: '00000000' } },
    },
    ask('plan', 'Which plan?', {
      input: { type: 'choice', choices },
      next: [{ if: "answers.plan == 'gold'", goto: 'bye' }, { else: 'bye' }],
    }),
    { id: 'bye', kind: 'end' },
  ];
  await client.bots.saveDraft(id, { definition: { ...before, steps } });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit`));
  await cardOf(page, 2).waitFor();
  const dialog = await openPublishing(page);
  await dialog.getByText('No conversation has finished yet').waitFor();
  const warnings = sectionOf(dialog, /^1 warning$/).getByRole('listitem');
  expect(await warnings.count()).toBe(1);
  expect(await warnings.innerText()).not.toBe('');
  const languages = sectionOf(dialog, 'Progress of the languages').getByRole('listitem');
  expect(await languages.allInnerTexts()).toEqual([
    'German (de): 1 of 3 translated',
    'French (fr): 0 of 3 translated, 1 stale',
    'Italian (it): 0 of 3 translated, 1 faulty',
  ]);
  await lookAt('console-editor-publish-open', tab, inBothLayouts);
  await page.setViewportSize(desktop);
  // None of these is a reason against it.
  await publishIn(page).click();
  await page.getByText('Version 2 is live').waitFor();
  expect(tab.faults).toEqual([]);
});

test('the keyboard rolls back to an older version, unless somebody else has published meanwhile', async () => {
  const { client } = stage.place.workspace;
  const first = botOf([{ id: 'bye', kind: 'end', text: 'First' }]);
  const { id } = await client.bots.create(first);
  await client.bots.publishVersion(id, { definition: { ...first, name: 'Second' } });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/versions`));
  const rollBack = 'Roll back to this version';
  await page.getByRole('button', { name: rollBack }).waitFor();
  const rollBackTo = async (version: number): Promise<Locator> => {
    await pressUntil(page, 'Tab', ({ name }) => name === rollBack);
    await page.keyboard.press('Enter');
    const asked = page.getByRole('dialog', { name: `Roll back to version ${version}?` });
    await asked.waitFor();
    await pressUntil(page, 'Tab', ({ tag, type }) => tag === 'button' && type === 'submit');
    return asked;
  };
  const late = await rollBackTo(1);
  await lookAt('console-restore', tab);
  await page.setViewportSize(desktop);
  await client.bots.publishVersion(id, { definition: { ...first, name: 'Of somebody else' } });
  await page.keyboard.press('Enter');
  await late.getByText('Somebody else has published a version meanwhile.').waitFor();
  await page.keyboard.press('Escape');
  await late.waitFor({ state: 'hidden' });
  expect((await client.bots.get(id)).name).toBe('Of somebody else');

  await page.reload();
  const versions = page.getByRole('listitem').filter({ hasText: /^Version \d/ });
  await versions.filter({ hasText: 'Version 3' }).getByText('✓ Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: rollBack }).last().focus();
  await rollBackTo(1);
  await page.keyboard.press('Enter');
  await page.getByText('Version 1 is live as 4').waitFor();
  const newest = versions.filter({ hasText: 'Version 4' });
  await newest.getByText('✓ Live', { exact: true }).waitFor();
  await newest.getByText('same as 1').waitFor();
  const { data } = await client.bots.listVersions(id);
  expect(data.filter(({ isLive }) => isLive)).toMatchObject([{ version: 4, restoredFrom: 1 }]);
  expect((await client.bots.getVersion(id, 4)).definition).toEqual(first);
  expect(tab.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
});
