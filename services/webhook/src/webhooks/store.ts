import { changesBetween } from '@parley/audit/rows';
import { Webhook } from '@parley/contracts/webhook/v1/webhook';
import { fieldsOf } from '@parley/postgres/sql/fields';
import type { SealedColumn } from '@parley/postgres/re-encrypt';
import { AppError, notFound, requireUnchanged } from '@parley/runtime/errors';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import { auditWebhook } from '../auditing.ts';
import { endOpen, endPageOfRest, listenedUntilNow } from '../deliveries/end-store.ts';
import { pageMax } from '../deliveries/ordering.ts';
import { eventText, type Wanted, wantedEvents } from '../subscriptions/subscription-store.ts';
import { type Db, ofWebhook, type Tables, type Trx, type WebhookKey, type WebhookTable } from '../schema.ts';

const ownFields = fieldsOf(Webhook, ['event', 'events']);
const fields = [...ownFields, wantedEvents] as const;

const withText = <Row extends Pick<Wanted, 'events'>>(row: Row) => ({ ...row, event: eventText(row.events) });

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhook', column: 'secret_token', bound: sql`'secret-token:' || id` },
  { table: 'webhook', column: 'headers', bound: sql`'headers:' || id` },
  {
    table: 'signing_secret',
    column: 'secret',
    bound: sql`case kind when 'ed25519' then 'private-key:' else 'signing-secret:' end || webhook_id`,
  },
];

export interface VersionedKey {
  workspaceId: string;
  id: string;
  version?: number | null | undefined;
}

export interface SealedSecret {
  id: string;
  secret: string;
}

interface NewWebhook
  extends Omit<Webhook, 'version' | 'event' | 'events'>,
    Pick<Wanted, 'events'>,
    Partial<Omit<Wanted, 'events'>> {
  workspaceId: string;
  /** Encrypted, as the signing secret is. */
  secretToken: string;
  signingSecret: SealedSecret;
}

const undeleted = (db: Db, workspaceId: string) =>
  db.selectFrom('webhook').where('workspaceId', '=', workspaceId).where('deletedAt', 'is', null);

/** Locks a workspace against new webhooks. Returns its webhooks. */
export async function lockWorkspace(trx: Trx, workspaceId: string) {
  // The second statement sees webhooks that were added while this one waited.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${workspaceId}`}, 0))`.execute(trx);
  return undeleted(trx, workspaceId).select(['id', 'secretToken']).execute();
}

/** Inserts a webhook, its lane, its subscription and its first signing secret in one statement. */
export async function insertWebhook(
  db: Db,
  { signingSecret, events, filter = null, isEnveloped = false, ...webhook }: NewWebhook,
): Promise<Webhook> {
  const { id: webhookId, workspaceId } = webhook;
  const since = webhook.isActive ? sql<Date>`now()` : null;
  const row = await db
    .with('signing', (qb) =>
      qb.insertInto('signingSecret').values({ ...signingSecret, webhookId, workspaceId }),
    )
    .with('lane', (qb) => qb.insertInto('lane').values({ webhookId, workspaceId }))
    .with('subscription', (qb) =>
      // Since ever: the webhook decides since when it listens.
      qb
        .insertInto('subscription')
        .values({ events, filter, isEnveloped, webhookId, workspaceId, since: new Date(0) }),
    )
    .insertInto('webhook')
    .values({
      ...webhook,
      event: eventText(events),
      activeSince: since,
      listeningSince: since,
      inactiveReason: webhook.isActive ? null : 'user',
    })
    .returning(ownFields)
    .executeTakeFirstOrThrow();
  return withText({ ...row, events });
}

/** Throws NOT_FOUND if the workspace has no such webhook, or has deleted it. */
export async function findWebhook(db: Db, { workspaceId, webhookId: id }: WebhookKey): Promise<Webhook> {
  const row = await undeleted(db, workspaceId)
    .where('id', '=', id)
    .select(fields)
    .executeTakeFirstOrThrow(() => notFound());
  return withText(row);
}

