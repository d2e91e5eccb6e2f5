import { type AuditEvent, AuditServiceService } from '@parley/contracts/audit/v1/audit';
import { auditLimits } from '@parley/contracts/limits';
import { between, characters, resourceId, uuid } from '@parley/rpc/request-rules';
import { type Service, service } from '@parley/rpc/serve';
import type { Kysely } from 'kysely';
import { type AuditPage, listAudit } from './list.ts';
import type { AuditTables } from './table.ts';

const filter = characters(1, auditLimits.filterCharactersMax);

export function auditService<Tables extends AuditTables>(db: Kysely<Tables>, daysKept: number): Service {
  return service(
    AuditServiceService,
    {
      listAuditEvents: async (request) => {
        const { rows, completeTo } = await listAudit(db, request, daysKept);
        return { events: rows.map(toEvent), completeTo };
      },
    },
    {
      rules: {
        workspaceId: resourceId,
        id: uuid,
        actor: filter,
        action: filter,
        target: filter,
        limit: between(1, auditLimits.pageSizeMax),
      },
    },
  );
}

function toEvent(row: AuditPage['rows'][number]): AuditEvent {
  const { id, occurredAt, action, targets, requestId, clientAddress } = row;
  const actor = { type: row.actorType, id: row.actorId, name: row.actorName };
  const changes = JSON.stringify(row.changes);
  return { id, occurredAt, action, actor, targets, requestId, clientAddress, changes };
}
