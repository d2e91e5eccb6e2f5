import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { verifyWebhook } from '@parley/client/webhook';
import { createPublicClient } from '@parley/client/public';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { openSqlConnection } from '@parley/testing/database/sql';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { beforeEach, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { type Browser, openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 3, section 19, "Later, and again".

const { baseUrl, postgresUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;

beforeEach(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const offer = (fields: object) =>
  workspace.client.interactions.create({ customerId: 'ada', botId, status: 'Pending', ...fields });

/** A webhook of these events, and what it got, verified. */
async function subscribe(events: ('InteractionAvailable' | 'InteractionReminderDue')[]) {
  const receiver = await startReceiver();
  const { webhooks } = workspace.client;
  const { id } = await webhooks.create({ url: receiver.url, secretToken: 's', isActive: true, events });
  const { signingSecret } = await webhooks.rotateSigningSecret(id);
  return {
    got: () => Promise.all(receiver.requests.map((request) => verifyWebhook(request, signingSecret))),
    requests: receiver.requests,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

/** Lets so much time pass for the availability of the workspace. */
async function pass(seconds: number): Promise<void> {
  await using session = await openSqlConnection(postgresUrl);
  await session.query(
    `update interaction.availability set available_at = available_at - $1 * interval '1 second',
      due_at = due_at - $1 * interval '1 second' where workspace_id = $2`,
    [seconds, workspace.id],
  );
}

const pendingOf = async (browser: Browser) =>
  (await browser.api.get<{ interactionId: string } | null>('/pending')).body.data;

const parley = (args: string[], cwd?: string) =>
  runCommand(args, {
    ...(cwd !== undefined && { cwd }),
    env: { PARLEY_URL: baseUrl, PARLEY_API_KEY: workspace.apiKey, PARLEY_API_SECRET: workspace.apiSecret },
  });

test('before availableFrom, the customer gets nothing, the link says from when, and then all goes on', async () => {
  await using events = await subscribe(['InteractionAvailable']);
  const made = await offer({ availableFrom: inSeconds(7_200) });
  const { id, link, availableFrom = '' } = made;
  expect(availableFrom).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{15}$/);
  const none = await offer({ customerId: 'eve' });
  expect('availableFrom' in none).toBe(false);
  const browser = await openBrowser(baseUrl, workspace, 'ada');
  expect(await pendingOf(browser)).toBeNull();

  const page = await (await fetch(link)).text();
  expect(page).toContain(`can begin from ${availableFrom.slice(0, 16).replace('T', ' ')} UTC`);
  const visitor = createPublicClient({ baseUrl });
  const opened = await visitor.createLinkSession({ token: link.split('/').at(-1) ?? '' });
  const session = visitor.session(opened);
  expect(await session.getConversation(id)).toMatchObject({ status: 'Pending', availableFrom, entries: [] });
  await expect(session.startConversation(id)).rejects.toMatchObject({
    status: 409,
    type: 'not-available-yet',
  });

  const moved = await parley(['interaction', 'available', id, '--from', inSeconds(60)]);
  expect(moved.stdout).toContain(`interaction ${id} is available from `);
  expect((await parley(['interaction', 'available', id, '--now'])).stdout).toBe(
    `interaction ${id} is available at once\n`,
  );
  await eventually(async () =>
    expect(await events.got()).toMatchObject([
      { type: 'InteractionAvailable', data: { id, status: 'Pending' } },
    ]),
  );
  expect(await pendingOf(browser)).toMatchObject({ interactionId: id });
  expect((await session.startConversation(id)).status).toBe('InProgress');
  await expect(
    workspace.client.interactions.update(id, { availableFrom: inSeconds(9) }),
  ).rejects.toMatchObject({
    status: 409,
    type: 'illegal-availability',
  });
  await expect(offer({ availableFrom: inSeconds(400 * 86_400) })).rejects.toMatchObject({ status: 400 });
});

test('the recipe of docs/reach.md offers later, and reminds after three days', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/reach.md'), 'utf8');
  const block = (start: string): string => page.split(`\`\`\`${start}\n`)[1]?.split('\n```')[0] ?? '';
  const lines = (name: string) => block(`sh ${name}`).replaceAll('$PARLEY_URL', baseUrl).split('\n');
  await using events = await subscribe(['InteractionReminderDue']);
  const folder = await mkdtemp(join(tmpdir(), 'parley-later-'));
  try {
    await writeFile(join(folder, 'guests.csv'), block('csv guests.csv'));
    await writeFile(join(folder, 'reminding.json'), block('json reminding.json'));
    await writeFile(join(folder, 'receiver.mjs'), block('js remind'));
    for (const line of [...lines('remind'), ...lines('later')]) {
      const { stderr, exitCode } = await parley(line.split(' ').slice(1), folder);
      expect([line, exitCode, exitCode === 0 ? '' : stderr]).toEqual([line, 0, '']);
    }
    const { data } = await workspace.client.interactions.list();
    const [hidden, now] = [data.filter((one) => one.availableFrom), data.filter((one) => !one.availableFrom)];
    expect([hidden.length, now.length]).toEqual([2, 2]);
    const [me] = now.filter(({ customerId }) => customerId === 'me');
    if (!me) throw new Error('there is no interaction of me');
    const shown = await workspace.client.interactions.get(me.id, { include: 'details' });
    expect(shown.details?.reminders?.map(({ number }) => number)).toEqual([1, 2]);

    const browser = await openBrowser(baseUrl, workspace, 'my-colleague');
    await browser.start((await pendingOf(browser))?.interactionId ?? '');
    await pass(3 * 86_400);
    await eventually(async () =>
      expect(await events.got()).toMatchObject([
        { type: 'InteractionReminderDue', data: { id: me.id, number: 1, link: me.link } },
      ]),
    );
    const receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: folder });
    try {
      let printed = '';
      receiver.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await eventually(async () => {
        const [request] = events.requests;
        await fetch('http://127.0.0.1:8787/', { method: 'POST', body: request?.body.toString() ?? '' });
        expect(printed).toContain(`To me, reminder 1: ${me.link}`);
      });
    } finally {
      receiver.kill();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
