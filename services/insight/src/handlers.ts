import type { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import type { Handlers } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';

/** What the handlers use. */
export interface Deps {
  db: Kysely<object>;
}

/** Returns the handlers of the RPCs: insight.proto. */
export function insightHandlers(_deps: Deps): Handlers<typeof InsightServiceService> {
  return {
    getBotInsight: () => Promise.reject(notFound()),
    startRebuild: () => Promise.reject(notFound()),
    getRebuild: () => Promise.reject(notFound()),
  };
}
