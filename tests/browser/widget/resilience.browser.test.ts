import { eventually } from '@parley/testing/eventually';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openBrowser as openSession, type Snapshot } from '../../conversations/conversation.ts';
import { expectAccessible } from '../inspect.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser, openTab, type Tab } from '../tab.ts';
import { type Widget, widgetOf } from '../widget.ts';

// A conversation continues despite faults of its page and its network, and beside another window.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** A conversation at the question for the score. */
async function startConversation(
  tab: Pick<Tab, 'page'>,
  customerId: string,
): Promise<{ id: string; widget: Widget; url: string }> {
  const { id } = await shop.create(customerId, { priority: 'Low' });
  const { url } = shop.visit({ customerId });
  const widget = widgetOf(tab.page);
  await tab.page.goto(url);
  await widget.launcher.click();
  await widget.button('Start').click();
  await widget.option('9').waitFor();
  return { id, widget, url };
}

/** Opens the conversation in another tab or browser. */
async function joined(page: Page, url: string): Promise<Widget> {
  const widget = widgetOf(page);
  await page.goto(url);
  await widget.launcher.click();
  await widget.option('9').waitFor();
  return widget;
}

interface Sent {
  clientMessageId: string;
  answer: unknown;
}

/** The page's posted messages so far. */
function watchMessages(page: Page): Sent[] {
  const sent: Sent[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/messages'))
      sent.push(request.postDataJSON() as Sent);
  });
  return sent;
}

async function saidIn(id: string): Promise<string[]> {
  const { data } = await shop.read(id);
  const { transcript } = JSON.parse(data ?? '{"transcript":[]}') as {
    transcript: { type: string; body: string }[];
  };
  return transcript.filter(({ type }) => type === 'customer').map(({ body }) => body);
}

test('an open panel reopens after a reload, with the same question, once', async () => {
  await using tab = await openBrowser();
  const { widget } = await startConversation(tab, 'reloads');
  await widget.option('4').click();
  await widget.botSays('What is the main reason');
  const before = await widget.log.locator('.bubble').allTextContents();
  await tab.page.reload();
  await widget.botSays('What is the main reason');
  expect(await widget.log.locator('.bubble').allTextContents()).toEqual(before);
  await widget.field.fill('It was late.');
  await widget.send.click();
  await widget.botSays('May we get in touch');
  expect(tab.faults).toEqual([]);
});

