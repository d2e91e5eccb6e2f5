import type { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import type { Handlers } from '@parley/rpc/definition';
import { notFound } from '@parley/runtime/errors';
import type { Db } from './schema.ts';

/** What the handlers use. */
export interface Deps {
  db: Db;
}

/** Returns the handlers of the RPCs that read figures: insight.proto. */
export function insightHandlers(_deps: Deps): Pick<Handlers<typeof InsightServiceService>, 'getBotInsight'> {
  return {
    getBotInsight: () => Promise.reject(notFound()),
  };
}
