import type { AuditEvent } from '@parley/client';
import type { TestWorkspace } from '@parley/testing/api';

/** Returns all events of the audit log of a workspace, newest first. */
export async function auditEventsOf(
  { client }: Pick<TestWorkspace, 'client'>,
  filters: Parameters<TestWorkspace['client']['audit']['list']>[0] = {},
): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  for await (const event of client.audit.list({ limit: 100, ...filters })) events.push(event);
  return events;
}
