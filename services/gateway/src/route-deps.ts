import type { Deployment } from '@parley/contracts/deployment-resource';
import type { StreamState } from '@parley/nats/stream-state';
import type { PartLoader } from './http/answer/long-list.ts';
import type { ConsoleCookies } from './http/request/session-cookie.ts';
import type { Sessions } from './auth/session.ts';
import type { Exports } from './limits/exports.ts';
import type { Polls } from './limits/polls.ts';
import type { Peers } from './peers.ts';

/** The dependencies of handlers. */
export interface RouteDeps extends Peers {
  /** Reads the state of the stream of events; undefined while the broker does not answer. */
  streamState: () => Promise<StreamState | undefined>;
  /** Asks all replicas for the state of the deployment, at most once a second. */
  deployment: () => Promise<Deployment>;
  sessions: Sessions;
  polls: Polls;
  exports: Exports;
  lists: PartLoader;
  cookies: ConsoleCookies;
  /** The URL of link pages, without a trailing slash. */
  landingUrl: string;
  /** The URL of the API for browsers, without a trailing slash. */
  publicUrl: string;
}
