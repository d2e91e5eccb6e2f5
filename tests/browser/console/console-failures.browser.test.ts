import { eventually } from '@parley/testing/eventually';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLink } from '../../people/console-people.ts';
import { screens, withoutQuery } from './console-screens.ts';
import { openOverview, openStage, replaceText, signIn, type Stage } from './console-stage.ts';
import { lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';

// What fails around a page: a script that is not loaded, a session that ends, an address that makes no sense.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const again = (page: Page) => page.getByRole('alert').getByText(/^(?:Try again|Reload the page)$/);

/** Opens a page without some of its files, and then retries with them. */
async function openWithout(page: Page, files: RegExp, open: () => Promise<unknown>): Promise<void> {
  await page.route(files, (route) => route.abort());
  await open();
  await again(page).waitFor();
  await page.unroute(files);
  await again(page).click();
}

const signInLink = async (name: string): Promise<string> => {
  const { baseUrl, workspace } = stage.place;
  const code = await createLink(inject('operator'), workspace.id, 'owner', name);
  return `${baseUrl}/console/sign-in/link#${code}`;
};

test('a page whose first script is not loaded says so, and opens at the second try with the same address', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { client, id } = stage.place.workspace;
  const screens = page.getByRole('navigation', { name: 'Screens' });
  const link = await signInLink('Olga Operator');
  await openWithout(page, /\/sign-in\.js/, () => page.goto(link));
  await screens.waitFor();

  await page.route(/\/files\/main-/, (route) => route.abort());
  await page.goto(stage.address('/bots'));
  await lookAt('console-no-script', tab);
  await page.unroute(/\/files\/main-/);
  await again(page).click();
  await page.getByRole('heading', { name: 'Bots' }).waitFor();

  // The code of a link stays in the address until it is used.
  const { url } = await client.webhooks.portalLinks.create({ name: 'Shop team' });
  await openWithout(page, /\/files\/main-/, () => page.goto(url));
  await page.getByText('Last success').first().waitFor();
  const { link: landing } = await client.interactions.create({
    customerId: 'waits',
    botId: stage.place.botId,
    status: 'Pending',
  });
  await page.route(/\/landing[^/]*\.js/, (route) => route.abort());
  await page.goto(landing);
  await lookAt('landing-no-script', tab);
  await page.unroute(/\/landing[^/]*\.js/);
  await again(page).click();
  await page.getByRole('button', { name: 'Start' }).waitFor();

  const portal = `${stage.place.baseUrl}/console/portal/${id}`;
  await openWithout(page, /\/files\/router-/, () => page.goto(portal));
  await page.getByText('Last success').first().waitFor();
  const { url: next } = await client.webhooks.portalLinks.create({ name: 'Another team' });
  await openWithout(page, /\/files\/router-/, () => page.goto(next));
  await page.getByText('Another team').first().waitFor({ state: 'attached' });
  // Also when the server does not answer, and the page is loaded again. Then no entry of the history has it.
  const { url: last } = await client.webhooks.portalLinks.create({ name: 'The last team' });
  const isPage = (address: URL): boolean => address.pathname === new URL(last).pathname;
  await page.route(isPage, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.goto(last);
  await again(page).waitFor();
  expect(page.url()).toContain('#prl_plk_');
  await page.unroute(isPage);
  await page.reload();
  await page.getByText('The last team').first().waitFor({ state: 'attached' });
  await page.waitForURL((address) => address.hash === '');
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByText('Deliveries').first().waitFor();
  await page.goBack();
  await page.getByText('Last success').first().waitFor();
  expect(new URL(page.url()).hash).toBe('');

  // Without any script, the style sheet says it after a while.
  await openWithout(page, /\.js$/, () => page.goto(stage.address('/bots')));
  await page.getByRole('heading', { name: 'Bots' }).waitFor();
});

test('a screen, a window or the words of a language that are not loaded say so, and what is around stays', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  const words = page.getByText('A part of the console could not be loaded.');
  await openWithout(page, /\/files\/settings-/, async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await words.waitFor();
    await lookAt('console-no-screen', tab);
    await page.setViewportSize(desktop);
  });
  await page.getByRole('heading', { name: 'Settings' }).waitFor();

  await page.route(/\/files\/help-/, (route) => route.abort());
  const name = page.getByLabel('Name that customers see');
  await name.fill('Not saved yet');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await words.waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await words.waitFor({ state: 'hidden' });
  await expect.poll(() => name.inputValue()).toBe('Not saved yet');

  // Reloading would lose the text, so it asks.
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const questions: string[] = [];
  page.once('dialog', async (dialog) => {
    questions.push(dialog.message());
    await dialog.dismiss();
  });
  await again(page).click();
  await expect.poll(() => questions).toEqual(['Reload the page? What you have typed and not saved is lost.']);
  await expect.poll(() => name.inputValue()).toBe('Not saved yet');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('The settings are saved').waitFor();
  await page.unroute(/\/files\/help-/);
  page.once('dialog', (dialog) => dialog.accept());
  await again(page).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await expect.poll(() => name.inputValue()).toBe('Not saved yet');
  await page.keyboard.press('Escape');

  await page.route(/\/files\/de-/, (route) => route.abort());
  await page.getByLabel('Language').selectOption('de');
  await words.waitFor();
  await page.unroute(/\/files\/de-/);
  page.once('dialog', (dialog) => dialog.accept());
  await again(page).click();
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
});

