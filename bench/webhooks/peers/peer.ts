import type { Completion } from '../contents.ts';
import type { Send } from '../send.ts';

/** A queue with the same durability, in the best set-up that we know. */
export interface Peer {
  enqueue(completions: readonly Completion[]): Promise<void>;
  start(): Promise<void>;
  /** Called when everything was sent: stops when all results are stored. Throws if some are not. */
  stop(): Promise<void>;
}

/** Creates the tables or other objects of the queue in an empty store. */
export type OpenPeer = (storeUrl: string, send: Send) => Promise<Peer>;
