import { eventSubjects, isRaisedBy } from '@parley/contracts/events';
import {
  EventLogServiceService,
  type ListEventsRequest,
  type ListEventsResponse,
} from '@parley/contracts/events/v1/log';
import type { CallContext } from '@parley/rpc/context';
import { between, type RequestRules } from '@parley/rpc/request-rules';
import { type Service, service } from '@parley/rpc/serve';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { cursorOf, listEvents, newestPlace, placeOf } from './log.ts';

const eventsMax = 500;
const typesMax = 100;
const dayMs = 24 * 60 * 60 * 1_000;

/** A service has further rules for its own fields. */
const rules: RequestRules = { limit: between(0, eventsMax) };

export interface LogReader {
  listEvents(request: ListEventsRequest): Promise<ListEventsResponse>;
}

/** Returns the handlers of the RPCs about a service's event log, which keeps events for so many days: log.proto. */
export function eventLogHandlers<Tables>(db: Kysely<Tables>, daysKept: number): LogReader {
  const list = async (request: ListEventsRequest): Promise<ListEventsResponse> => {
    const after = placeOf(request.after);
    if (!after) throw invalidRequest([{ pointer: '/after', detail: 'Must be the cursor of an answer' }]);
    const { types } = request;
    const page = await listEvents(db, { after, types, limit: request.limit || eventsMax });
    return {
      events: page.events.map((event) => ({
        ...event,
        traceparent: event.traceparent ?? '',
        cursor: cursorOf(event),
      })),
      cursor: cursorOf(page.place),
      hasMore: page.hasMore,
      now: page.now,
      completeUntil: page.completeUntil,
      keptSince: new Date(page.now.getTime() - daysKept * dayMs),
    };
  };
  return {
    listEvents: async (request) => {
      if (!request.fromNow || request.after !== '') return list(request);
      const cursor = cursorOf(await newestPlace(db));
      return { ...(await list({ ...request, after: cursor, limit: 1 })), events: [], cursor, hasMore: false };
    },
  };
}

/** Returns the RPCs about the event log of a service: log.proto. */
export function eventLogService(owner: string, log: LogReader): Service {
  const listEvents = async (request: ListEventsRequest, call: CallContext): Promise<ListEventsResponse> => {
    const faults = typeFaults(owner, request.types, call);
    if (faults.length > 0) throw invalidRequest(faults);
    return log.listEvents(request);
  };
  return service(EventLogServiceService, { listEvents }, { rules });
}

/**
 * Returns why a consumer of another team would wait in vain for these types: they are unknown, or raised elsewhere.
 * Parley's own services may be of a later release, and know more types than this one.
 */
function typeFaults(
  owner: string,
  types: readonly string[],
  { caller }: Pick<CallContext, 'caller'>,
): Fault[] {
  if (types.length > typesMax) return [{ pointer: '/types', detail: `Must have at most ${typesMax} types` }];
  if (caller !== 'consumer' && caller !== 'bodyreader') return [];
  const unknown = types.flatMap((type, at) =>
    eventSubjects.has(type) ? [] : [{ pointer: `/types/${at}`, detail: 'Must be a type of the catalogue' }],
  );
  // A list may be that for the logs of all services.
  const isForOthers = types.length > 0 && !types.some((type) => isRaisedBy(owner, type));
  if (unknown.length > 0 || !isForOthers) return unknown;
  return [{ pointer: '/types', detail: `Must have a type that this service raises: parley.${owner}.*` }];
}