/** Oldest first. */
export async function listWebhooks(db: Db, workspaceId: string): Promise<Webhook[]> {
  return (await undeleted(db, workspaceId).orderBy('id').select(fields).execute()).map(withText);
}

const innerFields = ['isAsymmetric', 'inactiveReason', 'isInactiveByPortal'] as const;
type WebhookRow = Webhook & Pick<Selectable<WebhookTable>, (typeof innerFields)[number]>;

/** Runs `work` in a transaction that locks a webhook. Throws NOT_FOUND; ABORTED when it has another version. */
export async function changeWebhook<Result>(
  db: Db,
  { workspaceId, id, version }: VersionedKey,
  work: (trx: Trx, webhook: WebhookRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    const webhook = await undeleted(trx, workspaceId)
      .where('id', '=', id)
      .select([...fields, ...innerFields])
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    requireUnchanged(webhook.version, version);
    return work(trx, withText(webhook));
  });
}

/** Changes columns of a webhook that `changeWebhook` has locked. Increments its version, unless `change` has one. */
export async function updateWebhook(
  trx: Trx,
  { workspaceId, id }: VersionedKey,
  change: UpdateObject<Tables, 'webhook'>,
): Promise<Webhook> {
  const row = await trx
    .updateTable('webhook')
    .set({ version: sql`version + 1`, ...change })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow();
  return withText(row);
}

/**
 * Activates a webhook, and resets its lane even if it is active. Skipped deliveries stay skipped. Throws 403 if a
 * limited portal link activates a webhook that the company has deactivated.
 */
export async function activateWebhook(db: Db, key: VersionedKey, isLimited = false): Promise<Webhook> {
  const lane = { workspaceId: key.workspaceId, webhookId: key.id };
  // A deactivation skips one page. The rest must not become due.
  while (await endPageOfRest(db, lane));
  return changeWebhook(db, key, async (trx, webhook) => {
    if (isLimited && webhook.inactiveReason === 'user' && !webhook.isInactiveByPortal) {
      const detail = 'The company has deactivated the webhook, so this portal link cannot activate it';
      throw new AppError('permission_denied', 'not-for-caller', detail);
    }
    const pausedUntil = await resetLane(trx, lane);
    const before = { isActive: webhook.isActive, pausedUntil };
    const changes = changesBetween(before, { isActive: true, pausedUntil: null });
    await auditWebhook(trx, key, 'webhook.updated', { changes });
    if (webhook.isActive) return webhook;
    return updateWebhook(trx, key, {
      isActive: true,
      activeSince: sql<Date>`now()`,
      listeningSince: sql<Date>`coalesce(listening_since, now())`,
      inactiveReason: null,
      isInactiveByPortal: false,
    });
  });
}

/**
 * Resets the lane of a webhook: ends its pause and breaker, and makes deliveries due that waited for the pause. Returns
 * the end of the pause before the change.
 */
export async function resetLane(db: Db, webhook: WebhookKey): Promise<Date | null> {
  const closed = { pausedUntil: null, pauseReason: null, openings: 0 };
  const lane = await changeLane(db, webhook, { ...closed, failingSince: null, failingAgainAt: null });
  if (!lane?.pausedUntil) return null;
  await sql`
    update open_delivery set due_at = now()
    where workspace_id = ${webhook.workspaceId} and id = any(array(
      select id from open_delivery
      where ${ofWebhook(webhook)} and claimed_by is null and due_at > now()
        and due_at <= ${lane.pausedUntil}::timestamptz + interval '1 millisecond'
      limit ${sql.lit(pageMax)} for update skip locked))`.execute(db);
  return lane.pausedUntil;
}

/**
 * Deactivates a webhook and skips its open deliveries. If its failures had deactivated it, it stops listening. What the
 * company deactivates is its own from then on, also if it was inactive.
 */
