import { Webhook } from '@parley/contracts/webhook/v1/webhook';
import { fieldsOf } from '@parley/postgres/fields';
import { type Kysely, sql } from 'kysely';
import { endOpen, endRest } from '../deliveries/end-store.ts';
import { listenedUntilNow } from '../deliveries/listening-sql.ts';
import type { Tables, WebhookKey } from '../schema.ts';
import { inTransaction } from '../transaction.ts';

type Db = Kysely<Tables>;

const fields = fieldsOf(Webhook);

/** Which row, as it was read: a change hits no row when it has changed since. */
export type Read = Pick<Webhook, 'id' | 'version'> & { workspaceId: string };

export interface SealedSecret {
  id: string;
  secret: string;
}

interface NewWebhook extends Omit<Webhook, 'version'> {
  workspaceId: string;
  /** Sealed, as is the signing secret. */
  secretToken: string;
  secretTokenFingerprint: Buffer;
  signingSecret: SealedSecret;
}

/** As `insertWebhook`, unless the workspace has `webhooksMax` already: then undefined. */
export async function insertWithin(
  db: Db,
  webhook: NewWebhook,
  webhooksMax: number,
): Promise<Webhook | undefined> {
  const { workspaceId } = webhook;
  return inTransaction(db, async (trx) => {
    // Who counts waits until those who counted before have ended, and sees what they made: a new statement looks anew.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${workspaceId}`}, 0))`.execute(
      trx,
    );
    const { number } = await trx
      .selectFrom('webhook')
      .where('workspaceId', '=', workspaceId)
      .where('deletedAt', 'is', null)
      .select(({ fn }) => fn.countAll<number>().as('number'))
      .executeTakeFirstOrThrow();
    return number < webhooksMax ? insertWebhook(trx, webhook) : undefined;
  });
}

/** One statement for all rows. Breaks `webhook_secret_token_unique` when the secret token is in use. */
export async function insertWebhook(db: Db, { signingSecret, ...webhook }: NewWebhook): Promise<Webhook> {
  const { id: webhookId, workspaceId } = webhook;
  return db
    .with('signing', (qb) =>
      qb.insertInto('signingSecret').values({ ...signingSecret, webhookId, workspaceId, expiresAt: null }),
    )
    .with('lane', (qb) => qb.insertInto('lane').values({ webhookId, workspaceId }))
    .insertInto('webhook')
    .values({
      ...webhook,
      activeSince: webhook.isActive ? sql<Date>`now()` : null,
      listeningSince: webhook.isActive ? sql<Date>`now()` : null,
      inactiveReason: webhook.isActive ? null : 'user',
      deletedAt: null,
    })
    .returning(fields)
    .executeTakeFirstOrThrow();
}

/** Undefined for a deleted one. */
export async function findWebhook(db: Db, workspaceId: string, id: string): Promise<Webhook | undefined> {
  return db
    .selectFrom('webhook')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .select(fields)
    .executeTakeFirst();
}

/** Oldest first: ids rise with time. */
export async function listWebhooks(db: Db, workspaceId: string): Promise<Webhook[]> {
  return db
    .selectFrom('webhook')
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .select(fields)
    .execute();
}

/**
 * Undefined when it has changed since it was read. What was due before stays skipped, and its lane is reset.
 */
export async function activateWebhook(db: Db, read: Read): Promise<Webhook | undefined> {
  const webhookKey = { workspaceId: read.workspaceId, webhookId: read.id };
  // All that was open when it was deactivated has to be ended before. No more follows: to deactivate it again changes it.
  await endRest(db, webhookKey);
  return db.transaction().execute(async (trx) => {
    const webhook = await change(trx, read)
      .set({
        isActive: true,
        activeSince: sql<Date>`now()`,
        listeningSince: sql<Date>`coalesce(listening_since, now())`,
        inactiveReason: null,
      })
      .returning(fields)
      .executeTakeFirst();
    if (!webhook) return undefined;
    await resetLane(trx, webhookKey);
    return webhook;
  });
}

/** So many deliveries are made due by one statement. */
const releasedMax = 10_000;

/**
 * Resets the lane of a webhook: nothing pauses it, and what waits is due at once, also what a pause of its receiver had put
 * off.
 */