describe('two windows', () => {
  test.each(['tab of the same browser', 'browser'])(
    'an answer in one appears in another %s at once, without a further call there',
    async (which) => {
      await using tab = await openBrowser();
      await using other = which === 'browser' ? await openBrowser() : undefined;
      const { url, widget } = await startConversation(tab, `two of one: ${which}`);
      const second = other ?? (await openTab(tab.context));
      // Without news it would return after 25 seconds. The tabs of a browser share one, which the first has.
      const polled = other?.page.waitForRequest(/[?&]wait=25/);
      const twin = await joined(second.page, url);
      const poll = await polled;

      await widget.option('9').click();
      await widget.botSays('What is the main reason');
      const shownAt = Date.now();
      await twin.botSays('What is the main reason');
      expect(Date.now() - shownAt).toBeLessThan(15_000);
      // A tab of the same browser is notified by the other one, and polls again.
      if (poll) expect(await (await poll.response())?.text()).toContain('What is the main reason');
      expect(await twin.log.locator('.bubble').allTextContents()).toEqual(
        await widget.log.locator('.bubble').allTextContents(),
      );
      expect([...tab.faults, ...second.faults]).toEqual([]);
    },
  );

  test('seven visible pages of one browser share one long poll, and an answer in one appears in all', async () => {
    await using tab = await openBrowser();
    const longPolls = new Set<Request>();
    tab.context.on('request', (request) => {
      if (/[?&]wait=25/.test(request.url())) longPolls.add(request);
    });
    for (const event of ['requestfinished', 'requestfailed'] as const)
      tab.context.on(event as 'requestfinished', (request) => longPolls.delete(request));
    // The end of a request is not always reported when its page closes.
    const polling = (): Page[] =>
      [...longPolls].map((request) => request.frame().page()).filter((page) => !page.isClosed());
    const { url, widget } = await startConversation(tab, 'opens many windows');
    const pages: Page[] = [];
    const widgets = [widget];
    for (let opened = 0; opened < 6; opened += 1) {
      const { page } = await openTab(tab.context);
      pages.push(page);
      widgets.push(await joined(page, url));
    }
    await eventually(() => expect(polling()).toHaveLength(1));
    await widgets.at(-1)?.option('9').click();
    await Promise.all(widgets.map((one) => one.botSays('What is the main reason')));
    await eventually(() => expect(polling()).toHaveLength(1));
    // Each of the others takes it over.
    for (const page of [tab.page, ...pages.slice(0, -1)]) {
      await page.close();
      await eventually(() => expect(polling()).toHaveLength(1));
    }
  });

  test('concurrent answers: one wins, both show the same conversation, and no answer appears twice', async () => {
    await using tab = await openBrowser();
    await using other = await openBrowser();
    const { id, url, widget } = await startConversation(tab, 'races');
    const twin = await joined(other.page, url);
    const both = Promise.withResolvers<void>();
    let posts = 0;
    for (const { page } of [tab, other]) {
      await page.route('**/messages', async (route) => {
        posts += 1;
        if (posts === 2) both.resolve();
        await both.promise;
        return route.fallback();
      });
    }
    await Promise.all([widget.option('8').click(), twin.option('2').click()]);
    await Promise.all([widget.botSays('What is the main reason'), twin.botSays('What is the main reason')]);
    const said = await saidIn(id);
    expect(said).toHaveLength(1);
    expect(['8', '2']).toContain(said[0]);
    const texts = await widget.log.locator('.bubble').allTextContents();
    expect(await twin.log.locator('.bubble').allTextContents()).toEqual(texts);
  });

  test('an answer that waited while another window answered is not used for the next question', async () => {
    await using tab = await openBrowser();
    await using other = await openBrowser();
    const { id, url, widget } = await startConversation(tab, 'writes on');
    const twin = await joined(other.page, url);
    await widget.option('1').click();
    await Promise.all([widget.botSays('main reason'), twin.botSays('main reason')]);
    await other.context.setOffline(true);
    await twin.field.fill('Long words');
    await twin.send.click();
    await twin.shows('Not sent yet');
    await widget.field.fill('Short words');
    await widget.send.click();
    await widget.botSays('May we get in touch');
    await other.context.setOffline(false);
    await twin.botSays('May we get in touch');
    await expect.poll(() => twin.panel.locator('[aria-current]').count()).toBe(0);
    expect(await saidIn(id)).toEqual(['1', 'Short words']);
  });
});

test('an answer is in the transcript at once, above typing dots, and shares the time of its minute', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { id, widget } = await startConversation(tab, 'is not kept waiting');
  const seen = Promise.withResolvers<void>();
  await page.route('**/messages', async (route) => {
    await seen.promise;
    return route.fallback();
  });
  await widget.option('9').click();
  await expect.poll(() => widget.pending.locator('.bubble').textContent()).toBe('9/10');
  await expect.poll(() => widget.log.locator('.typing').count()).toBe(1);
  expect(await saidIn(id)).toEqual([]);
  seen.resolve();
  await widget.botSays('What is the main reason');
  await expect.poll(() => widget.log.locator('.customer').count()).toBe(1);
  const times = await widget.log.locator('time').allTextContents();
  expect(times).toEqual([...new Set(times)]);
});

