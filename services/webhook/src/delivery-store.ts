import { acrossWorkspaces } from '@parley/postgres/scope';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { AttemptResult } from './attempt.ts';
import type { Tables } from './schema.ts';
import { endPending } from './store.ts';
import type { Verdict } from './verdict.ts';

type Db = Kysely<Tables>;

/** A delivery that this worker has for the time of a lease, with all that an attempt needs. */
export interface Claimed {
  id: string;
  workspaceId: string;
  webhookId: string;
  eventId: string;
  leaseToken: string;
  /** The number of the attempt to make, from 1. */
  attempt: number;
  url: string;
  event: string;
  /** Sealed, as are the signing secrets, newest first. */
  secretToken: string;
  signingSecrets: string[];
  body: Buffer;
  traceparent: string | null;
}

/** How many of a webhook's live secrets sign: a header has to stay of a size that every server takes. */
const signingSecretsMax = 10;

/**
 * Takes up to `limit` due deliveries of active webhooks, those longest due first; none that another worker has. Until
 * the lease has run out no other can take them.
 */
export async function claimDue(
  db: Db,
  claim: { leaseToken: string; leaseMs: number; limit: number },
): Promise<Claimed[]> {
  // `= any(array(...))` keeps the planner at one index look-up per row, also for large limits.
  const { rows } = await sql<Claimed>`
    ${acrossWorkspaces('workers deliver whatever is due')}
    update delivery
    set lease_token = ${claim.leaseToken}, due_at = now() + ${claim.leaseMs} * interval '1 millisecond'
    from webhook, event
    where delivery.id = any(array(
        select id from delivery where state = 'pending' and due_at <= now()
        order by due_at limit ${claim.limit} for update skip locked))
      and webhook.id = delivery.webhook_id and webhook.workspace_id = delivery.workspace_id and webhook.is_active
      and event.id = delivery.event_id and event.workspace_id = delivery.workspace_id
    returning delivery.id, delivery.workspace_id, delivery.webhook_id, delivery.event_id, delivery.lease_token,
      delivery.attempts + 1 as attempt, webhook.url, webhook.event, webhook.secret_token, event.body, event.traceparent,
      array(
        select signing_secret.secret from signing_secret
        where signing_secret.webhook_id = webhook.id
          and (signing_secret.expires_at is null or signing_secret.expires_at > now())
        order by signing_secret.created_at desc limit ${signingSecretsMax}
      ) as signing_secrets`.execute(db);
  return rows;
}

/** What became of a claimed delivery. */
export interface Outcome {
  delivery: Pick<Claimed, 'id' | 'workspaceId' | 'webhookId' | 'leaseToken'>;
  verdict: Verdict;
  /** Null when nothing was sent, for a reason of ours: no attempt is counted. */
  result: AttemptResult | null;
}

/**
 * Records outcomes: the state of each delivery and a row for its attempt, in one statement. Answers the ids of the
 * recorded ones: a worker whose lease has passed to another records nothing. What was ended meanwhile, because its
 * webhook was deactivated or deleted, stays ended, unless it turns out to have succeeded. A receiver that is gone
 * deactivates its webhook in the same transaction.
 */
export async function recordOutcomes(db: Db, outcomes: readonly Outcome[]): Promise<Set<string>> {
  const gone = outcomes.filter(({ verdict }) => verdict.state === 'failed' && verdict.isGone);
  if (gone.length === 0) return writeOutcomes(db, outcomes);
  return db.transaction().execute(async (trx) => {
    const deactivated = await deactivateGone(trx, gone);
    const recorded = await writeOutcomes(trx, outcomes);
    const workspaceIds = gone.map(({ delivery }) => delivery.workspaceId);
    await endPending(trx, workspaceIds, deactivated, 'skipped');
    return recorded;
  });
}

async function writeOutcomes(db: Db, outcomes: readonly Outcome[]): Promise<Set<string>> {
  const deliveries = outcomes.map(({ delivery }) => delivery);
  const results = outcomes.map(({ result }) => result);
  const delaysMs = outcomes.map(({ verdict }) => (verdict.state === 'pending' ? verdict.delayMs : 0));
  const { rows } = await sql<{ id: string }>`
    with outcome as (
      select * from unnest(
        ${deliveries.map((delivery) => delivery.id)}::uuid[],
        ${deliveries.map((delivery) => delivery.workspaceId)}::uuid[],
        ${deliveries.map((delivery) => delivery.leaseToken)}::uuid[],
        ${outcomes.map(({ verdict }) => verdict.state)}::text[],
        ${delaysMs}::float8[],
        ${results.map((result) => result?.startedAt ?? null)}::timestamptz[],
        ${results.map((result) => result?.durationMs ?? null)}::int[],
        ${results.map((result) => result?.status ?? null)}::int[],
        ${results.map((result) => result?.error ?? null)}::text[],
        ${results.map((result) => (result && result.excerpt.length > 0 ? result.excerpt : null))}::bytea[]
      ) as outcome (id, workspace_id, lease_token, state, delay_ms, started_at, duration_ms, status, error, excerpt)
    ), held as (
      select delivery.id from outcome join delivery
        on delivery.id = outcome.id and delivery.workspace_id = outcome.workspace_id
      where delivery.lease_token = outcome.lease_token
      order by delivery.id for update of delivery
    ), recorded as (
      update delivery set
        attempts = delivery.attempts + (outcome.started_at is not null)::int,
        state = case
          when outcome.state = 'succeeded' or delivery.state = 'pending' then outcome.state else delivery.state end,
        due_at = now() + outcome.delay_ms * interval '1 millisecond',
        lease_token = null,
        finished_at = case
          when delivery.state = 'pending' and outcome.state = 'pending' then null
          else coalesce(delivery.finished_at, now()) end
      from held join outcome on outcome.id = held.id
      where delivery.id = held.id and delivery.workspace_id = outcome.workspace_id
      returning delivery.id, delivery.workspace_id, delivery.attempts, delivery.is_redacted
    ), logged as (
      insert into attempt
        (delivery_id, number, workspace_id, started_at, duration_ms, status, error, response_excerpt)
      select recorded.id, recorded.attempts, recorded.workspace_id, outcome.started_at, outcome.duration_ms,
        outcome.status, outcome.error, case when recorded.is_redacted then null else outcome.excerpt end
      from recorded join outcome on outcome.id = recorded.id
      where outcome.started_at is not null
    )
    select id from recorded`.execute(db);
  return new Set(rows.map((row) => row.id));
}

async function deactivateGone(trx: Transaction<Tables>, gone: readonly Outcome[]): Promise<string[]> {
  const deliveries = gone.map(({ delivery }) => delivery);
  const workspaceIds = deliveries.map((delivery) => delivery.workspaceId);
  const { rows } = await sql<{ id: string }>`
    update webhook set is_active = false, active_since = null, inactive_reason = 'gone', version = version + 1
    where workspace_id = any(${workspaceIds}::uuid[]) and id in (
      select webhook.id from unnest(
        ${deliveries.map((delivery) => delivery.id)}::uuid[],
        ${workspaceIds}::uuid[],
        ${deliveries.map((delivery) => delivery.leaseToken)}::uuid[]
      ) as gone (id, workspace_id, lease_token)
      join delivery on delivery.id = gone.id and delivery.workspace_id = gone.workspace_id
        and delivery.lease_token = gone.lease_token and delivery.state = 'pending'
      join webhook on webhook.id = delivery.webhook_id and webhook.workspace_id = delivery.workspace_id
      where webhook.is_active order by webhook.id for update of webhook)
    returning id`.execute(trx);
  return rows.map((row) => row.id);
}
