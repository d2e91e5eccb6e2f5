import { randomUUID } from 'node:crypto';
import { interactionCompleted } from '@parley/contracts/events';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { createHandling } from '@parley/events/handling';
import { inboxOf } from '@parley/events/inbox';
import { newEvent } from '@parley/events/log';
import { connect } from '@parley/rpc/connect';
import { createComputeQueue } from '@parley/runtime/scheduling/compute-queue';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, type ReceivedRequest, startReceiver } from '@parley/testing/peers/receiver';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fanOut } from '../src/intake/fan-out.ts';
import { incoming, storeEvents } from './lanes/lanes.ts';
import { oneWaits } from './lanes/locks.ts';
import { call, type Completed, completed, type System, startSystem } from './system.ts';

// The service stores and sends no body from before an anonymisation that has reached it.

const old = Buffer.from('{"name":"Ada Lovelace"}');
const redacted = Buffer.from('{"name":"[removed]"}');

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => {
  system.interactions.onAnswer = () => {};
});

/** A workspace with one active webhook and its receiver. */
async function subscription(
  respond?: (request: ReceivedRequest, index: number) => ReceiverAnswer | Promise<ReceiverAnswer>,
) {
  const receiver = await startReceiver(respond);
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  return { ...receiver, id, workspaceId };
}

/** Calls `RedactEvents` about the customer of these events. Returns the count of its answer. */
async function redact(
  events: readonly Pick<Completed, 'workspaceId' | 'customerId' | 'interactionId'>[],
  versions: { customerVersion: number; firstVersion?: number },
): Promise<number> {
  const { workspaceId = '', customerId = '' } = events[0] ?? {};
  const interactionIds = events.map(({ interactionId }) => interactionId);
  const request = { workspaceId, customerId, interactionIds, ...versions };
  return (await system.client.redactEvents(request, call)).eventsRemoved;
}

/** Sets what the interaction service returns from now on. */
function setBody(
  { interactionId }: Pick<Completed, 'interactionId'>,
  body: Buffer,
  customerVersion: number,
): void {
  system.interactions.bodies.set(interactionId, { body, customerVersion });
}

const storedOf = (workspaceId: string) =>
  system.db
    .selectFrom('event')
    .where('workspaceId', '=', workspaceId)
    .orderBy('id')
    .select(['id', 'result as body', 'redactedVersion'])
    .execute();

const attemptsOf = (workspaceId: string) =>
  system.db
    .selectFrom('everyAttempt')
    .where('workspaceId', '=', workspaceId)
    .orderBy('number')
    .select(['number', 'responseExcerpt'])
    .execute();

const settled = (workspaceId: string, attempts: number): Promise<void> =>
  eventually(async () => {
    const deliveries = system.db.selectFrom('delivery').where('workspaceId', '=', workspaceId);
    const states = await deliveries.select(['state', 'attempts']).execute();
    expect(states).toEqual([{ state: 'succeeded', attempts }]);
  });

test('the next attempt sends a redacted body, and answers to the former body are deleted', async () => {
  const secondAnswer = Promise.withResolvers<ReceiverAnswer>();
  const answers: (ReceiverAnswer | Promise<ReceiverAnswer>)[] = [
    { status: 500, body: 'Ada Lovelace' },
    secondAnswer.promise,
  ];
  await using hook = await subscription(
    (_request, index) => answers[index] ?? { status: 200, body: 'Ada Lovelace' },
  );
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body: old });
  await system.raise([event]);
  await eventually(() => expect(hook.requests).toHaveLength(2));
  setBody(event, redacted, 2);
  await redact([event], { customerVersion: 2 });
  expect(await attemptsOf(workspaceId)).toMatchObject([{ responseExcerpt: null }]);
  secondAnswer.resolve({ status: 500, body: 'Ada Lovelace' });
  await settled(workspaceId, 3);
  expect(hook.requests[2]?.body.equals(redacted)).toBe(true);
  expect((await attemptsOf(workspaceId)).map(({ responseExcerpt }) => responseExcerpt)).toEqual([
    null,
    null,
    null,
  ]);
});

test('an event whose body was read before an anonymisation and is stored after it gets the body of after', async () => {
  await using hook = await subscription(() => ({ status: 200, body: 'Ada Lovelace' }));
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body: old });
  const [read, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  system.interactions.onAnswer = async () => {
    system.interactions.onAnswer = () => {};
    read.resolve();
    await release.promise;
  };
  await system.raise([event]);
  await read.promise;
  setBody(event, redacted, 2);
  expect(await redact([event], { customerVersion: 2 })).toBe(0);
  release.resolve();
  await settled(workspaceId, 1);
  expect(hook.requests.map(({ body }) => body.toString())).toEqual([redacted.toString()]);
  expect(await storedOf(workspaceId)).toEqual([{ id: event.id, body: redacted, redactedVersion: 2 }]);
  expect(await attemptsOf(workspaceId)).toEqual([{ number: 1, responseExcerpt: null }]);
});