describe('the network', () => {
  test('offline an answer stays in the transcript with a retry, and arrives once under the same id', async () => {
    await using tab = await openBrowser();
    const { page, context } = tab;
    const { id, widget } = await startConversation(tab, 'offline');
    const sent = watchMessages(page);
    await context.setOffline(true);
    await widget.option('9').click();
    await widget.shows('Not sent yet. It goes out as soon as you are online again.');
    await expect.poll(() => widget.pending.locator('.bubble').textContent()).toBe('9/10');
    await widget.button('Try again').click();
    await widget.shows('Not sent yet');
    expect(await saidIn(id)).toEqual([]);

    await context.setOffline(false);
    await widget.botSays('What is the main reason');
    await expect.poll(() => widget.field.inputValue()).toBe('');
    expect(await saidIn(id)).toEqual(['9']);
    expect(new Set(sent.map(({ clientMessageId }) => clientMessageId)).size).toBe(1);
  });

  test('an answer whose outcome was lost is sent again under its id and appears once', async () => {
    await using tab = await openBrowser();
    const { page } = tab;
    const { id, widget } = await startConversation(tab, 'lost reply');
    const sent = watchMessages(page);
    let losses = 0;
    await page.route('**/messages', async (route) => {
      if (losses > 0) return route.fallback();
      losses += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await widget.option('7').click();
    await widget.botSays('What is the main reason');
    await expect.poll(() => widget.field.inputValue()).toBe('');
    expect(await saidIn(id)).toEqual(['7']);
    await eventually(() => expect(sent.length).toBeGreaterThan(1));
    expect(new Set(sent.map(({ clientMessageId }) => clientMessageId)).size).toBe(1);
  });

  test('a conversation that is opened offline shows this, and loads when the connection is back', async () => {
    const customerId = 'opens offline';
    await shop.create(customerId, { priority: 'Low' });
    await using tab = await openBrowser();
    const { page, context } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId }).url);
    await widget.launcher.waitFor();
    await context.setOffline(true);
    await widget.launcher.click();
    await widget.shows('No connection');
    await widget.button('Try again').waitFor();
    await context.setOffline(false);
    await widget.button('Start').waitFor();
  });

  test('an open conversation shows above the question while there is no connection', async () => {
    await using tab = await openBrowser();
    const { page, context } = tab;
    const { widget } = await startConversation(tab, 'sees offline');
    await widget.launcher.click();
    await context.setOffline(true);
    await widget.launcher.click();
    await widget.shows('No connection');
    await expect.poll(() => widget.option('9').isVisible()).toBe(true);
    await context.setOffline(false);
    await page.locator('parley-widget .strip').waitFor({ state: 'detached' });
  });

  test('when the network is back news arrive at once, although the earlier call still hangs', async () => {
    const customerId = 'changes networks';
    await using tab = await openBrowser();
    const { page, context } = tab;
    let isGone = false;
    await page.route(/\/conversations\/[^/]+\?/, async (route) => {
      // A request on a dead connection gets neither an answer nor an end.
      if (!isGone) await route.fallback();
    });
    const { id, widget, url } = await startConversation(tab, customerId);
    // The former page polls no more; the next one follows the conversation again, over a dead connection.
    await page.goto('about:blank');
    isGone = true;
    const hangs = page.waitForRequest(/\/conversations\/[^/]+\?/);
    await page.goto(url);
    await hangs;
    await context.setOffline(true);
    isGone = false;
    await context.setOffline(false);
    await widget.option('9').waitFor();
    expect((await shop.read(id)).status).toBe('InProgress');
  });
});

