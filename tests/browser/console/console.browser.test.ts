import { text } from 'node:stream/consumers';
import { createClient } from '@parley/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { figuresOf } from '../../insight/insight-conversations.ts';
import { npsBot as nps } from '../../conversations/sample-bots.ts';
import { screens } from './console-screens.ts';
import {
  openOverview,
  openPublishing,
  openStage,
  replaceText,
  shown,
  signIn,
  type Stage,
} from './console-stage.ts';
import { expectReadable } from '../inspect.ts';
import { coloursOnly, inBothLayouts, lookAt } from '../screenshots.ts';
import { desktop, openBrowser, widest } from '../tab.ts';

const npsBot = nps as Record<string, unknown>;

let stage: Stage;
beforeAll(async () => {
  // A delivery whose attempts are used up before a test looks at it is not retried.
  stage = await openStage({ asksToWait: true });
});
afterAll(() => stage[Symbol.asyncDispose]());

describe('tasks', () => {
  test("a customer's conversation of last week is found and read with two clicks", async () => {
    await using tab = await openBrowser();
    const { page } = tab;
    await openOverview(page, stage);
    await page.keyboard.press('/');
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: 'c-1001' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Net Promoter Score/ })
      .click();
    await page.getByText('How likely are you to recommend').waitFor();
    expect(page.url()).toBe(stage.address(`/interactions/${stage.ofAda}`));
    expect(tab.faults).toEqual([]);
  });

  test('the interaction says why the shop did not get the result, and a retry delivers it', async () => {
    await using tab = await openBrowser();
    const { page } = tab;
    await signIn(page, stage);
    await page.goto(stage.address('/interactions?customer=c-1002'));
    await page.getByRole('link', { name: 'c-1002' }).click();
    await page.getByText('The receiver has failed (HTTP 500). Its logs say why.').first().waitFor();
    await page.getByText('Retrying').first().waitFor();
    await page.getByText('Answer of the receiver').first().click();
    await page.getByText('the database of the shop is down').first().waitFor();
    stage.answer({ status: 204 });
    const retried = page.waitForResponse((one) => one.url().endsWith('/retry'));
    await page.getByRole('button', { name: 'Retry now' }).click();
    await retried;
    // Ends the wait, which a retry does not. A delivery that is delivered before the click has no such button.
    const { client } = stage.place.workspace;
    await client.webhooks.update(stage.webhookId, { isActive: true });
    await page.getByText('The receiver has accepted it (HTTP 204).').first().waitFor();
    await page.getByText('Delivered').first().waitFor();
  });

  test('the insight of a bot says where customers stop, and leads to their conversations', async () => {
    await figuresOf(stage.place);
    await using tab = await openBrowser();
    const { page } = tab;
    await openOverview(page, stage);
    await page.getByRole('link', { name: 'Bots', exact: true }).click();
    await page.getByRole('link', { name: 'NPS' }).click();
    const step = page.getByRole('row', { name: /What is the main reason/ });
    await step.getByText('most').waitFor();
    await step.getByRole('link', { name: /2 stopped at What is the main reason/ }).click();
    await page.getByRole('link', { name: 'c-1003' }).waitFor();
    const query = new URL(page.url()).searchParams;
    expect([query.get('bot'), query.get('stopped')]).toEqual([stage.place.botId, 'why']);
    expect(await page.getByRole('table').getByRole('link').allInnerTexts()).toEqual(['c-1004', 'c-1003']);
    await lookAt('console-stopped', tab);
    await page.setViewportSize(desktop);
    await page.getByRole('button', { name: /Remove the filter Stopped at What is the main reason/ }).click();
    await page.getByRole('link', { name: 'c-1005' }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  test('an address of figures has the same ones in all time zones, and says which its days are of', async () => {
    await figuresOf(stage.place);
    const dayMs = 86_400_000;
    const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
    const read = async (zone: string, address: string) => {
      await using tab = await openBrowser({ timezoneId: zone });
      const { page } = tab;
      await signIn(page, stage);
      const asked = page.waitForRequest((one) => new URL(one.url()).pathname.endsWith('/insight'));
      await page.goto(address);
      const query = new URL((await asked).url()).search;
      await page.getByRole('main').locator('dl dd').first().waitFor();
      const figures = await page.getByRole('main').locator('dl dd').allInnerTexts();
      const shown = await page.getByLabel('Time zone').inputValue();
      expect(tab.faults).toEqual([]);
      return { query, figures, shown, url: page.url() };
    };
    const path = `/bots/${stage.place.botId}?window=custom&from=${day(400 - 2)}&to=${day(0)}`;
    const inAuckland = await read('Pacific/Auckland', stage.address(path));
    expect(new URL(inAuckland.url).searchParams.get('tz')).toBe('Pacific/Auckland');
    expect(inAuckland.shown).toBe('Pacific/Auckland');
    expect(inAuckland.query).toContain('tz=Pacific%2FAuckland');
    expect(await read('America/Los_Angeles', inAuckland.url)).toEqual(inAuckland);
    const inAngeles = await read('America/Los_Angeles', stage.address(`${path}&tz=Nowhere`));
    expect(inAngeles.shown).toBe('America/Los_Angeles');
  });

  test.each([
    { list: '/interactions', api: '/interactions' },
    { list: '/access/audit', api: '/audit-events' },
  ])('an address of $list with days has the same ones in all time zones', async ({ list, api }) => {
    const day = new Date().toISOString().slice(0, 10);
    const read = async (zone: string, address: string) => {
      await using tab = await openBrowser({ timezoneId: zone });
      const { page } = tab;
      await signIn(page, stage);
      const asked = page.waitForRequest(
        (one) => one.resourceType() === 'fetch' && new URL(one.url()).pathname.endsWith(api),
      );
      await page.goto(address);
      const { search } = new URL((await asked).url());
      const shown = await page.getByLabel('Time zone').inputValue();
      expect(tab.faults).toEqual([]);
      return { search, shown, url: page.url() };
    };
    const inAuckland = await read('Pacific/Auckland', stage.address(`${list}?from=${day}&to=${day}`));
    expect(inAuckland.shown).toBe('Pacific/Auckland');
    expect(await read('America/Los_Angeles', inAuckland.url)).toEqual(inAuckland);
  });

  test('an export and a recovery have the days of the zone of the address', async () => {
    const { client } = stage.place.workspace;
    const url = 'https://shop.example/recovered';
    const webhook = await client.webhooks.create({ url, secretToken: 'zones', isActive: true });
    await using tab = await openBrowser({ timezoneId: 'America/Los_Angeles' });
    const { page } = tab;
    await signIn(page, stage);
    await page.goto(stage.address('/interactions?from=2026-01-01&tz=Pacific%2FAuckland'));
    await page.getByRole('button', { name: 'Export…' }).click();
    const exporting = page.getByRole('dialog', { name: 'Export…' });
    await exporting.getByText('Time zone: Pacific/Auckland').waitFor();
    await exporting.getByLabel('Completed from').fill('2026-01-15');
    const exported = page.waitForRequest((one) => one.url().includes('/interactions/export'));
    await exporting.getByRole('button', { name: 'Save the file' }).click();
    const { searchParams } = new URL((await exported).url());
    expect(searchParams.get('completedFrom')).toBe('2026-01-14T11:00:00.000Z');
    await page.goto(stage.address(`/webhooks/${webhook.id}?since=2026-01-01&tz=Pacific%2FAuckland`));
    await page.getByRole('button', { name: 'Recover' }).click();
    const recovering = page.getByRole('dialog', { name: 'Recover' });
    await recovering.getByText('Time zone: Pacific/Auckland').waitFor();
    const asked = page.waitForRequest((one) => one.url().endsWith(`/webhooks/${webhook.id}/recover`));
    await recovering.getByRole('button', { name: 'Recover' }).click();
    const { since } = (await asked).postDataJSON() as { since: string };
    expect(since).toMatch(/T1[12]:00:00\.000Z$/);
    await page.getByText('The recovery has begun').waitFor();
    await client.webhooks.delete(webhook.id);
    expect(tab.faults).toEqual([]);
  });

  test('a bot is improved: faults at their places, the proof, and nobody is overwritten', async () => {
    await using place = await openStage();
    const { client } = place.place.workspace;
    const { botId } = place.place;
    const faulty = { ...npsBot, steps: [{ id: 'only', kind: 'say', text: 'Hi', next: 'nowhere' }] };
    const better = JSON.parse(
      JSON.stringify(npsBot).replaceAll('answers.score >= 9', 'answers.score >= 2'),
    ) as typeof npsBot;
    await using tab = await openBrowser();
    const { page } = tab;
    await signIn(page, place);
    await page.goto(place.address(`/bots/${botId}`));
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    const type = (definition: unknown) => replaceText(page, JSON.stringify(definition, undefined, 2));
    await type(faulty);
    await page.getByRole('button', { name: /^Fault.*nowhere/ }).click();
    await lookAt('console-editor-faults', tab);
    await page.setViewportSize(desktop);
    await openPublishing(page);
    await expect.poll(() => publish.getAttribute('title')).toBe('The definition has faults. Fix them first.');
    await page.keyboard.press('Escape');
    await type(better);
    await page.getByText('no faults').waitFor();
    await page.getByLabel('Show the difference to version 2').check();
    const dialog = await openPublishing(page);
    const changes = dialog.getByRole('region', { name: 'What changes after version 2' });
    await changes.getByText('answers.score >= 2').first().waitFor();
    await changes.getByText('Changed').first().waitFor();
    await page.getByText('1 goes differently').waitFor();
    await page.getByText('nps_segment has another value').waitFor();
    await lookAt('console-editor-proof', tab, inBothLayouts);
    await page.setViewportSize(desktop);
    await client.bots.publishVersion(botId, { definition: { ...npsBot, name: 'Of somebody else' } });
    await page.getByLabel('Note: why is it changed?').fill('Everybody is happy');
    await publish.click();
    await page.getByText('Somebody else has published a version meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Compare with version 3' }).click();
    await publish.click();
    await page.getByText('Version 4 is live').waitFor();
    const { data } = await client.bots.listVersions(botId);
    expect(data[0]).toMatchObject({ version: 4, isLive: true, note: 'Everybody is happy' });
    expect((await client.bots.getVersion(botId, 4)).definition).toEqual(better);
    expect(tab.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  });

  test('300 customers of a CSV file are invited, and their links saved as CSV', async () => {
    // Its interactions would push other tests' interactions out of view.
    await using own = await openStage();
    await using tab = await openBrowser({ edition: 'full' });
    const { page } = tab;
    await openOverview(page, own);
    await page.getByRole('link', { name: 'Interactions', exact: true }).click();
    await page.getByRole('link', { name: 'From CSV…' }).click();
    const choose = (rows: string[]): Promise<void> =>
      page.getByLabel('CSV file').setInputFiles({
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['customerId;firstName;email;expiry', ...rows].join('\n'), 'latin1'),
      });
    await choose(['csv-1;"two\nlines";a@example.com;30d', 'csv-2;Ada;nonsense;']);
    await page.getByRole('row', { name: '3 email Must be an email address' }).waitFor();
    await page.getByText('The file was read as UTF-8.').waitFor();
    await lookAt('console-import-faults', tab);
    await choose(Array.from({ length: 300 }, (_, index) => `csv-${index};=ö;a${index}@example.com;30d`));
    await page.getByText('was read as Windows-1252').waitFor();
    await page.getByRole('button', { name: 'Create 300 invitations' }).click();
    await page.getByText('300 invitations are created.').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the links as CSV' }).click();
    const saved = await text(await (await saving).createReadStream());
    const rows = saved.trim().split('\r\n');
    expect(rows).toHaveLength(301);
    expect(rows[1]).toMatch(/^csv-0;'=ö;a0@example\.com;30d;http\S+$/);
    await lookAt('console-import-done', tab);
  });

  test('a person is anonymised after typing the id, with a receipt', async () => {
    const { client } = stage.place.workspace;
    await client.customers.create({ id: 'leaves', firstName: 'Eve' });
    await using tab = await openBrowser();
    const { page } = tab;
    await signIn(page, stage);
    await page.goto(stage.address('/customers/leaves'));
    await page.getByRole('button', { name: 'Anonymise' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Anonymise' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type leaves to confirm').fill('leaves');
    await confirm.click();
    await page.getByRole('button', { name: 'Save the receipt' }).waitFor();
    expect((await client.customers.get('leaves')).firstName).toBe('');
  });
});

const pictured = screens.flatMap(({ path, picture }) =>
  picture ? [{ path, name: picture[0], ready: picture[1] }] : [],
);

test.each(pictured)(
  '$name is accessible in both schemes and fits its windows',
  async ({ name, path, ready }) => {
    await using tab = await openBrowser({ colorScheme: 'light' });
    const { page } = tab;
    await signIn(page, stage);
    const inScheme = (scheme: string): Promise<void> => page.locator(`html[data-theme=${scheme}]`).waitFor();
    await page.goto(stage.address(path(stage)));
    await ready(page);
    await shown(page);
    await inScheme('light');
    await lookAt(`console-${name}-light`, tab, inBothLayouts);
    await page.emulateMedia({ colorScheme: 'dark' });
    await inScheme('dark');
    await lookAt(`console-${name}-dark`, tab, coloursOnly);
    await page.setViewportSize(widest);
    await expectReadable(page);
  },
);

test('filters are in the address: reload, back and forward keep them', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await page.getByRole('link', { name: 'Interactions', exact: true }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Expired');
  await page.getByRole('link', { name: 'c-1003' }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=Expired');
  await page.reload();
  await page.getByRole('link', { name: 'c-1003' }).click();
  await page.getByText('Conversation started').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'c-1003' }).waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Expired');
});

test('everything works with a keyboard, and the help lists the keys', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Interactions').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('link', { name: 'c-1005' }).focus();
  await page.keyboard.press('j');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('c-1004');
  await page.keyboard.press('Enter');
  await page.getByText('Conversation started').waitFor();
  await page.keyboard.press('p');
  await expect
    .poll(() => page.getByRole('button', { name: 'Pause live updates' }).getAttribute('aria-pressed'))
    .toBe('true');
});

