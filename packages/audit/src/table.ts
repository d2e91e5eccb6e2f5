import {
  createPartitionFunctions,
  dropOldPartitions,
  reportMissingRights,
} from '@parley/postgres/schema/partitions';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat } from '@parley/runtime/scheduling/schedule';
import { type Generated, type Kysely, sql } from 'kysely';

export interface AuditTarget {
  type: string;
  id: string;
}

/** `[before, after]` by the name of the field. */
export type AuditChanges = Record<string, [unknown, unknown]>;

/** The audit log of a service, partitioned by the month of `occurredAt` (UTC). The role of the service only inserts. */
export interface AuditLogTable {
  /** A UUIDv7. */
  id: string;
  /** When the transaction of the change began, in milliseconds. */
  occurredAt: Generated<Date>;
  /** Null: the change concerns the whole deployment. */
  workspaceId: string | null;
  /** Such as `webhook.updated`. */
  action: string;
  actorType: string;
  actorId: string;
  actorName: string;
  targets: AuditTarget[];
  requestId: string;
  clientAddress: string | null;
  changes: AuditChanges;
}

export interface AuditTables {
  auditLog: AuditLogTable;
}

const auditTable = 'audit_log';
const monthsAhead = 2;
const monthDaysMax = 31;

/**
 * Creates the table, for a migration of a service. The role of the service loses the rights to change and delete rows,
 * also in partitions, although it owns them. With `hasPartitionFunctions`, an earlier migration has created the
 * functions.
 */
export async function createAuditLog<Tables>(
  db: Kysely<Tables>,
  { hasPartitionFunctions }: { hasPartitionFunctions: boolean },
): Promise<void> {
  if (!hasPartitionFunctions) await createPartitionFunctions(db);
  // JSON as text: a row is written with each creation, and rarely read.
  await sql`
    create table audit_log (
      id uuid not null,
      occurred_at timestamptz not null default date_trunc('milliseconds', now()),
      workspace_id uuid,
      action text not null,
      actor_type text not null,
      actor_id text not null,
      actor_name text not null,
      targets json not null,
      request_id text not null,
      client_address text,
      changes json not null
    ) partition by range (occurred_at)`.execute(db);
  await sql`create index on audit_log (workspace_id, occurred_at, id)`.execute(db);
  await sql`revoke update, delete, truncate on audit_log from current_user`.execute(db);
  // Their names end with the first day, as `old_partitions` expects.
  await sql`
    create function make_audit_partitions(months_ahead int) returns void
    language plpgsql set lock_timeout = '2s' as $body$
    declare
      first_month timestamp := date_trunc('month', now() at time zone 'utc');
      month date;
      name text;
    begin
      perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.make_audit_partitions', 0));
      for ahead in 0..months_ahead loop
        month := first_month + ahead * interval '1 month';
        name := 'audit_log' || to_char(month, '_YYYYMMDD');
        if to_regclass(name) is null then
          execute format('create table %I (like audit_log including defaults including constraints)', name);
          execute format('revoke update, delete, truncate on %I from current_user', name);
          execute format('alter table audit_log attach partition %I for values from (%L) to (%L)',
            name, month || ' 00:00+00', (month + interval '1 month')::date || ' 00:00+00');
        end if;
      end loop;
    end $body$`.execute(db);
  await makePartitions(db);
}

/**
 * Keeps the partitions of the log. A month is deleted when all its days are older than `daysKept`. Logs an error if the
 * role cannot do it.
 */
export async function keepAuditLog<Tables>(
  db: Kysely<Tables>,
  daysKept: number,
  logger: Logger,
): Promise<AsyncDisposable> {
  await reportMissingRights(db, [auditTable], logger);
  return repeat('maintain the audit log', 60_000, logger, async () => {
    await makePartitions(db);
    await dropOldPartitions(db, { [auditTable]: daysKept + monthDaysMax });
  });
}

async function makePartitions<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`select make_audit_partitions(${monthsAhead})`.execute(db);
}
