import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CustomerExport } from '@parley/client';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { createWorkspace } from '@parley/testing/api';
import { expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract 2, section 10: everything stored about a person, no secret, nothing about others.

const { baseUrl } = inject('local');
const person = { firstName: 'Zdislava', lastName: 'Quokkowska', email: 'zdislava@example.com' };
const other = { firstName: 'Markéta', lastName: 'Wombatova', email: 'marketa@example.com' };
const said = ['2', 'The wombats were late', 'yes', 'call@example.com'];

/** A workspace in which this person and another one have completed a conversation that a webhook got. */
async function populate() {
  const workspace = await createWorkspace(baseUrl, inject('operator'));
  const botId = await workspace.publish(npsBot);
  const receiver = await startReceiver(() => ({ status: 200, body: 'answer-of-the-receiver' }));
  const { webhooks } = workspace.client;
  const hook = await webhooks.create({
    url: `${receiver.url}?key=s3cret-of-the-address`,
    secretToken: 's3cret-token',
    isActive: true,
  });
  await webhooks.updateOptions(hook.id, { headers: { 'x-key': 's3cret-header' } });
  const links: string[] = [];
  const converse = async (customerId: string, details: object, answers: string[]): Promise<string> => {
    await workspace.api.post('/customers', { id: customerId, ...details });
    const { id, link } = await workspace.client.interactions.create({
      customerId,
      botId,
      status: 'Pending',
      context: [{ key: 'productName', value: `Tea of ${customerId}` }],
    });
    links.push(link.slice(link.lastIndexOf('/') + 1));
    const browser = await openBrowser(baseUrl, workspace, customerId);
    let snapshot = await browser.start(id);
    for (const text of answers) snapshot = await browser.say(id, snapshot, { text });
    expect(snapshot.status).toBe('Completed');
    return id;
  };
  const id = await converse('p', person, said);
  await converse('o', other, ['2', 'The other was early', 'no']);
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  await receiver[Symbol.asyncDispose]();
  return { workspace, hook, receiver, id, links };
}

test('has everything stored about the person, no secret, and nothing about others', async () => {
  const { workspace, hook, receiver, id, links } = await populate();
  const whole = await eventually(async () => {
    const { body } = await workspace.api.get<CustomerExport>('/customers/p/export');
    expect(body.data.deliveries[0]?.state).toBe('succeeded');
    return body;
  });
  const { data } = whole;
  const { interactions, deliveries } = data;
  expect(data).toMatchObject({ schemaVersion: 1, customer: { id: 'p', ...person } });
  expect(interactions).toHaveLength(1);
  expect(interactions[0]).toMatchObject({
    id,
    status: 'Completed',
    bot: { version: 1 },
    startedAt: expect.any(String),
    completedAt: expect.any(String),
    link: { createdAt: expect.any(String), expiresAt: null },
    context: [{ key: 'productName', value: 'Tea of p' }],
    evaluation: { nps_score: '2', reason: said[1], contact_email: said[3] },
    conversation: { customer: { id: 'p', ...person }, answers: { why: said[1] } },
  });
  const customerSaid = interactions[0]?.transcript?.filter(({ type }) => type === 'customer');
  expect(customerSaid?.map(({ body }) => body)).toContain(said[1]);
  expect(deliveries).toEqual([
    {
      id: expect.any(String),
      event: 'InteractionCompleted',
      eventId: expect.any(String),
      interactionId: id,
      webhookId: hook.id,
      receiver: receiver.url,
      state: 'succeeded',
      attempts: 1,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    },
  ]);
  const text = JSON.stringify(whole);
  expect(text).not.toMatch(/s3cret|whsec_|prl_|answer-of-the-receiver/);
  for (const link of links) expect(text).not.toContain(link);
  expect(text).not.toMatch(/Markéta|Wombatova|marketa|"o"|Tea of o|The other/);
});

test('after an anonymisation, has no personal data; another workspace and an unknown customer get 404', async () => {
  const { workspace } = await populate();
  await workspace.client.customers.anonymise('p');
  const { body } = await workspace.api.get<CustomerExport>('/customers/p/export');
  expect(JSON.stringify(body)).not.toMatch(/Zdislava|Quokkowska|zdislava@|call@/i);
  expect(body.data.interactions).toHaveLength(1);
  const stranger = await createWorkspace(baseUrl, inject('operator'));
  const foreign = await stranger.api.get('/customers/p/export');
  const unknown = await workspace.api.get('/customers/nobody/export');
  expect([foreign.status, unknown.status]).toEqual([404, 404]);
});

test('the command line writes it to a file or standard output', async () => {
  const workspace = await createWorkspace(baseUrl, inject('operator'));
  await workspace.api.post('/customers', { id: 'p', ...person });
  const folder = await mkdtemp(join(tmpdir(), 'parley-export-'));
  try {
    const env = { PARLEY_API_KEY: workspace.apiKey, PARLEY_API_SECRET: workspace.apiSecret };
    const run = (...args: string[]) =>
      runCommand(['customer', 'export', ...args, '--url', baseUrl], { cwd: folder, env });
    const printed = await run('p');
    expect([printed.exitCode, printed.stderr]).toEqual([0, '']);
    expect(JSON.parse(printed.stdout)).toMatchObject({
      timeZone: 'UTC',
      customer: person,
      interactions: [],
      deliveries: [],
    });
    const written = await run('p', '--output', 'p.json');
    expect(written.stdout).toBe('p.json has 0 interactions and 0 deliveries of p\n');
    expect(JSON.parse(await readFile(join(folder, 'p.json'), 'utf8'))).toMatchObject({ customer: person });
    expect((await run('nobody')).exitCode).toBe(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
