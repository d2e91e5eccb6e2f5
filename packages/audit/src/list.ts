import type { AuditPosition, ListAuditEventsRequest } from '@parley/contracts/audit/v1/audit';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { AuditLogTable, AuditTables } from './table.ts';

type Row = Selectable<AuditLogTable>;

const scannedMax = 5_000;
const dayMs = 24 * 60 * 60 * 1_000;
const newest: AuditPosition = {
  occurredAt: new Date('9999-12-31T00:00:00Z'),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** A part of the log, newest first. */
export interface AuditPage {
  rows: Row[];
  /** All matching events down to here are in the page. Null: there are no older ones. */
  completeTo: AuditPosition | null;
}

/** Returns the events of a workspace that match the request, newest first, but none that is older than `daysKept`. */
export async function listAudit<Tables extends AuditTables>(
  db: Kysely<Tables>,
  request: ListAuditEventsRequest,
  daysKept: number,
): Promise<AuditPage> {
  const { limit, actor = null, action = null, target = null } = request;
  const range = rangeOf(request, daysKept);
  const isFiltered = actor !== null || action !== null || target !== null;
  const end = isFiltered ? await endOfScan(db, range) : undefined;
  const { rows: found } = await sql<Row>`
    select id, occurred_at, workspace_id, action, actor_type, actor_id, actor_name, targets, request_id, client_address,
      changes
    from audit_log
    where ${inRange(range)}
      and (${end?.occurredAt ?? null}::timestamptz is null
        or (occurred_at, id) >= (${end?.occurredAt ?? null}::timestamptz, ${end?.id ?? null}::uuid))
      and (${actor}::text is null or ${hasWords(sql`actor_type || ' ' || actor_id || ' ' || actor_name`, actor)})
      and (${action}::text is null or ${hasWords(sql`action`, action)})
      and (${target}::text is null or ${hasTarget(target)})
    order by occurred_at desc, id desc limit ${limit + 1}`.execute(scans(db));
  const rows = found.slice(0, limit);
  const completeTo = found.length > limit ? rows.at(-1) : end;
  return { rows, completeTo: completeTo ? { occurredAt: completeTo.occurredAt, id: completeTo.id } : null };
}

/** Whether a text contains each word of another one, ignoring case. */
function hasWords(text: RawBuilder<unknown>, words: string | null) {
  return sql`(select coalesce(bool_and(strpos(lower(${text}), word) > 0), false)
        from regexp_split_to_table(lower(trim(${words}::text)), '\\s+') as word)`;
}

/** Whether one of the targets has this id, an id that is a UUID and begins so, or this type. */
function hasTarget(wanted: string | null) {
  return sql`exists (select from json_to_recordset(targets) as one (type text, id text)
        where id = ${wanted}::text or lower(type) = lower(${wanted}::text)
          or (length(id) = 36 and ${wanted}::text ~ '^[0-9a-f-]{4,}$' and starts_with(id, ${wanted}::text)))`;
}

interface Range {
  workspaceId: string;
  from: Date;
  to: Date;
  before: AuditPosition;
}

function rangeOf({ workspaceId, from, to, before }: ListAuditEventsRequest, daysKept: number): Range {
  const kept = new Date(Date.now() - daysKept * dayMs);
  const start = before ?? newest;
  return {
    workspaceId,
    from: from && from > kept ? from : kept,
    to: to ?? new Date('9999-12-31T00:00:00Z'),
    before: start,
  };
}

/** The bounds of `occurred_at` let the server skip the partitions of other months. */
function inRange({ workspaceId, from, to, before }: Range) {
  return sql`workspace_id = ${workspaceId}::uuid and occurred_at >= ${from}::timestamptz
      and occurred_at < ${to}::timestamptz and occurred_at <= ${before.occurredAt}::timestamptz
      and (occurred_at, id) < (${before.occurredAt}::timestamptz, ${before.id}::uuid)`;
}

/** Returns the last event that an answer looks at. Undefined if it looks at all events that are left. */
async function endOfScan<Tables>(db: Kysely<Tables>, range: Range): Promise<AuditPosition | undefined> {
  const { rows } = await sql<AuditPosition>`
    select occurred_at, id from audit_log where ${inRange(range)}
    order by occurred_at desc, id desc offset ${scannedMax - 1} limit 1`.execute(scans(db));
  return rows[0];
}
