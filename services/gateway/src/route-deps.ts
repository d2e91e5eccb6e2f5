import type { Deployment } from '@parley/deployment/resource';
import type { StreamState } from '@parley/nats/stream-state';
import type { PartLoader } from './http/answer/long-list.ts';
import type { ConsoleCookies } from './http/request/session-cookie.ts';
import type { Sessions } from './auth/session.ts';
import type { Exports } from './limits/exports.ts';
import type { Polls } from './limits/polls.ts';
import type { Peers } from './peers.ts';

export interface RouteDeps extends Peers {
  /** Undefined while the broker does not answer. */
  streamState: () => Promise<StreamState | undefined>;
  /** Asks all replicas for the state of the deployment, at most once a second. */
  deployment: () => Promise<Deployment>;
  sessions: Sessions;
  polls: Polls;
  exports: Exports;
  lists: PartLoader;
  cookies: ConsoleCookies;
  /** Without a trailing slash. */
  landingUrl: string;
  /** Without a trailing slash. */
  publicUrl: string;
}
