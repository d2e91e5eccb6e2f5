import type { Sessions } from './auth/session.ts';
import type { ListLimit } from './limits/list-limit.ts';
import type { Polls } from './limits/polls.ts';
import type { Peers } from './peers.ts';

/** What handlers use besides the request. */
export interface RouteDeps extends Peers {
  sessions: Sessions;
  polls: Polls;
  limitLists: ListLimit;
  /** The origin of link pages. */
  landingUrl: string;
  /** The origin at which browsers reach the gateway. */
  publicUrl: string;
}
