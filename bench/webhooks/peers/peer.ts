import type { Completion } from '../contents.ts';
import type { Send } from '../send.ts';

/** A queue that does the same durable job, in the best set-up that we know of. */
export interface Peer {
  /** Stores jobs; nothing is delivered yet. */
  enqueue(completions: readonly Completion[]): Promise<void>;
  /** Begins to deliver. */
  start(): Promise<void>;
  /** Called when everything was sent: ends delivering once all results are stored. Throws when some are not. */
  stop(): Promise<void>;
}

/** Makes the tables or whatever the queue needs in an empty store. */
export type OpenPeer = (storeUrl: string, send: Send) => Promise<Peer>;
