import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@parley/contracts/audit-actions';
import { hidden } from '@parley/contracts/hidden';
import { apiTimestamp } from '@parley/contracts/interaction-resource';
import { currentWork } from '@parley/runtime/scheduling/work';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AuditChanges, AuditLogTable, AuditTarget } from './table.ts';

export type AuditRow = Omit<AuditLogTable, 'occurredAt'>;

export interface AuditedAction {
  /** Null: it concerns the whole deployment. */
  workspaceId: string | null;
  action: AuditAction;
  targets: readonly AuditTarget[];
  /** Of a change of something that existed. Empty: nothing changed, so there is no event. */
  changes?: AuditChanges | undefined;
}

/**
 * Returns the row of an action of the running call. None if a customer, another service or the process itself does it:
 * the log is about API keys, people and the operator. Insert it in the statement or transaction of the change.
 */
export function auditRows({ workspaceId, action, targets, changes }: AuditedAction): AuditRow[] {
  const { actor } = currentWork();
  if (!actor || (changes && Object.keys(changes).length === 0)) return [];
  return [
    {
      id: uuidv7(),
      workspaceId,
      action,
      actorType: actor.type,
      actorId: actor.id,
      actorName: actor.name,
      targets: [...targets],
      requestId: actor.requestId,
      clientAddress: actor.clientAddress ?? null,
      changes: changes ?? {},
    },
  ];
}

/** Returns what differs between two states of the fields of `after`. The values of `masked` fields are hidden. */
export function changesBetween<Fields extends object>(
  before: { readonly [Name in keyof Fields]?: unknown },
  after: Fields,
  masked: readonly (keyof Fields)[] = [],
): AuditChanges {
  const changes: AuditChanges = {};
  for (const name of Object.keys(after) as (keyof Fields & string)[]) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (isDeepStrictEqual(from, to)) continue;
    const shown = masked.includes(name) ? maskedValue : shownValue;
    changes[name] = [shown(from), shown(to)];
  }
  return changes;
}

function shownValue(value: unknown): unknown {
  return value instanceof Date ? apiTimestamp(value) : value;
}

/** Shows only whether there is a value. */
function maskedValue(value: unknown): string | null {
  return value === null || value === '' ? null : hidden;
}

const columns = {
  id: 'uuid',
  workspace_id: 'uuid',
  action: 'text',
  actor_type: 'text',
  actor_id: 'text',
  actor_name: 'text',
  targets: 'json',
  request_id: 'text',
  client_address: 'text',
  changes: 'json',
};

const names = sql.raw(Object.keys(columns).join(', '));
const declared = sql.raw(
  Object.entries(columns)
    .map((column) => column.join(' '))
    .join(', '),
);

/** Returns rows as one parameter of `auditInsert`. */
export function auditParameter(rows: readonly AuditRow[]): string {
  return JSON.stringify(
    rows.map((row) => ({
      id: row.id,
      workspace_id: row.workspaceId,
      action: row.action,
      actor_type: row.actorType,
      actor_id: row.actorId,
      actor_name: row.actorName,
      targets: row.targets,
      request_id: row.requestId,
      client_address: row.clientAddress,
      changes: row.changes,
    })),
  );
}

/**
 * Returns an INSERT for the WITH clause of the statement that makes a change. `parameter` has the rows. `condition` is
 * about a row `entry`, such as that the change has happened.
 */
export function auditInsert(
  parameter: unknown,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    insert into audit_log (${names})
    select ${names} from json_to_recordset(${parameter}::json) as entry (${declared}) where ${condition}`;
}

/** Records actions in the transaction of their change. */
export async function audit<Tables>(trx: Kysely<Tables>, ...actions: AuditedAction[]): Promise<void> {
  const rows = actions.flatMap(auditRows);
  if (rows.length > 0) await auditInsert(auditParameter(rows)).execute(trx);
}