test('a state that is not known yet is shown as unknown', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.route(/\/stats$/, (route) => route.abort());
  for (const path of ['', '/webhooks', `/webhooks/${stage.webhookId}`]) {
    await page.goto(stage.address(path));
    await page.getByText('State not known yet').first().waitFor();
    await expect.poll(() => page.getByText('On', { exact: true }).count()).toBe(0);
  }
  // A filter is not shown as none until the names of its values have come.
  await page.route(/\/bots\?|\/bots$/, (route) =>
    route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
  );
  await page.goto(stage.address(`/interactions?bot=${stage.place.botId}`));
  const bot = page.getByRole('combobox', { name: 'Bot', exact: true });
  await expect.poll(() => bot.inputValue()).toBe(stage.place.botId);
});

/** Signs in in another tab, as the window of the ended session offers. */
async function signInElsewhere(context: BrowserContext, name: string): Promise<void> {
  const other = await context.newPage();
  await other.goto(await signInLink(name));
  const isSignedIn = other.getByRole('navigation', { name: 'Screens' });
  const proceed = other.getByRole('button', { name: 'Continue as the person of this link' });
  await isSignedIn.or(proceed).waitFor();
  if (await proceed.isVisible()) await proceed.click();
  await isSignedIn.waitFor();
  await other.close();
}

/** Ends the session in this browser. Returns what makes it go on, as the same person does by a provider. */
async function endSession(context: BrowserContext): Promise<() => Promise<void>> {
  const cookies = await context.cookies();
  await context.clearCookies();
  return () => context.addCookies(cookies);
}

test('a session that ends while forms are open is renewed in place, and nothing typed is lost', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  const { client } = stage.place.workspace;
  const over = page.getByRole('alertdialog', { name: 'Your session has ended' });
  const customerId = `typed-${Date.now()}`;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions'));
  await page.getByRole('button', { name: 'New interaction' }).click();
  const dialog = page.getByRole('dialog', { name: 'New interaction' });
  await dialog.getByLabel('Customer id').fill(customerId);
  // Else this read finds the session ended, and not the press of the button.
  await dialog.getByText('Nobody has this id yet', { exact: false }).waitFor();
  const signInAgain = await endSession(context);
  // Not a click, because a read in the background may find the session ended first: then a window is above the button.
  await dialog.getByRole('button', { name: 'New interaction' }).dispatchEvent('click');
  await over.waitFor();
  const link = over.getByRole('link', { name: 'Sign in again' });
  await expect.poll(() => link.getAttribute('target')).toBe('_blank');
  await lookAt('console-session-over', tab);
  await page.setViewportSize(desktop);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
  await over.waitFor();
  await signInAgain();
  await over.waitFor({ state: 'hidden' });
  await expect.poll(() => dialog.getByLabel('Customer id').inputValue()).toBe(customerId);
  await dialog.getByRole('button', { name: 'New interaction' }).click();
  await dialog.getByText(`The interaction of ${customerId} is ready.`).waitFor();
  expect((await client.interactions.list({ customerId })).meta.totalResults).toBe(1);

  // A form that is no window, when a read finds the session ended, and somebody else signs in.
  await page.goto(stage.address('/settings'));
  const name = page.getByLabel('Name that customers see');
  await name.fill('Typed before');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await over.waitFor();
  await signInElsewhere(context, 'Grace');
  const other = page.getByRole('alertdialog', { name: 'Grace is signed in now' });
  await other.getByRole('button', { name: 'Continue as Grace' }).click();
  await other.waitFor({ state: 'hidden' });
  await expect.poll(() => name.inputValue()).toBe('Typed before');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('The settings are saved').waitFor();

  await page.goto(stage.address(`/bots/${stage.place.botId}/edit`));
  await replaceText(page, '{"typed": "before"}');
  const graceAgain = await endSession(context);
  // With the network, the list of versions is read again if it is some seconds old.
  await eventually(
    async () => {
      await page.evaluate(() => dispatchEvent(new Event('offline')));
      await page.evaluate(() => dispatchEvent(new Event('online')));
      expect(await over.isVisible()).toBe(true);
    },
    { everyMs: 1_000 },
  );
  await graceAgain();
  await over.waitFor({ state: 'hidden' });
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Definition of the bot' }).innerText())
    .toContain('before');
});