export async function resetLane(db: Db, { workspaceId, webhookId }: WebhookKey): Promise<void> {
  const lane = await db
    .updateTable('lane')
    .set({
      revision: sql`revision + 1`,
      pausedUntil: null,
      pauseReason: null,
      openings: 0,
      failingSince: null,
      failingAgainAt: null,
    })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .returning(sql<Date | null>`old.paused_until`.as('pausedUntil'))
    .executeTakeFirst();
  if (!lane?.pausedUntil) return;
  await sql`
    update open_delivery set due_at = now()
    where workspace_id = ${workspaceId} and id = any(array(
      select id from open_delivery
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and held_by is null
        and due_at > now() and due_at <= ${lane.pausedUntil}::timestamptz + interval '1 millisecond'
      limit ${sql.lit(releasedMax)} for update skip locked))`.execute(db);
}

/** Somebody wants it to be off: no more events are kept for it. */
const switchedOff = { listeningSince: null, listened: listenedUntilNow, inactiveReason: 'user' } as const;

/** Undefined when it has changed since it was read. What was due is skipped. */
export async function deactivateWebhook(db: Db, read: Read): Promise<Webhook | undefined> {
  return db.transaction().execute(async (trx) => {
    const webhook = await change(trx, read)
      .set({
        isActive: false,
        activeSince: null,
        ...switchedOff,
      })
      .returning(fields)
      .executeTakeFirst();
    if (webhook) await endOpen(trx, [{ workspaceId: read.workspaceId, webhookId: read.id }], 'skipped');
    return webhook;
  });
}

/** Of one that was deactivated because it failed no more is kept from now on: its owner has said that it is to be off. */
export async function stopListening(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  await db
    .updateTable('webhook')
    .set(switchedOff)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('inactiveReason', '=', 'auto')
    .execute();
}

/** False when it has changed since it was read. Its secrets are gone and what was due is discarded. */
export async function deleteWebhook(db: Db, read: Read): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const deleted = await change(trx, read)
      .set({
        isActive: false,
        activeSince: null,
        listeningSince: null,
        inactiveReason: null,
        secretToken: null,
        secretTokenFingerprint: null,
        headers: null,
        deletedAt: sql`now()`,
      })
      .returning('id')
      .executeTakeFirst();
    if (!deleted) return false;
    await trx
      .deleteFrom('signingSecret')
      .where('webhookId', '=', read.id)
      .where('workspaceId', '=', read.workspaceId)
      .execute();
    await endOpen(trx, [{ workspaceId: read.workspaceId, webhookId: read.id }], 'discarded');
    return true;
  });
}

/**
 * Adds a signing secret, and a private key for a webhook that has one; lets the others end after the overlap. False when
 * there is no such webhook.
 */
export async function addSigningSecret(
  db: Db,
  webhook: { workspaceId: string; id: string },
  { secret, privateKey }: { secret: SealedSecret; privateKey: SealedSecret },
  overlapSeconds: number,
): Promise<boolean> {
  const { workspaceId, id: webhookId } = webhook;
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('webhook')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', webhookId)
      .where('deletedAt', 'is', null)
      .select('isAsymmetric')
      .forUpdate()
      .executeTakeFirst();
    if (!found) return false;
    const end = sql<Date>`now() + make_interval(secs => ${overlapSeconds})`;
    await trx
      .updateTable('signingSecret')
      .set({ expiresAt: sql`least(expires_at, ${end})` })
      .where('workspaceId', '=', workspaceId)
      .where('webhookId', '=', webhookId)
      .execute();
    await trx
      .deleteFrom('signingSecret')
      .where('workspaceId', '=', workspaceId)
      .where('webhookId', '=', webhookId)
      .where('expiresAt', '<=', sql<Date>`now()`)
      .execute();
    const owned = { webhookId, workspaceId, expiresAt: null };
    await trx
      .insertInto('signingSecret')
      .values([
        { ...secret, ...owned, kind: 'hmac' },
        ...(found.isAsymmetric ? [{ ...privateKey, ...owned, kind: 'ed25519' as const }] : []),
      ])
      .execute();
    await raiseRevision(trx, { workspaceId, webhookId });
    return true;
  });
}

/** Has the owner of the lane read the webhook, its secrets and its options again before its next attempt. */
export async function raiseRevision(db: Db, { workspaceId, webhookId }: WebhookKey): Promise<void> {
  await db
    .updateTable('lane')
    .set({ revision: sql`revision + 1` })
    .where('workspaceId', '=', workspaceId)
    .where('webhookId', '=', webhookId)
    .execute();
}

/** The update of a row as it was read; raises its version. */
export function change(db: Db, { workspaceId, id, version }: Read) {
  return db
    .updateTable('webhook')
    .set({ version: version + 1 })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deletedAt', 'is', null);
}
