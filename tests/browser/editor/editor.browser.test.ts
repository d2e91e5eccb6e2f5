import { randomUUID } from 'node:crypto';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hold } from '../../insight/insight-conversations.ts';
import { qrCode } from '../../../services/gateway/src/http/answer/qr-code.ts';
import { npsBot as nps } from '../../conversations/sample-bots.ts';
import { openPublishing, openStage, replaceText, signIn, type Stage } from '../console/console-stage.ts';
import { cardOf } from './steps-view.ts';
import { lookAt } from '../screenshots.ts';
import { desktop, openBrowser, openTab } from '../tab.ts';

// The editor of bots, beside the tasks of the console: preview and completion.

const npsBot = nps as Record<string, unknown>;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Definition of the bot' });
const iframeOf = (page: Page) => page.locator('iframe[title="Preview of the conversation"]');
const frameOf = (page: Page) => iframeOf(page).contentFrame();
/** Clicks in the preview. Its page does not scroll the screen around it. */
async function clickInFrame(page: Page, name: string): Promise<void> {
  await frameOf(page).getByRole('button', { name }).waitFor();
  await iframeOf(page).scrollIntoViewIfNeeded();
  await frameOf(page).getByRole('button', { name }).click();
}

async function openEditor(page: Page, role?: 'owner' | 'viewer'): Promise<void> {
  await signIn(page, stage, role);
  await page.goto(stage.address(`/bots/${stage.place.botId}/edit?view=source`));
  await editorOf(page).waitFor();
}

test('the preview is the real page of the conversation, nothing is stored, and answers survive a change', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openEditor(page);
  const { client } = stage.place.workspace;
  const before = await client.interactions.list({ pageSize: 1 });
  const calls: string[] = [];
  page.on('request', (request) => {
    const frame: Frame | null = request.frame();
    if (frame !== page.mainFrame() && !request.isNavigationRequest()) calls.push(request.resourceType());
  });
  const frame = frameOf(page);
  await clickInFrame(page, 'Start');
  await frame.getByText('How likely are you to recommend').waitFor();
  await frame
    .getByRole('radio', { name: '9' })
    .or(frame.getByRole('button', { name: /^9/ }))
    .first()
    .click();
  await page.getByText('Answers: score').waitFor();
  await lookAt('console-editor-preview', tab);

  await replaceText(
    page,
    JSON.stringify(npsBot, undefined, 2).replaceAll('How likely are you', 'How probable is it for you'),
  );
  await frame.getByText('How probable is it for you').waitFor();
  await page.getByText('Answers: score').waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByText('Answers: score').waitFor({ state: 'hidden' });

  expect(new Set(calls)).toEqual(new Set(['script', 'stylesheet']));
  const after = await client.interactions.list({ pageSize: 1 });
  expect(after.meta.totalResults).toBe(before.meta.totalResults);
  expect(tab.faults).toEqual([]);
});

const inTwoLanguages = () => ({
  schemaVersion: 1,
  key: `tried-${randomUUID()}`,
  name: 'Tried',
  type: 'Feedback',
  steps: [
    { id: 'why', kind: 'ask', text: { en: 'Why?', de: 'Warum?' }, input: { type: 'longText' } },
    {
      id: 'again',
      kind: 'ask',
      text: { en: 'Again?', de: 'Wieder?' },
      input: { type: 'yesNo', labels: { yes: { en: 'Yes', de: 'Ja' }, no: { en: 'No', de: 'Nein' } } },
    },
    { id: 'bye', kind: 'end', text: { en: 'Bye!', de: 'Tschüss!' } },
  ],
});

