import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createLink, signInBy } from '../../people/console-people.ts';
import { lookAt } from '../screenshots.ts';
import { openBrowser, openTab, type Tab } from '../tab.ts';
import { openStage, signIn, type Stage } from './console-stage.ts';

// Several people in the editor of one bot, each in a browser of their own.

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
  expect(await count()).toBe(2);
  await grace.page.getByRole('link', { name: 'Versions', exact: true }).click();
  const leftAt = performance.now();
  await expect.poll(count).toBe(1);
  // Without the call of the tab, it would take 25 seconds.
  expect(performance.now() - leftAt).toBeLessThan(20_000);
  await openEditor(grace);
  await expect.poll(count).toBe(2);
  await grace.page.close();
  const closedAt = performance.now();
  await expect.poll(count).toBe(1);
  expect(performance.now() - closedAt).toBeLessThan(20_000);
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