test('the console speaks German, and remembers that', async () => {
  await using tab = await openBrowser({ locale: 'de-DE' });
  const { page } = tab;
  const { place } = stage;
  await page.goto(`${place.baseUrl}/console`);
  await page.waitForURL('**/console/sign-in');
  await using other = await openBrowser();
  await openOverview(other.page, stage);
  await other.page.getByLabel('Language').selectOption('de');
  await other.page.getByRole('link', { name: 'Interaktionen', exact: true }).click();
  await other.page.getByRole('heading', { name: 'Interaktionen' }).waitFor();
  await other.page.reload();
  await other.page.getByRole('heading', { name: 'Interaktionen' }).waitFor();
  await expect.poll(() => other.page.locator('html').getAttribute('lang')).toBe('de');
  await lookAt('console-german', other);
  // Its words are longer.
  await other.page.goto(stage.address(`/bots/${place.botId}/edit`));
  await other.page.getByRole('list', { name: 'Schritte', exact: true }).waitFor();
  await lookAt('console-german-steps', other, { windows: ['narrow'], inspected: [] });
});

test('what a viewer may not do is visible, with the missing scope', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage, 'viewer');
  await page.goto(stage.address('/interactions'));
  const create = page.getByRole('button', { name: 'New interaction' });
  await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true');
  await expect
    .poll(() => create.getAttribute('title'))
    .toBe('You need the scope interactions:write for this.');
  await page.goto(stage.address(`/interactions/${stage.ofAda}`));
  const open = page.getByRole('button', { name: 'Open as the customer' });
  await expect.poll(() => open.getAttribute('title')).toBe('You need the scope interactions:write for this.');
  await page.getByText('How likely are you to recommend').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Copy the link' }).count()).toBe(0);
  await lookAt('console-interaction-of-viewer', tab);
});

