import { join } from 'node:path';
import { instant } from '@parley/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hold } from '../insight/insight-conversations.ts';
import { openStage, signIn, type Stage } from './console/console-stage.ts';
import { coloursOnly, lookAt, pictures } from './screenshots.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';
import { mouse } from './widget/replies.ts';
import { openShop, type Shop } from './widget/shop.ts';

// Open links, e-mail blocks, tests, limits of contact and times, in the pages of customers and in the console.

let shop: Shop;
let stage: Stage;
let botId: string;
beforeAll(async () => {
  [shop, stage] = await Promise.all([openShop(), openStage()]);
  const { workspace } = shop;
  const bots = await workspace.client.bots.list({ key: 'nps-follow-up' });
  botId = bots.data[0]?.id ?? '';
  await workspace.client.branding.update({ displayName: 'Fog & Leaf', accentColor: '#1f5c4a' });
});
afterAll(() => Promise.all([shop[Symbol.asyncDispose](), stage[Symbol.asyncDispose]()]));

test('a person without an account answers in two clicks, and continues in the same browser only', async () => {
  const { url } = await shop.workspace.client.bots.openLinks.create(botId, { name: 'Table' });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(url);
  await page.getByRole('heading', { name: 'Fog & Leaf' }).waitFor();
  await lookAt('open-link', tab);
  const fill = (button: Element) => getComputedStyle(button).backgroundColor;
  expect(await page.getByRole('button').evaluate(fill)).toBe('rgb(31, 92, 74)');
  await page.getByRole('button', { name: 'Start' }).click();
  const widget = widgetOf(page);
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  const begun = new URL(page.url()).pathname;
  await page.goto(url);
  await widget.botSays('main reason');
  expect(new URL(page.url()).pathname).toBe(begun);
  await using other = await openBrowser();
  await other.page.goto(url);
  await other.page.getByRole('button', { name: 'Start' }).waitFor();
  expect(tab.faults).toEqual([]);
});

test('the page of a closed link has the branding, in a dark mode, too', async () => {
  const { openLinks } = shop.workspace.client.bots;
  const { id, url } = await openLinks.create(botId, { name: 'Closed', isTest: true });
  await openLinks.update(botId, id, { isClosed: true });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(url);
  await page.getByText('This link is closed.').waitFor();
  expect(await page.getByText('Test', { exact: true }).isVisible()).toBe(true);
  await lookAt('open-link-closed', tab);
  await page.emulateMedia({ colorScheme: 'dark' });
  await lookAt('open-link-closed-dark', tab, coloursOnly);
});

