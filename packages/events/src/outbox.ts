import type { EventType } from '@parley/contracts/events';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { currentTraceparent } from '@parley/runtime/telemetry';
import { type Kysely, sql } from 'kysely';

/** Events that are committed and whose arrival is not confirmed. Each service that raises events has this table. */
export interface OutboxTable {
  eventId: string;
  workspaceId: string;
  natsSubject: string;
  /** Ids and times only: the bus carries no personal data (docs/decisions/0011). */
  payload: Buffer;
  traceparent: string | null;
  createdAt: Date;
  /** When the event was last published, or null. Published does not mean arrived: see `reconciliation.ts`. */
  publishedAt: Date | null;
}

/** Creates the table. For a service's first migration. */
export async function createOutboxTable<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table outbox (
      event_id uuid primary key,
      workspace_id uuid not null,
      nats_subject text not null,
      payload bytea not null,
      traceparent text,
      created_at timestamptz not null default now(),
      published_at timestamptz
    )`.execute(db);
  await sql`create index on outbox (created_at) where published_at is null`.execute(db);
  await sql`create index on outbox (published_at) where published_at is not null`.execute(db);
}

/**
 * Returns the age of the oldest unconfirmed event in seconds, or 0 if there is none. Of the published events, only the
 * one published first is considered, so the query reads one row of each index.
 */
export async function oldestEventSeconds<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    ${acrossWorkspaces('metrics are about all events')}
    select coalesce(extract(epoch from now() - least(
      (select created_at from outbox where published_at is null order by created_at limit 1),
      (select created_at from outbox where published_at is not null order by published_at limit 1))), 0)::float8
      as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

/** An event as a row of the outbox. */
export type NewOutboxRow = Omit<OutboxTable, 'createdAt' | 'publishedAt'>;

/** Returns the row of an event. Insert it in the transaction that makes the change. */
export function outboxRow<Message>(
  type: EventType<Message>,
  event: { id: string; workspaceId: string; message: Message },
): NewOutboxRow {
  return {
    eventId: event.id,
    workspaceId: event.workspaceId,
    natsSubject: type.subject,
    payload: Buffer.from(type.message.encode(event.message).finish()),
    traceparent: currentTraceparent() ?? null,
  };
}
