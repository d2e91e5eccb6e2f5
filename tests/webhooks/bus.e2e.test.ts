import { randomUUID } from 'node:crypto';
import { eventNames } from '@parley/contracts/event-names';
import { eventTypes, interactionCompleted } from '@parley/contracts/events';
import { EventLogServiceService } from '@parley/contracts/events/v1/log';
import { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { FactsServiceService } from '@parley/contracts/interaction/v1/facts';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { connect } from '@parley/rpc/connect';
import { type BusMessage, type BusReader, openBusReader } from '@parley/testing/database/bus';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, inject, test } from 'vitest';
import { anonymise } from '../customers/anonymise.ts';
import { openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

const { baseUrl, natsUrl, postgresUrl } = inject('local');
const person = { firstName: 'Zbigniewa', lastName: 'Kowalskowa', email: 'zbigniewa@example.com' };
const personal = /zbigniewa|kowalskowa/i;

/**
 * Makes every event of the catalogue happen in a new workspace, and waits until a webhook has got every public one.
 * Returns what the events are about, by subject.
 */
async function raiseAll() {
  const { workspace, create, patch } = await createNpsWorkspace(baseUrl, inject('operator'));
  await workspace.api.post('/customers', { id: 'c-1', ...person });
  const context = [{ key: 'productName', value: `the shop of ${person.firstName}` }];
  await using receiver = await startReceiver(() => ({ status: 410 }));
  const hook = { url: receiver.url, secretToken: person.lastName, isActive: true };
  await using everything = await startReceiver();
  await workspace.api.post('/webhooks', {
    url: everything.url,
    secretToken: 'of another one',
    isActive: true,
    events: eventNames,
  });
  const webhook = await workspace.api.post<{ id: string }>('/webhooks', hook);
  // An event of its own for each: events about one interaction could hide each other.
  const begin = async (): Promise<string> => {
    const { body } = await create({ customerId: 'c-1', status: 'Pending', context });
    return body.data.id;
  };
  const [completed, stalled, expired] = [await begin(), await begin(), await begin()];
  const browser = await openBrowser(baseUrl, workspace, 'c-1');
  let snapshot = await browser.start(completed);
  for (const text of ['2', `I am ${person.firstName}`, 'yes', person.email])
    snapshot = await browser.say(completed, snapshot, { text });
  expect(snapshot.status).toBe('Completed');
  await browser.start(stalled);
  await using admin = await openSqlConnection(postgresUrl);
  // As the service has it: the table has a trigger.
  await admin.query('set search_path = interaction');
  await admin.query('update interaction set stalls_at = now() where id = $1', [stalled]);
  await patch(expired, { status: 'Expired' });
  await eventually(async () => {
    const rows = await admin.query(
      `select from interaction.event_log where type = 'parley.interaction.stalled.v1' and about = $1`,
      [stalled],
    );
    expect(rows).toHaveLength(1);
  });
  const { client } = workspace;
  const reminding = Object.assign({}, npsBot, { key: 'reminding', reminders: [{ afterSeconds: 3_600 }] });
  const { id: available } = await client.interactions.create({
    customerId: 'c-3',
    botId: await workspace.publish(reminding),
    status: 'Pending',
    context,
    availableFrom: new Date().toISOString(),
  });
  await eventually(async () => {
    const moved = await admin.query(
      `update interaction.availability set available_at = available_at - interval '1 hour',
        due_at = due_at - interval '1 hour' where interaction_id = $1 and is_announced returning 1`,
      [available],
    );
    expect(moved).toHaveLength(1);
  });
  const resumed = await begin();
  await patch(resumed, { status: 'Expired' });
  await patch(resumed, { status: 'Pending', expiry: 600 });
  await anonymise(workspace, 'c-1');
  const deleted = (await create({ customerId: 'c-2' })).body.data.id;
  await client.interactions.delete(deleted);
  await client.customers.delete('c-2');
  const abouts = {
    'parley.interaction.created.v1': [completed, stalled, expired, available, resumed, deleted],
    'parley.interaction.available.v1': [available],
    'parley.interaction.reminder-due.v1': [available],
    'parley.interaction.started.v1': [completed, stalled],
    'parley.interaction.stalled.v1': [stalled],
    'parley.interaction.resumed.v1': [resumed],
    'parley.interaction.completed.v1': [completed],
    // The anonymisation ends the conversations that nobody has answered.
    'parley.interaction.expired.v1': [stalled, expired, resumed, resumed],
    'parley.interaction.redacted.v1': [completed, stalled, expired, resumed],
    'parley.interaction.deleted.v1': [deleted],
    'parley.customer.anonymised.v1': ['c-1'],
    'parley.customer.deleted.v1': ['c-2'],
    'parley.webhook.deactivated.v1': [webhook.body.data.id],
  };
  await eventually(() => {
    const names = everything.requests.map(({ headers }) => String(headers['x-parley-event']));
    expect(eventNames.filter((name) => !names.includes(name))).toEqual([]);
  });
  return { workspaceId: workspace.id, abouts };
}

/** Adds the messages of the workspace that the reader can read now. */
async function readAll(reader: BusReader, workspaceId: string, read: BusMessage[]): Promise<void> {
  for (let message = await reader.next(); message; message = await reader.next()) {
    if (message.headers['ce-parleyworkspace'] === workspaceId) read.push(message);
  }
}

const aboutsOf = (messages: readonly BusMessage[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(messages, ({ subject }) => subject)].map(([subject, group]) => [
      subject,
      group.map(({ headers }) => headers['ce-subject'] ?? '').toSorted(),
    ]),
  );

/** Reads the logs of all services to their ends, as a catch-up does. Returns the ids of the workspace's events. */
async function idsInLogs(workspaceId: string): Promise<string[]> {
  const operator = inject('operator');
  const found: string[] = [];
  for (const service of ['customer', 'interaction', 'webhook'] as const) {
    using peer = connect(operator[service], { token: operator.consumerToken, caller: 'consumer' });
    const log = peer.client(EventLogServiceService);
    let [after, hasMore] = ['', true];
    while (hasMore) {
      const request = { after, types: eventTypes.map(({ subject }) => subject), limit: 0, fromNow: false };
      const page = await log.listEvents(request, { requestId: randomUUID() });
      found.push(...page.events.flatMap((one) => (one.workspaceId === workspaceId ? one.id : [])));
      [after, hasMore] = [page.cursor, page.hasMore];
    }
  }
  return found.toSorted();
}

test('two teams read every event with a plain NATS client, while a durable that nobody reads harms neither', async () => {
  const name = randomUUID();
  await using _gone = await openBusReader(natsUrl, `gone-${name}`);
  await using one = await openBusReader(natsUrl, `one-${name}`);
  await using other = await openBusReader(natsUrl, `other-${name}`);
  const { workspaceId, abouts } = await raiseAll();
  const wanted = Object.fromEntries(
    Object.entries(abouts).map(([subject, ids]) => [subject, ids.toSorted()]),
  );
  expect(Object.keys(wanted).toSorted()).toEqual(eventTypes.map(({ subject }) => subject).toSorted());
  const [read, readByOther]: [BusMessage[], BusMessage[]] = [[], []];
  await eventually(async () => {
    await readAll(one, workspaceId, read);
    await readAll(other, workspaceId, readByOther);
    expect([aboutsOf(read), aboutsOf(readByOther)]).toEqual([wanted, wanted]);
  });
  const ids = read.map(({ headers }) => headers['ce-id'] ?? '');
  expect(new Set(ids).size).toBe(read.length);
  expect(readByOther.map(({ headers }) => headers['ce-id'] ?? '').toSorted()).toEqual(ids.toSorted());
  expect(await idsInLogs(workspaceId)).toEqual(ids.toSorted());

  for (const { subject, headers, payload } of read) {
    const { traceparent, ...others } = headers;
    const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
    expect(others).toEqual({
      'ce-specversion': '1.0',
      'ce-id': expect.stringMatching(uuid) as string,
      'ce-type': subject,
      'ce-source': `/parley/${subject.split('.')[1]}`,
      'ce-time': expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      'ce-subject': expect.any(String) as string,
      'ce-parleyworkspace': workspaceId,
      'ce-sequence': expect.stringMatching(/^[1-9]\d*$/) as string,
      'content-type': 'application/protobuf',
    });
    expect(traceparent ?? 'none').toMatch(/^(?:00-[\da-f]{32}-[\da-f]{16}-0[01]|none)$/);
    const type = eventTypes.find((known) => known.subject === subject);
    const message = type?.message.decode(payload);
    expect(message).toMatchObject({ workspaceId });
    expect(type?.aboutOf(message)).toBe(headers['ce-subject']);
    expect(`${JSON.stringify(headers)} ${Buffer.from(payload).toString()}`).not.toMatch(personal);
  }
});

test('a consumer reads the facts of its events in batches, and with a right of its own also their bodies', async () => {
  const { workspace, create, patch, botId } = await createNpsWorkspace(baseUrl, inject('operator'));
  const [open, completed] = [await create({}), await create({ status: 'Pending' })].map(
    ({ body }) => body.data.id,
  );
  if (!open || !completed) throw new Error('the interactions were not created');
  await patch(completed, { status: 'Completed' });
  const { interaction: address, consumerToken, bodyReaderToken } = inject('operator');
  using consumer = connect(address, { token: consumerToken, caller: 'consumer' });
  using reader = connect(address, { token: bodyReaderToken, caller: 'bodyreader' });
  const call = { requestId: randomUUID() };
  const types = [interactionCompleted.subject];

  const readCompletion = async (): Promise<InteractionCompleted> => {
    const log = reader.client(EventLogServiceService);
    for (let [after, hasMore] = ['', true]; hasMore; ) {
      const page = await log.listEvents({ after, types, limit: 0, fromNow: false }, call);
      const event = page.events.find(({ about }) => about === completed);
      if (event) return InteractionCompleted.decode(event.payload);
      [after, hasMore] = [page.cursor, page.hasMore];
    }
    throw new Error('the completion is not in the log yet');
  };
  expect(await eventually(readCompletion)).toMatchObject({ interactionId: completed, botId });

  const named = [open, completed, randomUUID()].map((interactionId) => ({
    workspaceId: workspace.id,
    interactionId,
  }));
  for (const peer of [consumer, reader]) {
    const conversations = named.map((one) => ({ ...one, version: 0, isStalled: false }));
    const read = await peer.client(FactsServiceService).listConversationFacts({ conversations }, call);
    expect(new Set(read.facts.map((one) => [one.interactionId, one.botId, one.status]))).toEqual(
      new Set([
        [open, botId, 'Draft'],
        [completed, botId, 'Completed'],
      ]),
    );
    expect(read.missingIds).toEqual([named[2]?.interactionId]);
  }
  const events = named.map((one) => ({ ...one, status: 'Completed' as const }));
  const { bodies } = await reader.client(InteractionServiceService).listEventBodies({ events }, call);
  expect(JSON.parse(bodies[1]?.result.toString() ?? '')).toMatchObject({ interaction_id: completed });
  expect(bodies[2]?.interaction).toHaveLength(0);
  const refused = { code: 'permission_denied', type: 'caller-not-allowed' };
  await expect(
    consumer.client(InteractionServiceService).listEventBodies({ events }, call),
  ).rejects.toMatchObject(refused);
  const tooMany = {
    events: Array.from({ length: 501 }, () => ({
      workspaceId: workspace.id,
      interactionId: open,
      status: 'Completed' as const,
    })),
  };
  await expect(reader.client(InteractionServiceService).listEventBodies(tooMany, call)).rejects.toMatchObject(
    {
      code: 'invalid_argument',
    },
  );
});