test('a viewer sees at the top of each form that it cannot be changed, and nothing can be filled in', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage, 'viewer');
  const paths = {
    '/settings': 'workspace:write',
    '/interactions/import': 'interactions:write',
    [`/webhooks/${stage.webhookId}/settings`]: 'webhooks:write',
    '/access/members': 'workspace:write',
  };
  for (const [path, scope] of Object.entries(paths)) {
    await page.goto(stage.address(path));
    await page.getByRole('note').getByText(`You need the scope ${scope} for this.`).first().waitFor();
    const main = page.getByRole('main');
    await expect.poll(() => main.locator('input, select, textarea').count()).toBeGreaterThan(0);
    expect([path, await main.locator(':is(input, select, textarea):enabled').count()]).toEqual([path, 0]);
  }
  expect(tab.faults).toEqual([]);
});

test('names stand where ids were, and an id that is typed says whose it is', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?customer=c-1001'));
  await page.getByRole('link', { name: 'Ada Lovelace c-1001' }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace c-1001' }).waitFor();
  await page.getByText('NPS segment', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('nps_segment', { exact: true }).count()).toBe(0);
  await page.getByRole('heading', { name: 'Ada Lovelace' }).getByRole('link').click();
  await page.getByText('Profile').waitFor();
  await page.getByRole('heading', { name: 'Ada Lovelace c-1001' }).waitFor();
  await page.goto(stage.address('/interactions'));
  await page.getByRole('button', { name: 'New interaction' }).click();
  const field = page.getByRole('dialog').getByLabel('Customer id');
  await field.fill('c-1002');
  await page.getByText('Found: Grace Lovelace, ada@example.com').waitFor();
  await field.fill('c-10002');
  await page.getByText('Nobody has this id yet.').waitFor();
  expect(tab.faults).toEqual([]);
});

