import type { AuditEvent, AuditPosition, ListAuditEventsResponse } from '@parley/contracts/audit/v1/audit';
import { auditLimits } from '@parley/contracts/limits';
import { instantPart, positionsOf, uuidPart } from '@parley/runtime/cursor';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { auditEvent, toAuditEvent } from './present.ts';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import { text } from '../../values/text.ts';
import { instant, isBefore } from '../../values/timestamp.ts';

const name = text({ min: 1, max: auditLimits.filterCharactersMax, controlCharacters: 'refused' });

const filters = cursorQuery(auditLimits.pageSizeMax)
  .extend({
    from: instant.optional().meta({ description: 'Only events at or after this instant' }),
    to: instant.optional().meta({ description: 'Only events before this instant' }),
    actor: name.optional().meta({
      description:
        'Only what actors did whose kind, id and name contain each of these words: an API key, a person or a part of ' +
        'its name, or `operator`. Case does not matter',
    }),
    action: name.optional().meta({
      description: 'Only actions that contain each of these words. Case does not matter',
      examples: ['webhook.updated'],
    }),
    target: name.optional().meta({
      description:
        'Only events about the thing with this id, about things whose UUID begins so (from 4 characters on), or about ' +
        'things of this kind, such as `webhook`',
    }),
  })
  .refine(({ from, to }) => isBefore({ since: from, until: to }), {
    path: ['to'],
    error: 'Must be after from',
  });

const listAuditEvents = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/audit-events',
  access: 'key',
  scope: 'audit:read',
  operationId: 'listAuditEvents',
  clientMethod: 'audit.list',
  tag: 'Audit',
  summary: 'List who changed what, newest first',
  description: `With \`actor\`, \`action\` or \`target\`, a page can be short although \`nextCursor\` leads to more.
Events are kept for the time that the operator has set, 400 days by default.`,
  params: inWorkspace,
  query: filters,
  data: z.array(auditEvent),
  handle: async ({ params: { workspaceId }, query }, call, { auditLogs }) => {
    const { from = null, to = null, actor, action, target, limit } = query;
    const before = positions.read(query.cursor ?? '') ?? null;
    const request = { workspaceId, from, to, actor, action, target, before, limit };
    // All or none: a log that is missing would be a gap that nobody sees.
    const logs = await Promise.all(auditLogs.map((log) => log.listAuditEvents(request, call.rpc())));
    const { events, nextCursor } = merged(logs, limit);
    return { data: events.map(toAuditEvent), meta: cursorMeta(nextCursor) };
  },
});

/** Merges the pages of several logs. Ends where the first of them does, because it may have more behind that. */
function merged(
  logs: readonly ListAuditEventsResponse[],
  limit: number,
): { events: AuditEvent[]; nextCursor: string } {
  const [end = ''] = logs
    .flatMap(({ completeTo }) => (completeTo ? [sortKey(completeTo)] : []))
    .toSorted()
    .toReversed();
  const complete = logs
    .flatMap(({ events }) => events)
    .filter((event) => sortKey(event) >= end)
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1));
  const events = complete.slice(0, limit);
  const last = events.at(-1);
  const isCut = complete.length > limit && last !== undefined;
  return { events, nextCursor: isCut ? sortKey(last) : end };
}

const positions = positionsOf<{ occurredAt: Date; id: string }>({ occurredAt: instantPart, id: uuidPart });

/** Returns the position of an event as a text that sorts as the log does: milliseconds of 14 digits, then the id. */
function sortKey({ occurredAt, id }: AuditPosition): string {
  return positions.write({ occurredAt: required(occurredAt), id }).padStart(14 + 1 + id.length, '0');
}

export const auditRoutes: Route[] = [listAuditEvents];