export async function deactivateWebhook(
  db: Db,
  key: VersionedKey,
  isInactiveByPortal = false,
): Promise<Webhook> {
  return changeWebhook(db, key, async (trx, webhook) => {
    const { isActive, inactiveReason } = webhook;
    const isOff = !isActive && inactiveReason !== 'auto';
    const isOfCompany = inactiveReason === 'user' && !webhook.isInactiveByPortal;
    if (isOff && (isInactiveByPortal || isOfCompany)) return webhook;
    const end = {
      isActive: false,
      activeSince: null,
      listeningSince: null,
      listened: listenedUntilNow,
    };
    const changed = await updateWebhook(trx, key, {
      ...(!isOff && end),
      inactiveReason: 'user',
      isInactiveByPortal,
      // No public field of an inactive webhook changes.
      version: webhook.version + Number(isActive),
    });
    if (!isOff) await endOpen(trx, [{ workspaceId: key.workspaceId, webhookId: key.id }], 'skipped');
    const changes = changesBetween({ isActive, inactiveReason }, { isActive: false, inactiveReason: 'user' });
    await auditWebhook(trx, key, 'webhook.updated', { changes });
    return changed;
  });
}

/** Deletes a webhook with its secrets, and discards its open deliveries. */
export async function deleteWebhook(db: Db, key: VersionedKey): Promise<void> {
  const lane = { workspaceId: key.workspaceId, webhookId: key.id };
  await changeWebhook(db, key, async (trx) => {
    await updateWebhook(trx, key, {
      isActive: false,
      activeSince: null,
      listeningSince: null,
      inactiveReason: null,
      secretToken: null,
      headers: null,
      deletedAt: sql<Date>`now()`,
    });
    await deleteSecrets(trx, lane);
    await endOpen(trx, [lane], 'discarded');
    await auditWebhook(trx, key, 'webhook.deleted');
  });
}

/** Adds a signing secret, and a private key if the webhook has one. Former ones expire after the overlap. */
export async function addSigningSecret(
  db: Db,
  key: VersionedKey,
  { secret, privateKey }: { secret: SealedSecret; privateKey: SealedSecret },
  overlapSeconds: number,
): Promise<void> {
  const lane = { workspaceId: key.workspaceId, webhookId: key.id };
  await changeWebhook(db, key, async (trx, { isAsymmetric }) => {
    await sql`
      update signing_secret set expires_at = least(expires_at, now() + make_interval(secs => ${overlapSeconds}))
      where ${ofWebhook(lane)}`.execute(trx);
    await deleteSecrets(trx, lane, sql`expires_at <= now()`);
    const added = [{ ...secret, ...lane, kind: 'hmac' as const }];
    await trx
      .insertInto('signingSecret')
      .values(isAsymmetric ? [...added, { ...privateKey, ...lane, kind: 'ed25519' }] : added)
      .execute();
    await changeLane(trx, lane);
    await auditWebhook(trx, key, 'signingSecret.rotated');
  });
}

/** Deletes the signing secrets of a webhook that meet the condition. */
export async function deleteSecrets(
  trx: Trx,
  webhook: WebhookKey,
  condition = sql<boolean>`true`,
): Promise<void> {
  await sql`delete from signing_secret where ${ofWebhook(webhook)} and ${condition}`.execute(trx);
}

/**
 * Changes columns of a lane. Its owner reloads webhook, secrets and options before the next attempt. Returns the end of
 * the pause before the change.
 */
export async function changeLane(
  db: Db,
  webhook: WebhookKey,
  change: UpdateObject<Tables, 'lane'> = {},
): Promise<{ pausedUntil: Date | null } | undefined> {
  return db
    .with('before', (own) =>
      own.selectFrom('lane').select('pausedUntil as pausedBefore').where(ofWebhook(webhook)).forUpdate(),
    )
    .updateTable('lane')
    .from('before')
    .set({ ...change, revision: sql`revision + 1` })
    .where(ofWebhook(webhook))
    .returning('before.pausedBefore as pausedUntil')
    .executeTakeFirst();
}
