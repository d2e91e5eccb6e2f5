import type { Kysely } from 'kysely';
import { parkBlocked, readDue } from '../../src/dispatch/due-store.ts';
import type { Ordering, Tables } from '../../src/schema.ts';
import { addHook, type Hook, type Read, setOptions } from './lanes.ts';

export async function addOrdered(db: Kysely<Tables>, ordering: Ordering): Promise<Hook> {
  const hook = await addHook(db);
  await setOptions(db, hook, { ordering });
  return hook;
}

export const eventIds = (read: readonly Read[]): string[] => read.map((delivery) => delivery.eventId);

/** Returns the open deliveries of a webhook, in the order of arrival. */
export async function openOf(db: Kysely<Tables>, hook: Hook) {
  return db
    .selectFrom('openDelivery')
    .where('workspaceId', '=', hook.workspaceId)
    .where('webhookId', '=', hook.id)
    .orderBy('id')
    .selectAll()
    .execute();
}

/** Returns the finished deliveries of a webhook, in the order of arrival. */
export async function finishedOf(db: Kysely<Tables>, hook: Hook) {
  return db
    .selectFrom('finishedDelivery')
    .where('workspaceId', '=', hook.workspaceId)
    .where('webhookId', '=', hook.id)
    .orderBy('id')
    .selectAll()
    .execute();
}

/**
 * Returns the deliveries of a webhook that its owner may send now, up to 100. Parks deliveries that must wait, as the
 * owner does.
 */
export async function takeSendable(
  db: Kysely<Tables>,
  hook: Hook,
  inFlight: Iterable<string> = [],
): Promise<Read[]> {
  const nowMs = Date.now();
  const wanted = [{ webhookId: hook.id, number: 100 }];
  const read = await readDue(db, wanted, { nowMs, inFlight: [...inFlight] });
  const isWaiting = read.some(({ isBlocked }) => isBlocked);
  if (isWaiting) await parkBlocked(db, { workspaceId: hook.workspaceId, webhookId: hook.id }, nowMs);
  return read.flatMap((one) => (one.isBlocked ? [] : [{ ...one, workspaceId: hook.workspaceId }]));
}