test('a definition is tried from any step, in each language, on a phone, on a wide page and as an e-mail', async () => {
  const { id } = await stage.place.workspace.client.bots.create(inTwoLanguages());
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit?preview=no`));
  await page.getByRole('button', { name: 'Try from step 2' }).click();
  const frame = frameOf(page);
  await clickInFrame(page, 'Start');
  await frame.getByText('Again?').waitFor();
  expect(await frame.getByText('Why?').count()).toBe(0);
  const main = page.getByRole('main');
  await expect.poll(() => main.getByLabel('Begins with').inputValue()).toBe('again');

  const widthOf = () => iframeOf(page).evaluate((element) => element.clientWidth);
  await expect.poll(widthOf).toBe(360);
  await main.getByRole('button', { name: 'Wide page' }).click();
  await expect.poll(widthOf).toBeGreaterThan(400);
  await lookAt('console-editor-wide', tab);
  await page.setViewportSize(desktop);
  await main.getByRole('button', { name: 'Phone', exact: true }).click();
  // The same conversation.
  await clickInFrame(page, 'Yes');
  await page.getByText('Answers: again').waitFor();
  await main.getByLabel('Language').selectOption('de');
  await frame.getByText('Wieder?').waitFor();
  await frame.getByText('Tschüss!').waitFor();

  await main.getByRole('button', { name: 'E-mail', exact: true }).click();
  const block = main.getByRole('region', { name: 'The block as it looks' });
  await block.getByText('Wieder?').waitFor();
  await block.getByText('Nein', { exact: true }).waitFor();
  await lookAt('console-editor-email', tab);
  await main.getByLabel('Begins with').selectOption({ label: 'The first step' });
  await main.getByText('An e-mail cannot have the first question').waitFor();
  await main.getByRole('button', { name: 'Phone', exact: true }).click();
  await clickInFrame(page, 'Beginnen');
  await frame.getByText('Warum?').waitFor();
  expect(tab.faults).toEqual([]);
});

test('the live version is tried on its page as a test, with a code for a phone, and the draft is said to wait', async () => {
  const { client } = stage.place.workspace;
  const plain = inTwoLanguages();
  const { id } = await client.bots.create(plain);
  await client.bots.saveDraft(id, { definition: { ...plain, name: 'Later' } }, { ifNoneMatch: '*' });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit`));
  await page.getByRole('button', { name: 'Try on a real page…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It has the live version 1. The draft is not live yet').waitFor();
  await dialog.getByRole('button', { name: 'Create the test' }).click();
  const drawing = dialog.getByRole('img', { name: 'QR code: test' });
  await drawing.waitFor();
  await lookAt('console-editor-real-page', tab);
  const [made] = (await client.interactions.list({ botId: id, isTest: true })).data;
  const link = await dialog.getByRole('link', { name: 'Open as the customer' }).getAttribute('href');
  expect(link).toBe(made?.link);
  // The service's tests read the same drawing as a camera does.
  const code = String(qrCode(link ?? '', 'svg').content);
  expect(code).toContain(`viewBox="${await drawing.getAttribute('viewBox')}"`);
  expect(code).toContain(`<path d="${await drawing.locator('path').getAttribute('d')}"/>`);
  await page.goto(link ?? '');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Why?').waitFor();
  expect(tab.faults).toEqual([]);
});

test('a preview that cannot be loaded says so, and is loaded again', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await page.route('**/console/preview/**', (route) => route.abort());
  await openEditor(page);
  const alert = page.getByRole('alert').filter({ hasText: 'The preview could not be loaded.' });
  await alert.waitFor();
  await lookAt('console-editor-no-preview', tab);
  await page.unroute('**/console/preview/**');
  const script = /\/landing[^/]*\.js/;
  await page.route(script, (route) => route.abort());
  const asked = page.waitForRequest(script);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await alert.waitFor();
  await page.unroute(script);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await frameOf(page).getByRole('button', { name: 'Start' }).waitFor();
});

test('the editor completes what the schema allows', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openEditor(page);
  await replaceText(page, '{"steps": [{"id": "a", "kind": "say", ');
  await page.keyboard.type('"ne');
  await page.getByRole('option', { name: '"next"' }).click();
  await expect.poll(() => editorOf(page).innerText()).toContain('"next": ');
});