test('an event whose body is still the one from before an anonymisation waits, and delays no other', async () => {
  const { db, env } = system;
  using peer = connect(env['INTERACTION_ADDRESS'] ?? '', {
    token: env['RPC_TOKEN'] ?? '',
    caller: 'webhook',
  });
  const interactions = peer.client(InteractionServiceService);
  const handling = createHandling({
    db,
    logger,
    inbox: inboxOf(db, 'webhook'),
    types: [interactionCompleted],
    ...fanOut({ db, logger, compute: createComputeQueue('test'), interactions, onDeliveries: () => {} }),
  });
  const handle = async (events: readonly Completed[]): Promise<string[]> => {
    const logged = events.map(({ id, ...message }) => ({
      ...newEvent(interactionCompleted, { ...message, completedAt: null, botId: '' }),
      id,
      traceparent: '',
      raisedAt: new Date(),
      position: 1,
      cursor: '',
    }));
    return [...(await handling(logged, { signal: new AbortController().signal })).waits];
  };
  await using hook = await subscription();
  await using other = await subscription();
  const [event, another] = [hook, other].map(({ workspaceId }) => completed({ workspaceId }));
  if (!event || !another) throw new Error('two events');
  for (const one of [event, another]) setBody(one, old, 0);
  await redact([event], { customerVersion: 2 });
  expect(await handle([event, another])).toEqual([event.id]);
  expect(await storedOf(other.workspaceId)).toMatchObject([{ id: another.id }]);
  expect(await storedOf(hook.workspaceId)).toEqual([]);
  expect(await handle([event, another])).toEqual([]);
  setBody(event, redacted, 2);
  await eventually(async () =>
    expect(await storedOf(hook.workspaceId)).toEqual([{ id: event.id, body: redacted, redactedVersion: 2 }]),
  );
});

test('an anonymisation waits for events that are being stored, and replaces their bodies', async () => {
  await using session = await openSqlConnection(system.adminUrl);
  await using hook = await subscription();
  const { workspaceId } = hook;
  const event = { ...incoming(hook), result: old };
  setBody(event, redacted, 2);
  const trx = await system.db.startTransaction().execute();
  await storeEvents(trx, [event]);
  const redacting = redact([event], { customerVersion: 2 });
  await oneWaits(session);
  await trx.commit().execute();
  expect(await redacting).toBe(1);
  expect(await storedOf(workspaceId)).toEqual([{ id: event.id, body: redacted, redactedVersion: 2 }]);
});

test('all stored events of the interactions get new bodies, and a repeated call has the same count', async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const interactionId = randomUUID();
  const [first, second, third, other] = [
    completed({ workspaceId, interactionId, body: old }),
    completed({ workspaceId, interactionId, body: old }),
    completed({ workspaceId, body: old }),
    completed({ workspaceId, body: old }),
  ];
  await system.raise([first, second, third, other]);
  await eventually(() => expect(hook.requests).toHaveLength(4));
  for (const event of [first, third]) setBody(event, redacted, 2);
  const bodies = async () => new Map((await storedOf(workspaceId)).map((one) => [one.id, one.body]));
  const erasure = { customerVersion: 2, firstVersion: 2 };
  for (let call = 1; call <= 2; call += 1) {
    expect(await redact([first, third], erasure)).toBe(3);
    expect(await bodies()).toEqual(
      new Map([
        [first.id, redacted],
        [second.id, redacted],
        [third.id, redacted],
        [other.id, old],
      ]),
    );
  }
  // A further page of the same erasure counts them, another erasure does not.
  const again = Buffer.from('{"name":"again"}');
  for (const event of [first, third]) setBody(event, again, 4);
  expect(await redact([first, third], { customerVersion: 4, firstVersion: 2 })).toBe(3);
  expect(await redact([first, third], { customerVersion: 6, firstVersion: 5 })).toBe(0);
});

test('a body that was replaced for a later version of the customer stays', async () => {
  await using hook = await subscription();
  const event = completed({ workspaceId: hook.workspaceId, body: old });
  await system.raise([event]);
  await settled(hook.workspaceId, 1);
  setBody(event, redacted, 4);
  await redact([event], { customerVersion: 4 });
  setBody(event, old, 2);
  await redact([event], { customerVersion: 2 });
  expect(await storedOf(hook.workspaceId)).toEqual([{ id: event.id, body: redacted, redactedVersion: 4 }]);
});

test("no workspace can replace the body of another's event, or delay it", async () => {
  await using hook = await subscription();
  const { workspaceId } = hook;
  const event = completed({ workspaceId, body: old });
  await system.raise([event]);
  await settled(workspaceId, 1);
  setBody(event, redacted, 2);
  expect(await redact([{ ...event, workspaceId: randomUUID() }], { customerVersion: 2 })).toBe(0);
  expect(await storedOf(workspaceId)).toEqual([{ id: event.id, body: old, redactedVersion: null }]);
  await system.raise([completed({ workspaceId, body: old })]);
  await eventually(() => expect(hook.requests).toHaveLength(2));
});
