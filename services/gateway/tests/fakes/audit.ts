import { type AuditEvent, AuditServiceService } from '@parley/contracts/audit/v1/audit';
import type { Service } from '@parley/rpc/serve';
import { partialService } from '@parley/testing/peers/partial-service';

// The answers of the audit logs.

/** An event in the log of identity. */
export const auditEvent: AuditEvent = {
  id: '01890000-0000-7000-8000-00000000a0d1',
  occurredAt: new Date('2026-11-21T09:30:00.123Z'),
  action: 'key.updated',
  actor: { type: 'key', id: 'prl_key_a', name: 'Shop' },
  targets: [{ type: 'key', id: 'prl_key_b' }],
  requestId: 'r',
  clientAddress: '192.0.2.7',
  changes: '{"name":["a","b"]}',
};

export function fakeAudit(events: AuditEvent[] = []): Service {
  return partialService(AuditServiceService, { listAuditEvents: async () => ({ events, completeTo: null }) });
}