const plainBot = (key: string) => ({
  schemaVersion: 1,
  key,
  name: 'Kept',
  type: 'Feedback',
  steps: [
    { id: 'how', kind: 'ask', text: 'How was it?', input: { type: 'text' } },
    { id: 'bye', kind: 'end' },
  ],
});
// In another layout than the console's.
const textOf = (definition: object): string => JSON.stringify(definition, undefined, 4);

test('a text is kept until it is published or discarded, and the editor is on the version of now', async () => {
  const { client } = stage.place.workspace;
  const plain = plainBot(`kept-${randomUUID()}`);
  const { id } = await client.bots.create(plain);
  await client.bots.publishVersion(id, { definition: { ...plain, name: 'Kept, second' } });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit?version=1&view=source`));
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await replaceText(page, textOf({ ...plain, key: 'other' }));
  await page.getByRole('button', { name: /^Fault.*The key of this bot stays\. Write “kept-/ }).waitFor();
  expect(await page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['"other"']);
  // A reload while it is being saved would meet it as the text of another editor.
  await isSaved(page);

  const better = textOf({ ...plain, name: 'Kept, third' });
  await replaceText(page, better);
  await page.getByText('no faults').waitFor();
  await page.reload();
  await page.getByText('This is your text, which is not published. It began from version 1.').waitFor();
  await expect.poll(() => editorOf(page).innerText()).toContain('Kept, third');
  await lookAt('console-editor-kept', tab);
  await page.getByRole('link', { name: 'Versions', exact: true }).click();
  await page.goto(stage.address(`/bots/${id}/edit?version=1&view=source`));
  await expect.poll(() => editorOf(page).innerText()).toContain('Kept, third');

  await openPublishing(page);
  await page.getByText('No conversation has finished yet').waitFor();
  await publish.click();
  await page.getByText('Version 3 is live').waitFor();
  await page.getByRole('heading', { name: 'Definition, from version 3' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByText('● changed').waitFor({ state: 'hidden' });
  await openPublishing(page);
  await expect
    .poll(() => publish.getAttribute('title'))
    .toBe('The definition is the same as the live version.');
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).search).toBe('?view=source');

  await replaceText(page, textOf({ ...plain, name: 'Kept, fourth' }));
  await page.getByText('● changed').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => editorOf(page).innerText()).toContain('Kept, third');
  await page.reload();
  await expect.poll(() => editorOf(page).innerText()).toContain('Kept, third');
  await expect.poll(() => page.getByText('This is your text').count()).toBe(0);
  expect(tab.faults).toEqual([]);
});

test('a tab forgets only its own text of a bot, and asks before it is left when another one is kept', async () => {
  const plain = plainBot(`tabs-${randomUUID()}`);
  const { id } = await stage.place.workspace.client.bots.create(plain);
  await using tab = await openBrowser();
  const { page, context } = tab;
  await signIn(page, stage);
  const { page: other } = await openTab(context);
  for (const one of [page, other]) {
    // Only the browser keeps a text then.
    await one.route('**/draft', (route) => route.abort());
    await one.goto(stage.address(`/bots/${id}/edit?view=source`));
    await editorOf(one).waitFor();
  }
  const kept = () =>
    page.evaluate((botId) => {
      const [, draft = ''] = Object.entries(localStorage).find(([key]) => key.endsWith(botId)) ?? [];
      return draft;
    }, id);
  const discard = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('● changed').waitFor({ state: 'hidden' });
  };
  await replaceText(page, textOf({ ...plain, name: 'Of the first tab' }));
  await expect.poll(kept).toContain('Of the first tab');
  await replaceText(other, textOf({ ...plain, name: 'Of the other tab' }));
  await expect.poll(kept).toContain('Of the other tab');
  const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());
  await page.getByRole('link', { name: 'Versions', exact: true }).click();
  await asked;
  await discard();
  expect(await kept()).toContain('Of the other tab');

  await replaceText(page, textOf({ ...plain, name: 'Of the first tab again' }));
  await expect.poll(kept).toContain('Of the first tab again');
  await discard();
  await expect.poll(kept).toContain('Of the other tab');
  await other.reload();
  await expect.poll(() => editorOf(other).innerText()).toContain('Of the other tab');
});

const isSaved = (page: Page) => page.getByText('Saved as the draft').waitFor();
const draftOf = async (id: string) => {
  const { client } = stage.place.workspace;
  const { data } = await client.bots.listDrafts();
  return data.some(({ botId }) => botId === id) ? (await client.bots.getDraft(id)).definition : undefined;
};

test('a text is saved as the draft within two seconds, and found in another browser', async () => {
  const plain = plainBot(`drafted-${randomUUID()}`);
  const { id } = await stage.place.workspace.client.bots.create(plain);
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit?view=source`));
  await replaceText(page, textOf({ ...plain, name: 'Drafted' }));
  await isSaved(page);
  expect(await draftOf(id)).toMatchObject({ name: 'Drafted' });
  await replaceText(page, '{"name": ');
  await page.getByText('Not JSON: kept in this browser only').waitFor();
  expect(await draftOf(id)).toMatchObject({ name: 'Drafted' });
  await page.close();

  await using elsewhere = await openBrowser();
  await signIn(elsewhere.page, stage);
  await elsewhere.page.goto(stage.address('/bots'));
  const card = elsewhere.page.getByRole('listitem').filter({ hasText: 'Kept' }).filter({ hasText: 'Draft' });
  await card.first().waitFor();
  await elsewhere.page.goto(stage.address(`/bots/${id}/edit?view=source`));
  await expect.poll(() => editorOf(elsewhere.page).innerText()).toContain('Drafted');
  await lookAt('console-editor-saved', elsewhere);
  await elsewhere.page.getByRole('button', { name: 'Discard changes' }).click();
  await elsewhere.page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => draftOf(id)).toBeUndefined();
  await expect.poll(() => editorOf(elsewhere.page).innerText()).toContain('"Kept"');
  expect([tab.faults, elsewhere.faults]).toEqual([[], []]);
});

