import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { Handlers } from '@parley/rpc/definition';
import type { Kysely } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { Tables } from '../schema.ts';
import { listMissingEvents } from './event-store.ts';
import { replaceBodies } from './redaction-store.ts';

/** What the RPCs by which other services reach events mean. */
export function intakeHandlers({
  db,
}: {
  db: Kysely<Tables>;
}): Pick<Handlers<WebhookServiceService>, 'listMissingEvents' | 'replaceEventBodies'> {
  return {
    listMissingEvents: async ({ eventIds }) => {
      // An id that is none cannot have come.
      const { known = [], malformed = [] } = Object.groupBy(eventIds, (id) =>
        isUuid(id) ? 'known' : 'malformed',
      );
      return { eventIds: [...malformed, ...(await listMissingEvents(db, known))] };
    },

    replaceEventBodies: async ({ bodies, ...owner }) => {
      const last = new Map(bodies.map((one) => [one.eventId, one]));
      if (last.size > 0) await replaceBodies(db, owner, [...last.values()]);
      return {};
    },
  };
}
