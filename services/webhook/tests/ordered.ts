import { type Kysely, sql } from 'kysely';
import type { Claimed } from '../src/delivering/claim-store.ts';
import type { Tables, WebhookTable } from '../src/schema.ts';
import { addHook, type Hook, setOptions } from './lanes.ts';

/** An active webhook whose deliveries go out in an order, with a lane that has shown itself prompt. */
export async function addOrdered(
  db: Kysely<Tables>,
  ordering: WebhookTable['ordering']['__select__'],
  inFlightMax = 32,
): Promise<Hook> {
  const hook = await addHook(db, { isPrompt: true, inFlightMax });
  await setOptions(db, hook, { ordering });
  return hook;
}

export const eventIds = (claimed: readonly Claimed[]): string[] =>
  claimed.map((delivery) => delivery.eventId);

/** What is open for a webhook, in the order in which it came. */
export async function openOf(db: Kysely<Tables>, hook: Hook) {
  return db
    .selectFrom('openDelivery')
    .where('workspaceId', '=', hook.workspaceId)
    .where('webhookId', '=', hook.id)
    .orderBy('id')
    .selectAll()
    .execute();
}

/** Makes what is open, or these of it, due now, as time would do: when a retry is due, or a worker has died. */
export async function makeDue(
  db: Kysely<Tables>,
  hooks: readonly Hook[],
  only?: readonly Claimed[],
): Promise<void> {
  const ids = only?.map((delivery) => delivery.id);
  await db.transaction().execute(async (trx) => {
    for (const hook of hooks.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      await trx
        .updateTable('lane')
        .set({ readyAt: new Date(), lapsesAt: sql`case when under_way > 0 then now() end` })
        .where('workspaceId', '=', hook.workspaceId)
        .where('webhookId', '=', hook.id)
        .execute();
      await trx
        .updateTable('openDelivery')
        .set({ dueAt: new Date(), leaseEnd: sql`case when lease_token is not null then now() end` })
        .where('workspaceId', '=', hook.workspaceId)
        .where('webhookId', '=', hook.id)
        .$if(ids !== undefined, (qb) => qb.where('id', '=', sql<string>`any(${ids}::uuid[])`))
        .execute();
    }
  });
}