describe('the server', () => {
  /** Answers calls as a server with a fault does, with a reference. */
  async function breakServer(page: Page, path: string | RegExp, status = 503): Promise<void> {
    await page.route(path, (route) =>
      route.fulfill({
        status,
        contentType: 'application/json',
        headers: { 'access-control-allow-origin': '*' },
        body: JSON.stringify({
          success: false,
          code: status,
          detail: 'Broken',
          data: null,
          meta: null,
          type: 'internal',
          requestId: 'ref-4711',
        }),
      }),
    );
  }

  test('that fails is not shown as an absent network: an answer waits, with a reference to report', async () => {
    await using tab = await openBrowser();
    const { page } = tab;
    const { id, widget } = await startConversation(tab, 'meets a fault');
    await breakServer(page, '**/messages');
    await widget.option('9').click();
    await widget.shows('Not sent yet. We keep trying.');
    await widget.shows('Reference: ref-4711');
    await expect.poll(() => widget.panel.textContent()).not.toMatch(/online|No connection/);
    // Before the server works again: the answer to an automatic retry removes the button.
    await widget.button('Try again').click();
    await page.unroute('**/messages');
    await widget.botSays('What is the main reason');
    await expect.poll(() => widget.panel.textContent()).not.toContain('ref-4711');
    expect(await saidIn(id)).toEqual(['9']);
  });

  test('that fails at the beginning says so, with a reference', async () => {
    const { link } = await shop.create('meets a fault first');
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await breakServer(page, '**/public/v1/link-sessions', 500);
    await page.goto(link);
    await widget.shows('Something went wrong on our side');
    await widget.shows('Reference: ref-4711');
    await widget.button('Try again').click();
    await page.unroute('**/public/v1/link-sessions');
    await widget.button('Start').waitFor();
  });

  test('that refuses an answer or a conversation for good gives a reference, too', async () => {
    await using tab = await openBrowser();
    const { page } = tab;
    const { widget } = await startConversation(tab, 'is refused');
    await breakServer(page, '**/messages', 403);
    await widget.option('9').click();
    await widget.shows('This could not be sent.');
    await widget.shows('Reference: ref-4711');
    await breakServer(page, /\/conversations\/[^/]+\?/, 403);
    await page.reload();
    await widget.shows('This conversation is not available');
    await widget.shows('Reference: ref-4711');
  });
});

describe('a conversation that ends while it is open', () => {
  test('shows its expiry', async () => {
    await using tab = await openBrowser();
    const { id, widget } = await startConversation(tab, 'runs out');
    await shop.patch(id, { expiry: 1 });
    await widget.shows('This conversation has expired');
    await expect.poll(() => widget.send.count()).toBe(0);
    expect((await shop.read(id)).status).toBe('Expired');
    expect(tab.faults).toEqual([]);
  });

  test('shows its completion elsewhere', async () => {
    const customerId = 'completed elsewhere';
    await using tab = await openBrowser();
    const { id, widget } = await startConversation(tab, customerId);
    const elsewhere = await openSession(inject('local').baseUrl, shop.workspace, customerId);
    let snapshot: Snapshot = (await elsewhere.look(id)).body.data;
    for (const answer of [{ value: 9 }, { skip: true as const }])
      snapshot = await elsewhere.say(id, snapshot, answer);
    expect(snapshot.status).toBe('Completed');
    await widget.shows('All done');
    await expect.poll(() => widget.send.count()).toBe(0);
    await expect.poll(() => widget.log.locator('.bubble').count()).toBe(snapshot.entries.length);
  });

  test('shows that the client has closed it', async () => {
    await using tab = await openBrowser();
    const { id, widget } = await startConversation(tab, 'closed');
    await shop.patch(id, { status: 'Completed' });
    await widget.shows('All done');
    await expect.poll(() => widget.send.count()).toBe(0);
  });
});

test('an answer that the bot does not understand is still in the field when it asks again', async () => {
  const customerId = 'mistypes';
  const botId = await shop.workspace.publish({
    schemaVersion: 1,
    key: 'asks-again',
    name: 'Asks again',
    type: 'Test',
    steps: [
      { id: 'email', kind: 'ask', text: 'E-mail?', input: { type: 'email' }, retry: { text: 'Pardon?' } },
      { id: 'day', kind: 'ask', text: 'Which day?', input: { type: 'date' } },
      { id: 'phone', kind: 'ask', text: 'Phone?', input: { type: 'phone' } },
      { id: 'bye', kind: 'end', text: 'Bye!' },
    ],
  });
  await shop.create(customerId, { botId, priority: 'High' });
  await using tab = await openBrowser();
  const widget = widgetOf(tab.page);
  await tab.page.goto(shop.visit({ customerId }).url);
  await widget.button('Start').click();
  await widget.field.fill('ada@shop');
  await widget.send.click();
  await widget.botSays('Pardon?');
  await expect.poll(() => widget.field.inputValue()).toBe('ada@shop');
  await widget.field.fill('ada@shop.example');
  await widget.send.click();

  await widget.botSays('Which day?');
  await expect.poll(() => widget.field.inputValue()).toBe('');
  await widget.field.fill('2035-12-31');
  await widget.send.click();
  await widget.botSays('Phone?');
  // In words, as in a hint.
  expect(await widget.log.locator('.customer .bubble').allTextContents()).toEqual([
    'ada@shop',
    'ada@shop.example',
    'Dec 31, 2035',
  ]);
  // Also without a retry.
  await widget.field.fill('123');
  await widget.send.click();
  await widget.panel.locator('.problem').waitFor();
  await expect.poll(() => widget.field.inputValue()).toBe('123');
});