test('without a network, and after the tab is closed, nothing is lost: it is saved as soon as it can be', async () => {
  const plain = plainBot(`offline-${randomUUID()}`);
  const { id } = await stage.place.workspace.client.bots.create(plain);
  await using tab = await openBrowser();
  const { page, context } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit?view=source`));
  await editorOf(page).waitFor();
  await context.setOffline(true);
  await replaceText(page, textOf({ ...plain, name: 'Typed offline' }));
  await page.getByText('Not saved, kept in this browser.').waitFor();
  const kept = await page.evaluate((botId) => {
    const [, draft = ''] = Object.entries(localStorage).find(([key]) => key.endsWith(botId)) ?? [];
    return draft;
  }, id);
  expect(kept).toContain('Typed offline');
  await page.close();
  await context.setOffline(false);
  const { page: next } = await openTab(context);
  await next.goto(stage.address(`/bots/${id}/edit?view=source`));
  await expect.poll(() => editorOf(next).innerText()).toContain('Typed offline');
  await isSaved(next);
  expect(await draftOf(id)).toMatchObject({ name: 'Typed offline' });
});

test('an answer that is lost, a reload while a text is saved and what is undone then are no conflict, and lose nothing', async () => {
  const plain = plainBot(`lossy-${randomUUID()}`);
  const { id } = await stage.place.workspace.client.bots.create(plain);
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit?view=source`));
  await editorOf(page).waitFor();
  const named = (name: string): string => textOf({ ...plain, name });
  const conflict = page.getByText('saved another text');
  let losesAnswers = true;
  await page.route('**/draft', async (route) => {
    if (!losesAnswers || route.request().method() !== 'PUT') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await replaceText(page, named('Whose answer is lost'));
  await page.getByText('Not saved, kept in this browser.').waitFor();
  expect(await draftOf(id)).toMatchObject({ name: 'Whose answer is lost' });
  losesAnswers = false;
  await replaceText(page, named('Typed since'));
  // The text before may be saved first: the editor repeats its call after a while.
  await expect.poll(() => draftOf(id)).toMatchObject({ name: 'Typed since' });
  await isSaved(page);

  losesAnswers = true;
  await replaceText(page, named('On its way'));
  await page.getByText('Not saved, kept in this browser.').waitFor();
  await replaceText(page, named('Typed before the reload'));
  const kept = () => page.evaluate(() => JSON.stringify(localStorage));
  await expect.poll(kept).toContain('Typed before the reload');
  losesAnswers = false;
  await page.reload();
  await expect.poll(() => editorOf(page).innerText()).toContain('Typed before the reload');
  await isSaved(page);
  expect(await draftOf(id)).toMatchObject({ name: 'Typed before the reload' });

  losesAnswers = true;
  await replaceText(page, textOf(plain));
  await page.getByText('Not saved, kept in this browser.').waitFor();
  losesAnswers = false;
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await expect.poll(() => draftOf(id)).toBeUndefined();
  expect(await conflict.count()).toBe(0);
});

