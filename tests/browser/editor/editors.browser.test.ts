import { openSqlConnection } from '@parley/testing/database/sql';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createLink, signInBy } from '../../people/console-people.ts';
import { coloursOnly, inBothLayouts, lookAt, pictures } from '../screenshots.ts';
import { desktop, narrow, openBrowser, openTab, type Tab } from '../tab.ts';
import { openPublishing, openStage, signIn, type Stage } from '../console/console-stage.ts';

// Several people in the editor of one bot, each in a browser of their own. Waits for 25 seconds are real.

let stage: Stage;
let botId: string;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  const steps = [
    { id: 'how', kind: 'ask', text: 'How was it?', input: { type: 'text' } },
    { id: 'bye', kind: 'end', text: 'Thank you!' },
  ];
  const key = `shared-${randomUUID()}`;
  const definition = { schemaVersion: 1, key, name: 'Shared', type: 'Feedback', steps };
  ({ id: botId } = await stage.place.workspace.client.bots.create(definition));
});

const cardTexts = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

async function openEditor({ page }: Pick<Tab, 'page'>): Promise<void> {
  await page.goto(stage.address(`/bots/${botId}/edit`));
  await cardTexts(page).first().waitFor();
}

async function openAs(tab: Tab, name: string, role: 'owner' | 'viewer' = 'owner'): Promise<void> {
  await signIn(tab.page, stage, role, name);
  await openEditor(tab);
}

const othersIn = (page: Page) => page.getByText('Also here:');
const sees = (page: Page, text: RegExp) => othersIn(page).filter({ hasText: text }).waitFor();
const seesNobody = (page: Page) => othersIn(page).waitFor({ state: 'detached' });

/** Somebody who lists the people in the editor. */
async function openObserver(): Promise<() => Promise<number>> {
  const { baseUrl, workspace } = stage.place;
  const code = await createLink(inject('operator'), workspace.id, 'viewer', 'Watcher');
  const { calls } = await signInBy(baseUrl, code);
  const path = `/workspaces/${workspace.id}/bots/${botId}/presences`;
  const own = randomUUID();
  return async () => {
    const { body } = await calls.post<{ presences: { id: string }[] }>(path, { id: own });
    return body.data.presences.filter(({ id }) => id !== own).length;
  };
}

/** Only the call of its tab ends a presence then, until the tab renews it. */
async function letNoneExpire(): Promise<void> {
  await using session = await openSqlConnection(inject('local').postgresUrl);
  const text = "update interaction.presence set renewed_at = now() + interval '1 hour' where bot_id = $1";
  await session.query(text, [botId]);
}

test('people who have the editor open see each other, with since when, until a tab is closed or left', async () => {
  await using ada = await openBrowser();
  await using grace = await openBrowser();
  await openAs(ada, 'Ada Lovelace');
  await seesNobody(ada.page);
  await openAs(grace, 'Grace Hopper', 'viewer');
  await sees(grace.page, /Ada Lovelace since \d+:\d\d/);
  await sees(ada.page, /Grace Hopper since \d+:\d\d/);
  await lookAt('console-editor-others', ada, { windows: ['desktop', 'narrow'] });

  const count = await openObserver();
  await expect.poll(count).toBe(2);
  await letNoneExpire();
  await grace.page.getByRole('link', { name: 'Versions', exact: true }).click();
  await expect.poll(count).toBe(1);
  await openEditor(grace);
  await expect.poll(count).toBe(2);
  await letNoneExpire();
  await grace.page.close();
  await expect.poll(count).toBe(1);
  await othersIn(ada.page).filter({ hasNotText: 'Grace' }).waitFor();
  expect(ada.faults).toEqual([]);
});

test('who has no network or no session any more is gone, and is back with it', async () => {
  await using ada = await openBrowser();
  await using grace = await openBrowser();
  await using eve = await openBrowser();
  await openAs(ada, 'Ada');
  await openAs(grace, 'Grace');
  await openAs(eve, 'Eve');
  await sees(ada.page, /Grace.*Eve/);
  await grace.context.setOffline(true);
  const cookies = await eve.context.cookies();
  await eve.context.clearCookies();
  await seesNobody(grace.page);
  await seesNobody(ada.page);
  const over = eve.page.getByRole('alertdialog', { name: 'Your session has ended' });
  await over.waitFor();
  await grace.context.setOffline(false);
  await eve.context.addCookies(cookies);
  await over.waitFor({ state: 'hidden' });
  await sees(ada.page, /Grace/);
  await sees(ada.page, /Eve/);
  await sees(grace.page, /Ada.*Eve/);
});