test('the page of an answer is read by a browser with scripts without an effect, and its button sends it', async () => {
  const { id } = await shop.create('clicks');
  const html = await shop.workspace.client.interactions.emailBlock(id);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  await using tab = await openBrowser();
  const { page } = tab;
  const before = await shop.read(id);
  for (const link of links) {
    await page.goto(link, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
  expect(await shop.read(id)).toEqual(before);
  await page.goto(links[8] ?? '');
  await page.getByRole('link', { name: '9', exact: true }).click();
  await page.getByText('✓ 9').waitFor();
  await lookAt('email-answer', tab);
  expect(await shop.read(id)).toEqual(before);
  await page.getByRole('button', { name: 'Send: 9' }).click();
  await widgetOf(page).botSays('main reason');
  expect(tab.faults).toEqual([]);
});

test('an e-mail block can be read with and without styles, also in a dark mode', async () => {
  const { id } = await shop.create('mailed');
  const html = await shop.workspace.client.interactions.emailBlock(id);
  await using tab = await openBrowser();
  const { page } = tab;
  for (const [name, content] of Object.entries({
    plain: html.replaceAll(/ (?:style|bgcolor)="[^"]*"/g, ''),
    styled: html,
  })) {
    await page.setContent(
      `<!doctype html><html lang="en"><title>E-mail</title><body>${content}</body></html>`,
    );
    await page.screenshot({ path: join(pictures, `email-block-${name}.png`) });
    expect(await page.getByRole('link').count()).toBe(11);
    expect(await page.getByText('How likely').isVisible()).toBe(true);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: join(pictures, 'email-block-dark.png') });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.screenshot({ path: join(pictures, 'email-block-narrow.png') });
  // No cell is cut off on a small phone.
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(320);
  const choices = Array.from({ length: 11 }, (_, at) => ({
    value: `v${at}`,
    label: `${at}${'w'.repeat(60)}`,
  }));
  const inputs = {
    long: ['Which one?', { type: 'choice', choices }],
    rtl: ['ما مدى احتمال أن توصي بنا؟', { type: 'nps', labels: { low: 'غير محتمل', high: 'محتمل جدا' } }],
  };
  for (const [name, [text, input]] of Object.entries(inputs)) {
    const steps = [
      { id: 'ask', kind: 'ask', text, input },
      { id: 'end', kind: 'end', text: 'Bye' },
    ];
    const definition = { schemaVersion: 1, key: `block-${name}`, name: 'Block', type: 'Block', steps };
    const of = {
      customerId: name,
      botId: await shop.workspace.publish(definition),
      status: 'Pending',
    } as const;
    const made = await shop.workspace.client.interactions.create(of);
    await page.setContent(await shop.workspace.client.interactions.emailBlock(made.id));
    await page.screenshot({ path: join(pictures, `email-block-${name}.png`) });
    expect([name, await width()]).toEqual([name, 320]);
  }
});

const exactly = { exact: true };
/** Creates an interaction of the stage that waits for its customer. */
const offer = (customerId: string, fields: object = {}) =>
  stage.place.workspace.client.interactions.create({
    customerId,
    botId: stage.place.botId,
    status: 'Pending',
    ...fields,
  });

test('the console shows an e-mail block as programs do, with links that lead nowhere', async () => {
  const { client } = stage.place.workspace;
  await client.branding.update({ displayName: 'Fog & Leaf', accentColor: '#1f5c4a' });
  const { id } = await offer('mailed');
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/interactions/${id}`));
  await page.getByRole('button', { name: 'E-mail block' }).click();
  const dialog = page.getByRole('dialog', { name: 'E-mail block' });
  const block = dialog.getByRole('region', { name: 'The block as it looks' });
  await block.getByText('Fog & Leaf').waitFor();
  const answer = block.getByText('10', exactly);
  const colourOf = (element: Element): string => {
    const cell = element.closest('td');
    return cell ? getComputedStyle(cell).backgroundColor : '';
  };
  expect(await answer.evaluate(colourOf)).toBe('rgb(31, 92, 74)');
  await lookAt('console-email-light', tab);
  expect(await block.locator('[href]').count()).toBe(0);

  await dialog.getByRole('button', { name: 'Dark', ...exactly }).click();
  await dialog.getByText('turn the colours round').waitFor();
  await block.getByText('How likely').waitFor();
  await lookAt('console-email-dark', tab);

  await dialog.getByRole('button', { name: 'Without styles' }).click();
  const text = dialog.getByLabel('The block as text');
  await expect
    .poll(() => text.innerText())
    .toBe(await client.interactions.emailBlock(id, { format: 'text' }));
  await lookAt('console-email-text', tab);
  // The policy of the console forbids styles in HTML.
  expect(tab.faults).toEqual([]);
});

test('the QR codes of an interaction and of an open link are shown, and printed without the rest', async () => {
  const { id, link } = await offer('scans');
  const { client } = stage.place.workspace;
  const { data } = await client.bots.openLinks.list(stage.place.botId);
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  const codes = [
    { path: `/interactions/${id}`, title: 'scans', url: link },
    { path: `/bots/${stage.place.botId}/links`, title: 'Table 7', url: data[0]?.url ?? '' },
  ];
  for (const { path, title, url } of codes) {
    await page.goto(stage.address(path));
    await page.evaluate(() => {
      window.print = () => (document.body.dataset['asked'] = 'yes');
    });
    await page.getByRole('button', { name: 'QR code' }).click();
    const dialog = page.getByRole('dialog', { name: title });
    const code = dialog.getByRole('img', { name: `QR code: ${title}` });
    await code.waitFor();
    await dialog.getByText(url, exactly).waitFor();
    await lookAt(`console-qr-${title.replace(' ', '-')}`, tab);
    await dialog.getByRole('button', { name: 'Print' }).click();
    await page.locator('body[data-asked]').waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false);
    await expect.poll(() => dialog.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect([await code.isVisible(), await dialog.getByText(url, exactly).isVisible()]).toEqual([true, true]);
    await page.screenshot({ path: join(pictures, `console-qr-${title.replace(' ', '-')}-paper.png`) });
    await page.emulateMedia({ media: null });
  }
  expect(tab.faults).toEqual([]);
});

test('a test is marked in lists, on its screen, in deliveries and in its conversation', async () => {
  const id = await hold(stage.place, { customerId: 'tests', answers: [2, 'Late.', false], isTest: true });
  const { link } = await offer('tests-live', { isTest: true });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  const mark = page.getByRole('main').getByText('● Test', exactly).first();
  await page.goto(stage.address('/interactions?test=only'));
  for (const customer of ['tests', 'tests-live']) {
    const row = page.getByRole('row', { name: new RegExp(`\\b${customer}\\s+(?:● )?Test\\b`) });
    await row.getByText('● Test', exactly).waitFor();
  }
  await lookAt('console-tests', tab);
  await page.goto(stage.address('/interactions?test=none'));
  await page.getByRole('link', { name: 'c-1005' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'tests' }).count()).toBe(0);
  for (const path of [
    '/customers/tests',
    `/interactions/${id}`,
    `/webhooks/${stage.webhookId}?interaction=${id}`,
  ]) {
    await page.goto(stage.address(path));
    await mark.waitFor();
  }
  await page.goto(link);
  await page.getByRole('button', { name: 'Start' }).click();
  await widgetOf(page).botSays('How likely');
  await page.getByText('Test', exactly).waitFor();
  await lookAt('landing-test', tab);
  expect(tab.faults).toEqual([]);
});

test('a row of a CSV file beyond the contact policy says from when it is allowed again', async () => {
  await using own = await openStage();
  const { client } = own.place.workspace;
  await client.contactPolicy.update({ anyBot: { count: 1, days: 30 } });
  const { retryAt } = await client.customers.getContactability('c-1005');
  expect(retryAt).not.toBeNull();
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, own);
  await page.goto(own.address('/interactions/import'));
  await page.getByLabel('CSV file').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('customerId\nnew-one\nc-1005\nnew-one'),
  });
  await page.getByRole('button', { name: 'Create 3 invitations' }).click();
  await page.getByText('1 invitation is created.').waitFor();
  const rejected = page.getByRole('alert').filter({ hasText: '2 rows were rejected' });
  const known = rejected.getByRole('row', { name: '3 c-1005' });
  await known.getByText('contact-limit:').waitFor();
  await known.getByText(`Is allowed again at ${retryAt}`).waitFor();
  // The row before counts.
  const again = rejected.getByRole('row', { name: '4 new-one' });
  await again.getByText(/Is allowed again at \d{4}-\d\d-\d\dT/).waitFor();
  await lookAt('console-import-contact-limit', tab);
  expect(tab.faults).toEqual([]);
});

test('an interaction is available from a time that the console sets, moves and clears', async () => {
  const { client } = stage.place.workspace;
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  const dialog = page.getByRole('dialog');
  const inDays = (days: number): string => {
    const at = new Date(Date.now() + days * 86_400_000);
    return `${at.toISOString().slice(0, 10)}T08:30`;
  };
  const instantOf = (field: string) => page.evaluate((text) => new Date(text).toISOString(), field);
  await page.goto(stage.address('/interactions'));
  await page.getByRole('button', { name: 'New interaction' }).click();
  await dialog.getByLabel('Customer id').fill('later');
  await dialog.getByLabel('Available from').fill(inDays(3));
  await dialog.getByRole('button', { name: 'New interaction' }).click();
  await dialog.getByRole('link', { name: 'Open the interaction' }).click();
  const term = page.getByRole('term').getByText('Available from', exactly);
  await term.waitFor();
  const [created] = (await client.interactions.list({ customerId: 'later' })).data;
  if (!created) throw new Error('there is no interaction');
  const read = async () => (await client.interactions.get(created.id)).availableFrom;
  expect(instant((await read()) ?? '').toISOString()).toBe(await instantOf(inDays(3)));

  const move = async (to: string): Promise<void> => {
    await page.getByRole('button', { name: 'Available from…' }).click();
    await dialog.getByLabel('Available from').fill(to);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
  };
  await move(inDays(4));
  await expect.poll(async () => instant((await read()) ?? '').toISOString()).toBe(await instantOf(inDays(4)));
  await lookAt('console-available-from', tab);
  await page.goto(created.link);
  await page.getByText('You can answer from').waitFor();
  expect(await page.getByRole('button', { name: 'Start' }).count()).toBe(0);

  await page.goto(stage.address(`/interactions/${created.id}`));
  await term.waitFor();
  await move('');
  await expect.poll(read).toBeUndefined();
  await page.goto(created.link);
  await page.getByRole('button', { name: 'Start' }).waitFor();
  expect(tab.faults).toEqual([]);
});