test('a session that ends while somebody types is renewed, and what was typed is saved', async () => {
  const plain = plainBot(`expired-${randomUUID()}`);
  const { id } = await stage.place.workspace.client.bots.create(plain);
  await using tab = await openBrowser();
  const { page, context } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit`));
  const text = page.getByRole('textbox', { name: 'Text', exact: true }).first();
  await text.waitFor();
  const cookies = await context.cookies();
  await context.clearCookies();
  await text.fill('Typed without a session');
  const over = page.getByRole('alertdialog', { name: 'Your session has ended' });
  await over.waitFor();
  await context.addCookies(cookies);
  await over.waitFor({ state: 'hidden' });
  await isSaved(page);
  expect(await draftOf(id)).toMatchObject({ steps: [{ text: 'Typed without a session' }, {}] });
  expect(await text.innerText()).toBe('Typed without a session');
});

test('of two editors each keeps its text, sees who has saved the other one, and decides', async () => {
  const { client, apiKey } = stage.place.workspace;
  const plain = plainBot(`two-${randomUUID()}`);
  const { id } = await client.bots.create(plain);
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/edit?view=source`));
  await replaceText(page, textOf({ ...plain, name: 'Mine' }));
  await isSaved(page);
  await client.bots.saveDraft(id, { definition: { ...plain, name: 'Theirs' } }, { ifMatch: '*' });
  const alert = page.getByRole('alert').filter({ hasText: 'works on this bot too' });
  await alert.filter({ hasText: apiKey }).waitFor();
  await replaceText(page, textOf({ ...plain, name: 'Mine again' }));
  await page.getByLabel('Show the difference to the other text').check();
  await expect
    .poll(() => page.locator('.cm-deletedChunk').allInnerTexts())
    .toEqual([expect.stringContaining('Theirs')]);
  await lookAt('console-editor-conflict', tab);
  await page.setViewportSize(desktop);
  await page.getByLabel('Show the difference to version 1').check();
  await expect
    .poll(() => page.locator('.cm-deletedChunk').allInnerTexts())
    .toEqual([expect.stringContaining(plain.name)]);
  expect(await draftOf(id)).toMatchObject({ name: 'Theirs' });
  await page.reload();
  await alert.waitFor();
  expect(await editorOf(page).innerText()).toContain('Mine again');
  await alert.getByRole('button', { name: 'Keep my text' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep my text' }).click();
  await isSaved(page);
  expect(await draftOf(id)).toMatchObject({ name: 'Mine again' });

  await client.bots.saveDraft(id, { definition: { ...plain, name: 'Theirs again' } }, { ifMatch: '*' });
  await replaceText(page, textOf({ ...plain, name: 'Mine, late' }));
  await alert.getByRole('button', { name: 'Take the other text' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take the other text' }).click();
  await expect.poll(() => editorOf(page).innerText()).toContain('Theirs again');
  await openPublishing(page);
  await page.getByText('No conversation has finished yet').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Version 2 is live').waitFor();
  expect(await draftOf(id)).toBeUndefined();
});

test('a new bot begins with a template, whose words are shown first', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/bots'));
  await page.getByRole('button', { name: 'New bot' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Begin with').selectOption({ label: 'Cancellation survey' });
  await dialog.getByText('What is the main reason for your decision?').waitFor();
  await lookAt('console-new-bot-template', tab);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'New bot' }).click();
  const reason = cardOf(page, 2).getByRole('textbox', { name: 'Text', exact: true });
  await expect.poll(() => reason.innerText()).toBe('What is the main reason for your decision?');
  expect(tab.faults).toEqual([]);
});

test('the proof shows other texts and other values, and equal cases as one', async () => {
  const customerId = `c-${randomUUID()}`;
  await hold(stage.place, { customerId, answers: [3, 'It was late.', false] });
  await using tab = await openBrowser();
  const { page } = tab;
  await openEditor(page);
  const ways = page.getByRole('list', { name: 'Conversations that go differently' }).getByRole('listitem');
  const reworded = JSON.stringify(npsBot).replaceAll('How likely are you', 'How probable is it for you');
  await replaceText(page, reworded);
  await page.getByText('no faults').waitFor();
  await openPublishing(page);
  await page.getByText(/\d go differently$/).waitFor();
  await ways.getByText(/^\d conversations$/).waitFor();
  await expect.poll(() => ways.count()).toBe(1);
  await ways.getByText('another text').waitFor();
  await ways.getByText('How likely are you').waitFor();
  await ways.getByText('How probable is it for you').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await replaceText(page, JSON.stringify(npsBot).replaceAll('answers.score >= 9', 'answers.score >= 2'));
  await page.getByText('no faults').waitFor();
  await openPublishing(page);
  await page.getByText(/\d go differently$/).waitFor();
  await ways.getByText('nps_segment has another value').waitFor();
  await ways.getByText('− detractor').waitFor();
  await ways.getByText('+ promoter').waitFor();
  await lookAt('console-editor-proof-ways', tab);
});

test('a viewer may read and try the definition, discards it, and sees which scope is missing to publish', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openEditor(page, 'viewer');
  await frameOf(page).getByRole('button', { name: 'Start' }).waitFor();
  const real = page.getByRole('button', { name: 'Try on a real page…' });
  await expect.poll(() => real.getAttribute('title')).toBe('You need the scope interactions:write for this.');
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await openPublishing(page);
  await expect.poll(() => publish.getAttribute('title')).toBe('You need the scope bots:write for this.');
  await page.keyboard.press('Escape');
  await replaceText(page, textOf({ ...plainBot('tried'), name: 'Only tried' }));
  await expect.poll(() => editorOf(page).innerText()).toContain('Only tried');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  // The bot may have a draft of another test, which is opened then.
  await expect.poll(() => editorOf(page).innerText()).not.toContain('Only tried');
  await page.getByRole('button', { name: 'Hide preview' }).click();
  await page.locator('iframe').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('preview')).toBe('no');
});

test('the difference of two versions names the conditions that no longer hold', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { client } = stage.place.workspace;
  const ask = (values: string[]) => ({
    id: 'plan',
    kind: 'ask',
    text: 'Which plan?',
    input: { type: 'choice', choices: values.map((value) => ({ value, label: value })) },
    next: [{ if: "answers.plan == 'gold'", goto: 'bye' }, { else: 'bye' }],
  });
  const definition = (values: string[]) => ({
    schemaVersion: 1,
    key: 'plans',
    name: 'Plans',
    type: 'Feedback',
    steps: [ask(values), { id: 'bye', kind: 'end' }],
  });
  const { id } = await client.bots.create(definition(['gold', 'silver']));
  await client.bots.publishVersion(id, { definition: definition(['silver', 'bronze']) });
  await signIn(page, stage);
  await page.goto(stage.address(`/bots/${id}/versions?left=1&right=2`));
  const lost = page.getByRole('region', { name: 'Conditions that no longer hold' });
  await lost.getByText('Which plan? · Way on 1, condition:').waitFor();
  expect(tab.faults).toEqual([]);
});