test('the own tab elsewhere is named as such', async () => {
  await using tab = await openBrowser();
  await openAs(tab, 'Ada');
  const second = await openTab(tab.context);
  await openEditor(second);
  await sees(second.page, /You, in another tab or browser, since/);
  await sees(tab.page, /You, in another tab or browser, since/);
  await second.page.close();
  await seesNobody(tab.page);
});

const isSaved = ({ page }: Pick<Tab, 'page'>) => page.getByText('Saved as the draft').waitFor();
const textOf = ({ page }: Pick<Tab, 'page'>, card: number) => cardTexts(page).nth(card).innerText();
const confirm = async ({ page }: Pick<Tab, 'page'>, action: string): Promise<void> => {
  await page.getByRole('button', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
};
const draftedTexts = async (): Promise<unknown[] | undefined> => {
  const { bots } = stage.place.workspace.client;
  const { data } = await bots.listDrafts();
  if (!data.some((one) => one.botId === botId)) return undefined;
  const { steps } = (await bots.getDraft(botId)).definition as { steps: { text: unknown }[] };
  return steps.map(({ text }) => text);
};

test('an editor in which nothing was typed shows what the others save, and goes on from it', async () => {
  await using ada = await openBrowser();
  await using grace = await openBrowser();
  await openAs(ada, 'Ada');
  await openAs(grace, 'Grace');
  await cardTexts(ada.page).first().fill('Ada asks?');
  await expect.poll(() => textOf(grace, 0)).toBe('Ada asks?');
  await isSaved(grace);
  await cardTexts(grace.page).nth(1).fill('Grace ends.');
  await expect.poll(draftedTexts).toEqual(['Ada asks?', 'Grace ends.']);
  const alert = ada.page.getByRole('alert').filter({ hasText: 'Grace works on this bot too' });
  await alert.waitFor();
  // The question stays in sight, also on the smallest phone.
  await ada.page.setViewportSize(narrow);
  await ada.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect.poll(async () => (await alert.boundingBox())?.y).toBe(0);
  await ada.page.screenshot({ path: join(pictures, 'console-editor-conflict-narrow.png') });
  // Nothing that was typed is replaced before the person decides.
  expect(await textOf(ada, 1)).toBe('Thank you!');
  await confirm(ada, 'Take the other text');
  await expect.poll(() => textOf(ada, 1)).toBe('Grace ends.');
  await sees(ada.page, /Grace/);
  expect([ada.faults, grace.faults]).toEqual([[], []]);
});

test('of two people who type in one card at once, one is asked, and both texts are there', async () => {
  await using ada = await openBrowser();
  await using grace = await openBrowser();
  await openAs(ada, 'Ada');
  await openAs(grace, 'Grace');
  const [ofAda, ofGrace] = ['How does Ada like it?', 'How does Grace like it?'];
  const add = async ({ page }: Tab, text: string): Promise<void> => {
    await cardTexts(page).first().press('End');
    await cardTexts(page).first().pressSequentially(text);
  };
  await Promise.all([add(ada, ofAda), add(grace, ofGrace)]);
  const asked = (tab: Tab) => tab.page.getByRole('alert').filter({ hasText: 'works on this bot too' });
  await expect.poll(async () => (await asked(ada).count()) + (await asked(grace).count())).toBeGreaterThan(0);
  const [late, early] = (await asked(ada).count()) > 0 ? [ada, grace] : [grace, ada];
  await isSaved(early);
  const [lateText, earlyText] = [await textOf(late, 0), await textOf(early, 0)];
  expect([lateText, earlyText].toSorted()).toEqual([`How was it?${ofAda}`, `How was it?${ofGrace}`]);
  expect(await draftedTexts()).toEqual([earlyText, 'Thank you!']);
  await late.page.reload();
  await asked(late).waitFor();
  expect(await textOf(late, 0)).toBe(lateText);
  await cardTexts(late.page).nth(1).fill('Late ends.');
  await asked(late).getByRole('button', { name: 'Show both texts' }).click();
  const both = late.page.getByRole('dialog', { name: 'Both texts' });
  const [own, others] = [/^Only in your text$/, /^Only in the text of (Ada|Grace)$/].map((name) =>
    both.getByRole('region', { name }),
  ) as [Locator, Locator];
  await own.getByText('After: Late ends.').waitFor();
  const after = (side: Locator) => side.locator('dd').filter({ hasText: 'After: ' }).allInnerTexts();
  const said = (text: string) => expect.stringContaining(text) as string;
  expect(await after(own)).toEqual([said(lateText), said('Late ends.')]);
  expect(await after(others)).toEqual([said(earlyText)]);
  await lookAt('console-editor-both-texts', late, inBothLayouts);
  await late.page.emulateMedia({ colorScheme: 'dark' });
  await lookAt('console-editor-both-texts-dark', late, coloursOnly);
  await late.page.emulateMedia({ colorScheme: 'light' });
  await late.page.setViewportSize(desktop);
  await late.page.keyboard.press('Escape');
  await both.waitFor({ state: 'hidden' });
  expect(await textOf(late, 0)).toBe(lateText);

  await asked(late).getByRole('button', { name: 'Show both texts' }).click();
  await both.getByRole('button', { name: 'Show the source' }).click();
  await expect
    .poll(() => late.page.locator('.cm-deletedChunk').allInnerTexts())
    .toEqual([said(earlyText), said('Thank you!')]);
  await late.page.getByRole('button', { name: 'Steps', exact: true }).click();
  expect(await textOf(late, 0)).toBe(lateText);
  await asked(late).getByRole('button', { name: 'Show both texts' }).click();
  await both.getByRole('button', { name: 'Keep my text' }).click();
  const question = late.page.getByRole('dialog', { name: 'Keep my text' });
  await question.getByRole('button', { name: 'Keep my text' }).click();
  await both.waitFor({ state: 'hidden' });
  await expect.poll(draftedTexts).toEqual([lateText, 'Late ends.']);
  await asked(early).waitFor();
  expect(await textOf(early, 0)).toBe(earlyText);
});

test('who types while somebody else publishes keeps the text, and is shown what is live', async () => {
  await using ada = await openBrowser();
  await using grace = await openBrowser();
  await openAs(ada, 'Ada');
  await openAs(grace, 'Grace');
  await cardTexts(ada.page).first().fill('Ada asks?');
  await expect.poll(() => textOf(grace, 0)).toBe('Ada asks?');
  await openPublishing(ada.page);
  await ada.page.getByText('No conversation has finished yet').waitFor();
  await ada.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await ada.page.getByText('Version 2 is live').waitFor();
  // Grace has the same text: there is nothing to decide.
  await grace.page.getByRole('heading', { name: 'Definition, from version 2' }).waitFor();
  expect(await textOf(grace, 0)).toBe('Ada asks?');

  await cardTexts(grace.page).nth(1).fill('Grace ends.');
  await isSaved(grace);
  await stage.place.workspace.client.bots.publishVersion(botId, { restore: 1 });
  await stage.place.workspace.client.bots.discardDraft(botId);
  const overtaken = grace.page
    .getByRole('alert')
    .filter({ hasText: 'Version 3 is live now. Your text is kept.' });
  await overtaken.waitFor();
  await lookAt('console-editor-overtaken', grace, { windows: ['desktop', 'narrow'] });
  await overtaken.getByRole('button', { name: 'Compare with version 3' }).click();
  const dialog = grace.page.getByRole('dialog', { name: 'Check and publish' });
  await dialog.getByText('What changes after version 3').waitFor();
  await dialog.getByText('Grace ends.').first().waitFor();
  await grace.page.keyboard.press('Escape');
  expect(await textOf(grace, 1)).toBe('Grace ends.');
});

test('a draft that is discarded by somebody else stays in the other editor, also in one without a network', async () => {
  await using ada = await openBrowser();
  await using grace = await openBrowser();
  await openAs(ada, 'Ada');
  await cardTexts(ada.page).first().fill('Ada asks?');
  await isSaved(ada);
  await openAs(grace, 'Grace');
  await expect.poll(() => textOf(grace, 0)).toBe('Ada asks?');
  await grace.context.setOffline(true);
  await cardTexts(grace.page).nth(1).fill('Grace, offline.');
  await grace.page.getByText('Not saved, kept in this browser.').waitFor();
  await confirm(ada, 'Discard changes');
  await expect.poll(() => textOf(ada, 0)).toBe('How was it?');
  await grace.context.setOffline(false);
  await expect.poll(draftedTexts).toEqual(['Ada asks?', 'Grace, offline.']);
  await isSaved(grace);

  await expect.poll(() => textOf(ada, 1)).toBe('Grace, offline.');
  await confirm(ada, 'Discard changes');
  const gone = grace.page.getByRole('alert').filter({ hasText: 'Somebody else has discarded the draft' });
  await gone.waitFor();
  await lookAt('console-editor-discarded', grace, { windows: ['desktop', 'narrow'] });
  expect(await textOf(grace, 1)).toBe('Grace, offline.');
  expect(await draftedTexts()).toBeUndefined();
  await gone.getByRole('button', { name: 'Save my text as the draft' }).click();
  await expect.poll(draftedTexts).toEqual(['Ada asks?', 'Grace, offline.']);
});
