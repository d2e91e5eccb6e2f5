import { afterAll, beforeAll, expect, test } from 'vitest';
import { pressUntil } from './keyboard.ts';
import { keyboard, mouse } from './widget/replies.ts';
import { openShop, type Shop } from './widget/shop.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { openBrowser, openTab } from './tab.ts';
import { widgetOf } from './widget.ts';

// The page of a link.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('openings by a real browser with scripts, also in two tabs at once, do not change the interaction', async () => {
  const made = await shop.create('scanned', { expiry: 5_000 });
  const before = await shop.workspace.api.get(`/interactions/${made.id}`);
  await using tab = await openBrowser();
  const pages = [tab.page, (await openTab(tab.context)).page];
  await Promise.all(
    pages.map(async (page) => {
      for (let opening = 0; opening < 2; opening += 1) {
        await page.goto(made.link);
        await widgetOf(page).button('Start').waitFor();
      }
    }),
  );
  const after = await shop.workspace.api.get(`/interactions/${made.id}`);
  expect(after.body.data).toEqual(before.body.data);
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  expect(after.body.data).toMatchObject({ status: 'Pending', data: null });
});

test('before it is available, the page says from when, in the language and the time zone of the browser', async () => {
  const availableFrom = '2027-01-15T08:00:00Z';
  const { id, link } = await shop.create('later', { availableFrom });
  await using tab = await openBrowser({ locale: 'de-DE', timezoneId: 'America/New_York' });
  const widget = widgetOf(tab.page);
  await tab.page.goto(link);
  await widget.shows('Sie können ab 15. Januar 2027');
  await widget.shows('03:00 GMT-5 antworten.');
  expect(await widget.button('Beginnen').count()).toBe(0);
  await shop.workspace.api.patch(`/interactions/${id}`, { availableFrom: null });
  await tab.page.reload();
  await widget.button('Beginnen').click();
  await widget.botSays('How likely');
  expect(tab.faults).toEqual([]);
});

test('a click starts the conversation, which is completed without a violation of the policy', async () => {
  const { id, link } = await shop.create('linked');
  await using tab = await openBrowser();
  const { page } = tab;
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  const widget = widgetOf(page);
  await page.goto(link);
  await widget.shows('NPS follow-up');
  expect(await page.title()).toContain('NPS follow-up');
  await widget.button('Start').click();
  await widget.botSays('How likely');
  expect((await shop.read(id)).status).toBe('InProgress');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  await mouse.reply(page, 'skip');
  await widget.shows('All done');
  await expect.poll(() => page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
  const said = widget.log.locator('.customer .bubble');
  await said.nth(1).waitFor();
  expect(await said.allTextContents()).toEqual(['9/10', 'Skipped']);
  // Who comes later with the URL may be somebody else.
  await page.reload();
  await widget.shows('Already answered');
  await expect.poll(() => widget.entries.count()).toBe(0);
  expect((await shop.read(id)).status).toBe('Completed');
  expect([...origins]).toEqual([new URL(link).origin]);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  expect(await tab.context.cookies()).toEqual([]);
  expect(tab.faults).toEqual([]);
});

test('a completed link shows the transcript if the bot says so; answers keep their meaning', async () => {
  const definition = Object.assign({}, npsBot, { key: 'shown', showTranscript: true });
  const { body } = await shop.workspace.api.post<{ id: string }>('/bots', definition);
  const { link } = await shop.create('reads it again', { botId: body.data.id });
  await using tab = await openBrowser();
  const widget = widgetOf(tab.page);
  await tab.page.goto(link);
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await mouse.reply(tab.page, { choose: '9' });
  await widget.botSays('main reason');
  await mouse.reply(tab.page, 'skip');
  await widget.shows('All done');
  await tab.page.reload();
  await widget.shows('Already answered');
  expect(await widget.log.locator('.customer .bubble').allTextContents()).toEqual(['9/10', 'Skipped']);
});

test('the bot’s first words replace the text for pages without scripts; the card keeps its height', async () => {
  const { link } = await shop.create('is invited');
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(link);
  await widget.botSays('Hi there! Do you have a minute?');
  expect([await page.locator('main').count(), await page.locator('h1').count()]).toEqual([1, 1]);
  const before = await widget.panel.boundingBox();
  await widget.button('Start').click();
  await widget.botSays('How likely');
  expect(await widget.panel.boundingBox()).toEqual(before);
});

test('a conversation that has begun waits for a click, and then continues', async () => {
  const { link } = await shop.create('comes back');
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(link);
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '8' });
  await widget.botSays('main reason');
  await page.reload();
  await widget.button('Continue').waitFor();
  await expect.poll(() => widget.field.count()).toBe(0);
  await widget.button('Continue').click();
  await widget.botSays('main reason');
  await widget.field.waitFor();
});

test('the whole conversation works with the keyboard alone', async () => {
  const { id, link } = await shop.create('by keys');
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(link);
  await widget.button('Start').waitFor();
  await pressUntil(page, 'Tab', ({ name }) => name === 'Start', 4);
  await page.keyboard.press('Enter');
  await widget.botSays('How likely');
  await keyboard.reply(page, { choose: '7' });
  await widget.botSays('main reason');
  await keyboard.reply(page, { write: 'Fine.' });
  await widget.shows('All done');
  expect((await shop.read(id)).status).toBe('Completed');
});

test('a closed conversation shows its state, and has no field; an unknown link looks like one of a draft', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { panel, shows } = widgetOf(page);
  const linkOf = async (status: string): Promise<string> =>
    (await shop.create(`is ${status}`, { status })).link;
  const draft = await linkOf('Draft');
  const looks: (string | null)[] = [];
  for (const [link, words] of [
    [await linkOf('Completed'), 'Already answered'],
    [await linkOf('Expired'), 'This conversation has expired'],
    [draft, 'This conversation is not available'],
    [draft.replace(/\w{6}$/, 'AAAAAA'), 'This conversation is not available'],
  ] as const) {
    await page.goto(link);
    await shows(words);
    expect(await panel.locator('button, input, textarea').count(), words).toBe(0);
    looks.push(await panel.textContent());
  }
  expect(looks[3]).toBe(looks[2]);
});

test('without a connection it shows that, and continues automatically or by a click', async () => {
  const { link } = await shop.create('unplugged');
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  let isThere = false;
  const clicked = Promise.withResolvers<void>();
  await page.route('**/public/v1/**', async (route) => {
    if (!isThere) return route.abort('internetdisconnected');
    // It also retries automatically, and the answer to that removes the button.
    await clicked.promise;
    return route.fallback();
  });
  await page.goto(link);
  await widget.shows('No connection');
  isThere = true;
  await widget.button('Try again').click();
  clicked.resolve();
  await widget.button('Start').waitFor();
});

test('without scripts it shows its state', async () => {
  await using tab = await openBrowser({ javaScriptEnabled: false });
  for (const [status, words] of [
    ['Pending', 'ready to begin'],
    ['InProgress', 'can be continued'],
    ['Completed', 'completed'],
    ['Expired', 'expired'],
  ] as const) {
    const { link } = await shop.create(`without scripts ${status}`, { status });
    await tab.page.goto(link);
    await expect.poll(() => tab.page.locator('h1').innerText()).toBe('NPS follow-up');
    await expect.poll(() => tab.page.locator('body').innerText()).toContain(words);
  }
});