test('the address of an unknown workspace leads to those of the person', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(`${stage.place.baseUrl}/console/w/${stage.place.botId}/bots`);
  await page.getByText('There is no such workspace').waitFor();
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('main').getByRole('link', { name: 'Deployment' }).click();
  await page.getByText('Only an operator may see this.').waitFor();
  await page.goto(stage.place.baseUrl);
  await expect.poll(() => page.getByRole('link', { name: 'Console' }).getAttribute('href')).toBe('/console');
});

test('on paper, a list has all rows, and a conversation is dark on white', async () => {
  await using own = await openStage();
  const { client } = own.place.workspace;
  const interactions = Array.from({ length: 130 }, (_, index) => ({
    customerId: `paper-${index}`,
    botId: own.place.botId,
  }));
  await client.interactions.createBulk({ interactions });
  await using tab = await openBrowser({ colorScheme: 'dark' });
  const { page } = tab;
  await signIn(page, own);
  await page.goto(own.address('/interactions?status=Draft'));
  await page.getByRole('link', { name: 'paper-129' }).waitFor();
  await page.evaluate(() => {
    window.print = () => dispatchEvent(new Event('printed'));
    addEventListener('printed', () => (document.body.dataset['printed'] = 'yes'));
  });
  await page.keyboard.press('ControlOrMeta+p');
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const table = page.locator('table').filter({ hasText: 'paper-0' });
  await expect.poll(() => table.locator('tbody tr').count()).toBe(130);
  await expect.poll(() => table.isVisible()).toBe(true);
  await expect.poll(() => page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await page.goto(own.address(`/interactions/${own.ofAda}`));
  await page.getByText('Customer:').first().waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const coloursOf = (said: Element) => {
    const { color, backgroundColor } = getComputedStyle(said.parentElement ?? said);
    return { color, backgroundColor };
  };
  await expect
    .poll(() => page.getByText('Customer:').first().evaluate(coloursOf))
    .toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
});

test('on a phone, the header has one row, and the rest is in its menu', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await page.setViewportSize({ width: 360, height: 740 });
  const header = page.getByRole('banner');
  await expect.poll(async () => (await header.boundingBox())?.height ?? 99).toBeLessThan(64);
  await page.getByLabel('Menu').click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('link', { name: 'Interaktionen', exact: true }).waitFor();
});

