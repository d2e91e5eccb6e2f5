import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { type ReceiverAnswer, type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { shown } from './console-stage.ts';
import { coloursOnly, inBothLayouts, lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';

// The portal: the webhook screens for somebody without an account.

const { baseUrl } = inject('local');

/** A company's page on another site, which shows the portal in a frame. */
interface Host extends AsyncDisposable {
  origin: string;
  show(url: string): void;
}

async function openHost(): Promise<Host> {
  let shownUrl = '';
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><title>Shop</title><iframe src="${shownUrl}" width="1200" height="700"></iframe>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // Another site than the gateway's: its cookies are third-party ones.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    show: (url) => {
      shownUrl = url;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

let allowed: Host;
let other: Host;
let workspace: TestWorkspace;
let receiver: Receiver;
let answer: ReceiverAnswer = { status: 500, body: 'the database of Ada is down' };
let webhookId: string;
beforeAll(async () => {
  [allowed, other] = await Promise.all([openHost(), openHost()]);
  workspace = await createWorkspace(baseUrl, inject('operator'), { allowedDomains: [allowed.origin] });
  receiver = await startReceiver(() => answer);
  const logo = await readFile(join(import.meta.dirname, '../../leaf.png'), 'base64');
  await workspace.client.branding.update({
    displayName: 'Fog & Leaf',
    accentColor: '#d9a400',
    logo: `data:image/png;base64,${logo}`,
  });
  const create = async (secretToken: string): Promise<string> =>
    (await workspace.client.webhooks.create({ url: receiver.url, secretToken, isActive: true })).id;
  webhookId = await create('one');
  await create('two');
});
afterAll(async () => {
  await Promise.all([allowed, other, receiver].map((one) => one[Symbol.asyncDispose]()));
});

const linkOf = async (body: object = {}): Promise<string> =>
  (await workspace.client.webhooks.portalLinks.create({ name: 'Shop team', ...body })).url;
const address = (path = ''): string => `${baseUrl}/console/portal/${workspace.id}${path}`;
const openWebhook = (page: Page): Promise<void> => page.getByRole('main').getByRole('link').first().click();

test('a link shows the deliveries of a webhook, and a retry delivers one', async () => {
  await workspace.client.webhooks.sendTest(webhookId);
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(await linkOf({ webhookIds: [webhookId] }));
  await page.getByText('Last success').waitFor();
  expect(page.url()).toBe(address('/webhooks'));
  await expect.poll(() => page.getByRole('main').getByRole('link').count()).toBe(1);
  await openWebhook(page);
  await page.getByRole('listitem').getByRole('link', { name: /Test/ }).click();
  await page.getByText('The receiver has failed (HTTP 500). Its logs say why.').first().waitFor();
  expect(new URL(page.url()).pathname).toBe(new URL(address(`/webhooks/${webhookId}`)).pathname);
  await page.getByText('Answer of the receiver').first().click();
  await page.getByText('[hidden]').first().waitFor();
  answer = { status: 204 };
  await workspace.client.webhooks.update(webhookId, { isActive: true });
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('The receiver has accepted it (HTTP 204).').first().waitFor();
  await page.reload();
  await page.getByText('The receiver has accepted it (HTTP 204).').first().waitFor();
  expect(tab.faults).toEqual([]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('This link is not valid any more').waitFor();
});

test('a used, revoked or incomplete link says so', async () => {
  const url = await linkOf();
  await using first = await openBrowser();
  await first.page.goto(url);
  await first.page.getByText('Last success').first().waitFor();
  // In the browser that has used it, it goes on.
  await first.page.goto('about:blank');
  await first.page.goto(url);
  await first.page.getByText('Last success').first().waitFor();
  await using second = await openBrowser();
  await second.page.goto(url);
  await second.page.getByText('This link is not valid any more').waitFor();
  expect(second.page.url()).not.toContain('#');
  await lookAt('portal-over', second, inBothLayouts);
  const { data } = await workspace.client.webhooks.portalLinks.list({ limit: 1 });
  await workspace.client.webhooks.portalLinks.revoke(String(data[0]?.id));
  await first.page.getByText('This link is not valid any more').waitFor();
  await second.page.goto('about:blank');
  await second.page.goto((await linkOf()).slice(0, -1));
  await second.page.getByText('This link is incomplete').waitFor();
});

test('a page goes on with another link of the same rights, and asks before it does with other rights', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  const limited = { webhookIds: [webhookId] };
  await page.goto(await linkOf(limited));
  await page.getByText('Last success').waitFor();
  const openElsewhere = async (url: string): Promise<void> => {
    const other = await context.newPage();
    await other.goto(url);
    await other.getByText('Last success').first().waitFor();
    await other.close();
    const read = page.waitForResponse('**/v1/session');
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await read;
  };
  const asked = page.getByRole('alertdialog', { name: 'Another link has been opened in this browser' });
  await openElsewhere(await linkOf({ ...limited, name: 'The next visit' }));
  await page.getByText('The next visit').waitFor({ state: 'attached' });
  await expect.poll(() => asked.count()).toBe(0);
  await openElsewhere(await linkOf({ name: 'Of all webhooks' }));
  await asked.waitFor();
  await expect.poll(() => page.getByText('Of all webhooks').count()).toBe(0);
  await asked.getByRole('button', { name: 'Continue with the new link' }).click();
  await page.getByText('Of all webhooks').waitFor({ state: 'attached' });
  await expect.poll(() => page.getByRole('main').getByRole('link').count()).toBe(2);
});

test('a page of an allowed domain shows it in a frame, and no other page does', async () => {
  // Browsers deny such frames their storage, and divide their cookies.
  await using tab = await openBrowser({ edition: 'full' });
  const { page } = tab;
  allowed.show(await linkOf());
  await page.goto(allowed.origin);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Last success').first().waitFor();
  // The cookie is kept in the frame.
  await frame.getByRole('main').getByRole('link').first().click();
  await frame.getByText('Deliveries').first().waitFor();
  await page.reload();
  await frame.getByText('Last success').first().waitFor();

  const url = await linkOf();
  other.show(url);
  await page.goto(other.origin);
  await expect.poll(() => tab.faults.filter((fault) => fault.includes('frame-ancestors'))).not.toEqual([]);
  const [stillGood] = (await workspace.client.webhooks.portalLinks.list({ limit: 1 })).data;
  expect(stillGood).toMatchObject({ usedAt: null });
});

test.each(['light', 'dark'] as const)('its screens are accessible and fit: %s', async (colorScheme) => {
  await using tab = await openBrowser({ colorScheme });
  const { page } = tab;
  await page.goto(await linkOf());
  await page.getByText('Last success').first().waitFor();
  const look = colorScheme === 'dark' ? coloursOnly : inBothLayouts;
  await shown(page);
  await lookAt(`portal-webhooks-${colorScheme}`, tab, look);
  await page.setViewportSize(desktop);
  await page.goto(address(`/webhooks/${webhookId}`));
  await page.getByText('Deliveries').first().waitFor();
  await shown(page);
  await lookAt(`portal-webhook-${colorScheme}`, tab, look);
});