test('a draft survives closing and opening the panel, and new entries', async () => {
  await using tab = await openBrowser();
  const { widget } = await startConversation(tab, 'keeps the draft');
  await widget.option('9').click();
  await widget.botSays('main reason');
  await widget.field.fill('Half a sentence');
  await widget.launcher.click();
  await widget.panel.waitFor({ state: 'hidden' });
  await widget.launcher.click();
  await widget.panel.waitFor();
  await expect.poll(() => widget.field.inputValue()).toBe('Half a sentence');
});

/** A bot whose first question is of a type whose field is loaded. */
const rankingBot = {
  schemaVersion: 1,
  key: 'ranked',
  name: 'Ranked',
  type: 'Test',
  evaluation: { order: {} },
  steps: [
    {
      id: 'order',
      kind: 'ask',
      text: 'What matters most?',
      input: {
        type: 'ranking',
        choices: [
          { value: 'a', label: 'Apples' },
          { value: 'b', label: 'Pears' },
        ],
      },
      evaluation: 'order',
    },
    { id: 'bye', kind: 'end', text: 'Thank you.' },
  ],
};

describe('a question of a rare type', () => {
  let botId: string;
  beforeAll(async () => {
    botId = await shop.workspace.publish(rankingBot);
  });

  async function rankingOf(id: string): Promise<unknown> {
    const { data } = await shop.read(id);
    return (JSON.parse(String(data)) as { evaluation: unknown }).evaluation;
  }

  test.each(['widget', 'page'])(
    'whose part is not loaded says so in the %s, and loads it on demand',
    async (where) => {
      const customerId = `without fields in the ${where}`;
      const { id, link } = await shop.create(customerId, { botId, priority: 'Low' });
      await using tab = await openBrowser();
      const { page } = tab;
      const widget = widgetOf(page);
      let isBroken = true;
      await page.route('**/fields-*', (route) =>
        isBroken ? route.abort('connectionreset') : route.continue(),
      );
      await page.goto(where === 'page' ? link : shop.visit({ customerId }).url);
      if (where === 'widget') await widget.launcher.click();
      await widget.button('Start').click();
      await widget.shows('A part of this question could not be loaded.');
      // Its words are an answer all the same.
      await widget.field.fill('Pears, App');
      await widget.button('Try again').click();
      await widget.shows('A part of this question could not be loaded.');
      await expectAccessible(page);
      isBroken = false;
      await widget.button('Try again').click();
      await widget.button('Move up: Pears').click();
      expect(await widget.panel.getByText('could not be loaded').count()).toBe(0);
      await widget.send.click();
      await widget.botSays('Thank you.');
      expect(await rankingOf(id)).toEqual({ order: 'b, a' });
    },
  );

  test('that the page does not know is answered by text', async () => {
    const { id, link } = await shop.create('from a newer release', { botId });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.route('**/public/v1/**', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"type":"ranking"', '"type":"hologram"');
      await route.fulfill({ response, body });
    });
    await page.goto(link);
    await widget.button('Start').click();
    await widget.botSays('What matters most?');
    await widget.field.fill('Pears, Apples');
    expect(await widget.panel.getByText('could not be loaded').count()).toBe(0);
    await widget.send.click();
    await widget.botSays('Thank you.');
    expect(await rankingOf(id)).toEqual({ order: 'b, a' });
  });
});