test('scopes have words, a purpose chooses them, and the secret stays until it is saved', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/access'));
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Report');
  await dialog.getByLabel('What for').selectOption('figures');
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await expect
    .poll(() => dialog.getByRole('checkbox', { name: 'Read the figures of bots' }).isChecked())
    .toBe(true);
  await dialog.getByRole('button', { name: 'New API key' }).click();
  await dialog.getByText('The secret is shown only now.').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect.poll(() => dialog.getByText('The secret is shown only now.').isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('Read bots and their versions · Read the figures of bots').waitFor();
  expect(tab.faults).toEqual([]);
});

test('the audit log is filtered as soon as something is chosen or typed', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/access/audit'));
  await page.getByLabel('Action').selectOption({ label: 'Version of a bot published' });
  await page.getByRole('listitem').filter({ hasText: 'bot.published' }).first().waitFor();
  await page.getByLabel('Thing').fill(stage.place.botId);
  await page.waitForURL((url) => url.searchParams.get('target') === stage.place.botId);
  expect(new URL(page.url()).searchParams.get('action')).toBe('bot.published');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.getByLabel('Thing').inputValue()).toBe('');
});

test('filters of the audit log keep one of two keys with the same name, and do not remove each other', async () => {
  const { client } = stage.place.workspace;
  const twins: string[] = [];
  for (const name of ['first', 'second']) {
    const { apiKey, secret } = await client.keys.create({
      name: 'Twin',
      scopes: ['keys:write', 'bots:read'],
    });
    const api = createClient({ baseUrl: stage.place.baseUrl, apiKey, apiSecret: secret });
    await api.workspace(stage.place.workspace.id).keys.create({ name, scopes: ['bots:read'] });
    twins.unshift(apiKey);
  }
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  const ofAddress = (name: string) => new URL(page.url()).searchParams.get(name);
  for (const [index, apiKey] of twins.entries()) {
    await page.goto(stage.address('/access/audit'));
    await page.getByRole('link', { name: 'Only events of Twin' }).nth(index).click();
    await expect.poll(() => page.getByLabel('Who').inputValue()).toBe('Twin');
    await page.getByLabel('Thing').fill('nothing');
    await expect.poll(() => ofAddress('target')).toBe('nothing');
    expect(ofAddress('actor')).toBe(apiKey);
  }
  await page.getByLabel('Who').fill('somebody');
  await page.getByLabel('Thing').fill('something');
  await expect.poll(() => [ofAddress('actor'), ofAddress('target')]).toEqual(['somebody', 'something']);
});

test('a failure is said in words, with the id of the request', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/interactions/${stage.place.botId}`));
  const alert = page.getByRole('alert');
  await alert.getByText('This does not exist, or it was deleted.').waitFor();
  await expect.poll(() => alert.innerText()).toMatch(/Request id, for support: [\w-]{36}/);
});

test('a long list has only the rows in view, and its end is reached at once', async () => {
  const { client } = stage.place.workspace;
  const interactions = Array.from({ length: 400 }, (_, index) => ({
    customerId: `many-${index}`,
    botId: stage.place.botId,
  }));
  await client.interactions.createBulk({ interactions });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?status=Draft'));
  await page.getByRole('link', { name: 'many-399' }).waitFor();
  await expect.poll(() => page.locator('[data-row]').count()).toBeLessThan(60);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.getByRole('link', { name: 'many-0', exact: true }).waitFor();
  await expect.poll(() => page.locator('[data-row]').count()).toBeLessThan(60);
});