test('work goes on as another person only after a question, also of the same name or signed in without a sign-out', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/settings'));
  const name = page.getByLabel('Name that customers see');
  await name.fill('Of the first person');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
  await signInElsewhere(context, 'Olga Operator');
  const namesake = page.getByRole('alertdialog', { name: 'Olga Operator is signed in now' });
  await namesake.getByText('Two people can have the same name').waitFor();
  await lookAt('console-namesake', tab);
  await page.setViewportSize(desktop);
  await namesake.getByRole('button', { name: 'Continue as Olga Operator' }).click();
  await namesake.waitFor({ state: 'hidden' });
  await expect.poll(() => name.inputValue()).toBe('Of the first person');

  // Another tab replaces the session: no call of this one fails.
  await signInElsewhere(context, 'Grace');
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  const other = page.getByRole('alertdialog', { name: 'Grace is signed in now' });
  await other.waitFor();
  await expect.poll(() => page.getByText('Grace', { exact: true }).count()).toBe(0);
  await other.getByRole('button', { name: 'Continue as Grace' }).click();
  await other.waitFor({ state: 'hidden' });
  await expect.poll(() => name.inputValue()).toBe('Of the first person');
  await page.getByText('Grace', { exact: true }).first().waitFor({ state: 'attached' });

  // A text that the browser has kept says whose it is.
  const editor = stage.address(`/bots/${stage.place.botId}/edit`);
  await page.goto(editor);
  await replaceText(page, '{"typed": "by Grace"}');
  await signInElsewhere(context, 'Ada');
  await page.goto(editor);
  await page.getByText('This is the text of Grace, which is not published.').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('This is the text of Grace').waitFor({ state: 'hidden' });
});

test('a sign-in that takes long or gets no answer says so, and nothing that it offers loses its code', async () => {
  await using tab = await openBrowser({ locale: 'de-DE' });
  const { page } = tab;
  const { promise: isEnough, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/console/sign-in/link', async (route) => {
    if (route.request().method() === 'POST') await isEnough;
    await route.continue();
  });
  const isPost = (route: Route): boolean => route.request().method() === 'POST';
  const lost = async (route: Route): Promise<void> => (isPost(route) ? route.abort() : route.fallback());
  await page.route('**/console/sign-in/link', lost);
  await page.goto(await signInLink('Ada'));
  const retry = page.getByRole('button', { name: 'Noch einmal versuchen' });
  await retry.waitFor();
  await page.unroute('**/console/sign-in/link', lost);
  await retry.click();
  await page.getByText('Bitte warten Sie einen Moment.').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await expect.poll(() => page.locator('.late').count()).toBe(0);
  answer();
  await page.getByRole('navigation', { name: 'Bereiche' }).waitFor();
});

const nonsense = [
  '2026-13-45',
  '2026-02-30',
  'NaN',
  '-1',
  '1e99',
  '99999999999999999999',
  '\u0000%00\u202e🙈\ud800',
  '"><img src=x onerror=alert(1)>',
  '__proto__',
  'x'.repeat(3_000),
];

// It shows 150 screens, which takes minutes on a busy machine.
test('no value of a parameter breaks a screen', { timeout: 15 * 60_000 }, async () => {
  await using tab = await openBrowser();
  const { page, faults } = tab;
  await signIn(page, stage);
  for (const screen of screens) {
    if (!screen.parameters) continue;
    const [path, names] = [withoutQuery(screen.path(stage)), screen.parameters];
    await page.goto(stage.address(path));
    for (const index of nonsense.keys()) {
      const values = names.map((name, at) => [name, nonsense[(index + at) % nonsense.length] ?? '']);
      const query = new URLSearchParams([...values, ...values.slice(0, 1)]);
      await page.evaluate((address) => history.pushState({}, '', address), `${stage.address(path)}?${query}`);
      await settled(page, `${path} ${index}`);
    }
    // As a link from elsewhere, with what the screen shows left in the address.
    const window = names.includes('window') ? '&window=custom' : '';
    await page.goto(stage.address(`${path}?from=2026-13-45&to=0000-00-00&since=x&version=0&left=x${window}`));
    await settled(page, path);
    expect(new URL(page.url()).search.replace(/^\?window=custom(?:&tz=UTC)?$/, '')).toBe('');
  }
  for (const value of nonsense) {
    const id = encodeURIComponent(value.replace('\ud800', ''));
    for (const path of [`/interactions/${id}`, `/customers/${id}`, `/bots/${id}/edit`, `/webhooks/${id}`]) {
      await page.evaluate((address) => history.pushState({}, '', address), stage.address(path));
      await settled(page, path);
    }
  }
  for (const path of ['/customers/%E0%A4%A', '/bots/%', '/nowhere', '/%00']) {
    await page.goto(stage.address(path));
    await settled(page, path);
  }
  expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
});

/** Waits until the screen shows something, which is not the failure of the screen itself. */
async function settled(page: Page, what: string): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(
    () =>
      document.querySelector('main .animate-pulse, main [aria-busy=true]') === null &&
      document.body.innerText.trim() !== '',
  );
  const text = await page.locator('body').innerText();
  expect(text, what).not.toContain('Something in this page has failed');
}
