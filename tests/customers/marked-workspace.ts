import { randomUUID } from 'node:crypto';
import { perDetail } from '@parley/contracts/customer-details';
import type { OperatorAccess } from '@parley/local/demo/demo';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { expect } from 'vitest';
import { anonymise } from './anonymise.ts';
import { openBrowser } from '../conversations/conversation.ts';
import type { Names } from '../observed/isolation-ways.ts';
import { linkTokenOf } from '../conversations/public-sessions.ts';

const details = perDetail((name) => `mark${name.toLowerCase()}@example.com`);

/** Personal data, each with a word that is nowhere else. */
export const marks = {
  ...details,
  street: 'Markstreet 1',
  reason: 'Because of Markreason',
  contact: 'markcontact@example.com',
  receiver: 'Markreceiver was here',
};

/** Returns a bot that asks for personal and other values. A value of its evaluation begins with `greeting`. */
export const markedBot = (greeting = 'To ') => ({
  schemaVersion: 1,
  key: 'marked',
  name: 'Marked',
  type: 'NPS',
  context: [
    { name: 'product', default: 'tea' },
    { name: 'street', pii: true },
  ],
  evaluation: { score: {}, reason: { pii: true }, habit: { pii: true }, greeting: {} },
  steps: [
    { id: 'hi', kind: 'say', text: 'Hello {{customer.firstName}} of {{context.street}}' },
    { id: 'score', kind: 'ask', text: 'How much?', input: { type: 'nps' }, evaluation: 'score' },
    { id: 'reason', kind: 'ask', text: 'Why?', input: { type: 'longText' }, evaluation: 'reason' },
    {
      id: 'habit',
      kind: 'ask',
      text: 'Which?',
      input: { type: 'choice', choices: [{ value: 'tea', label: 'Tea' }] },
      evaluation: 'habit',
    },
    { id: 'contact', kind: 'ask', text: 'Where?', input: { type: 'email' }, pii: true },
    { id: 'greet', kind: 'set', evaluation: { greeting: `"${greeting}" + customer.lastName` } },
    { id: 'bye', kind: 'end', text: 'Thank you' },
  ],
});

/** A customer's completed conversation, with its delivery, and what else calls name. */
export async function createMarkedWorkspace(baseUrl: string, operator: OperatorAccess) {
  const workspace = await createWorkspace(baseUrl, operator);
  const { client } = workspace;
  const bot = markedBot();
  const botId = await workspace.publish(bot);
  await client.bots.saveDraft(botId, { definition: bot });
  const receiver = await startReceiver(({ body }) => ({
    status: 200,
    body: `${marks.receiver}: ${body.toString()}`,
  }));
  const hook = await client.webhooks.create({ url: receiver.url, secretToken: 's', isActive: true });
  // Its receiver repeats whole interactions, with their links.
  await client.webhooks.updateOptions(hook.id, { envelope: true });
  await client.customers.create({ id: 'c', ...details });
  const creation = {
    customerId: 'c',
    botKey: bot.key,
    status: 'Pending' as const,
    context: [
      { key: 'street', value: marks.street },
      { key: 'product', value: 'coffee' },
    ],
  };
  const { id, link } = await client.interactions.create(creation);
  const browser = await openBrowser(baseUrl, workspace, 'c');
  let snapshot = await browser.start(id);
  for (const text of ['9', marks.reason]) snapshot = await browser.say(id, snapshot, { text });
  snapshot = await browser.say(id, snapshot, { value: 'tea' });
  snapshot = await browser.say(id, snapshot, { text: marks.contact });
  expect(snapshot.status).toBe('Completed');
  const delivery = await eventually(async () => {
    const { data } = await client.webhooks.deliveries.list(hook.id);
    expect(data[0]?.state).toBe('succeeded');
    return data[0];
  });
  const recovery = await client.webhooks.recover(hook.id, { since: '2026-01-01T00:00:00Z' });
  await client.customers.create({ id: 'erased', ...details });
  const erased = await anonymise(workspace, 'erased');
  const member = await client.members.invite({ email: 'colleague@shop.example', role: 'viewer' });
  const portalLink = await client.webhooks.portalLinks.create({});
  const openLink = await client.bots.openLinks.create(botId, { name: 'Table' });
  // A new insight service counts everything before it answers.
  await eventually(() => client.bots.getInsight(botId));
  const names: Names = {
    workspaceId: workspace.id,
    interactionId: id,
    customerId: 'c',
    botId,
    version: '1',
    botKey: '',
    webhookId: hook.id,
    deliveryId: delivery?.id ?? '',
    eventId: delivery?.webhookMessageId ?? '',
    recoveryId: recovery.id,
    erasureId: erased.id,
    memberId: member.memberId,
    portalLinkId: portalLink.id,
    openLinkId: openLink.id,
    presenceId: randomUUID(),
    apiKey: workspace.apiKey,
    customerToken: '',
    linkToken: linkTokenOf({ link }),
  };
  return { workspace, receiver, names, creation };
}
