import { type ReceiverAnswer, startReceiver } from '@parley/testing/peers/receiver';
import type { Role } from '@parley/contracts/roles';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { inject } from 'vitest';
import { createLink, signInBy } from '../../people/console-people.ts';
import { hold, moveCreation, newPlace, type Place } from '../../insight/insight-conversations.ts';
import { npsBot } from '../../conversations/sample-bots.ts';

/** A workspace with a history, and a receiver of its events. */
export interface Stage extends AsyncDisposable {
  place: Place;
  webhookId: string;
  answer(with_: ReceiverAnswer): void;
  /** The interaction of Ada, who answered last week. */
  ofAda: string;
  address(path: string): string;
  /** The cookie of a session, as `name=value`. All tests of the stage have the same one of a role and a name. */
  sessionOf(role?: Role, name?: string): Promise<string>;
}

const unhappy = [2, 'It took two weeks to arrive.', false];

const broken = { status: 500, body: 'the database of the shop is down' };

/**
 * Creates customers, conversations of each outcome, and a webhook whose receiver fails. Its deliveries use up their
 * attempts within seconds, unless the receiver `asksToWait` for an hour when it is called again.
 */
export async function openStage({ asksToWait = false }: { asksToWait?: boolean } = {}): Promise<Stage> {
  const place = await newPlace(npsBot as Record<string, unknown>);
  const { client, id } = place.workspace;
  let given: ReceiverAnswer | undefined;
  const called = new Set<unknown>();
  const fail = (eventId: unknown): ReceiverAnswer => {
    if (asksToWait && called.has(eventId)) {
      return { ...broken, status: 503, headers: { 'retry-after': '3600' } };
    }
    called.add(eventId);
    return broken;
  };
  const receiver = await startReceiver(({ headers }) => given ?? fail(headers['webhook-id']));
  for (const [customerId, firstName] of [
    ['c-1001', 'Ada'],
    ['c-1002', 'Grace'],
  ] as const) {
    await client.customers.create({
      id: customerId,
      firstName,
      lastName: 'Lovelace',
      email: 'ada@example.com',
    });
  }
  const ofAda = await hold(place, { customerId: 'c-1001', answers: [9] });
  await moveCreation(place, ofAda, new Date(Date.now() - 5 * 86_400_000).toISOString());
  const webhook = await client.webhooks.create({ url: receiver.url, secretToken: id, isActive: true });
  await hold(place, { customerId: 'c-1002', answers: unhappy });
  await hold(place, { customerId: 'c-1003', answers: [10], becomes: 'expired' });
  await hold(place, { customerId: 'c-1004', answers: [3], becomes: 'expired' });
  await hold(place, { customerId: 'c-1005' });
  await client.bots.openLinks.create(place.botId, { name: 'Table 7', responsesMax: 500 });
  await client.bots.publishVersion(place.botId, {
    definition: { ...(npsBot as object), name: 'NPS, second version' },
    note: 'A clearer name',
  });
  const sessions = new Map<string, Promise<string>>();
  const begin = async (role: Role, name: string): Promise<string> => {
    const code = await createLink(inject('operator'), id, role, name);
    return (await signInBy(place.baseUrl, code)).cookie;
  };
  return {
    place,
    webhookId: webhook.id,
    ofAda,
    answer: (next) => {
      given = next;
    },
    address: (path) => `${place.baseUrl}/console/w/${id}${path}`,
    sessionOf: (role = 'owner', name = 'Olga Operator') => {
      const key = `${role} ${name}`;
      const session = sessions.get(key) ?? begin(role, name);
      sessions.set(key, session);
      return session;
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

/**
 * Gives the browser the session of the stage, which a link has begun. No page is open then. A test that ends its
 * session, or replaces it without removing its cookie, begins one of its own.
 */
export async function signIn(page: Page, stage: Stage, role?: Role, name?: string): Promise<void> {
  await takeSession(page.context(), stage.place.baseUrl, await stage.sessionOf(role, name));
}

/** Gives the browser a session by its cookie, `name=value`. */
export async function takeSession(context: BrowserContext, baseUrl: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: baseUrl }]);
}

/** Signs in, and opens the first screen. */
export async function openOverview(page: Page, stage: Stage, role?: Role): Promise<void> {
  await signIn(page, stage, role);
  await page.goto(stage.address(''));
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}

/** Replaces the text in the editor of bots, as by pasting. Shows its source. */
export async function replaceText(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Source', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Definition of the bot' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Opens the window that proves and publishes what is in the editor. */
export async function openPublishing(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Check and publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Check and publish' });
  await dialog.waitFor();
  return dialog;
}

/** Waits until nothing of the screen is being loaded. */
export async function shown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  // Its default polls in each frame, which a quiet page would not draw.
  await page.waitForFunction(
    () => document.querySelector('main .animate-pulse, main [aria-busy=true]') === null,
    undefined,
    { polling: 50 },
  );
}
