import type { Completion } from '../contents.ts';
import { atOnce } from '../send.ts';
import type { OpenPeer } from './peer.ts';

/** Stores nothing. No sender can cost less. */
export const openBare: OpenPeer = async (_storeUrl, send) => {
  const queue: Completion[] = [];
  let sending: Promise<void[]> | undefined;
  const sendOn = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) await send(next);
  };
  return {
    enqueue: async (completions) => {
      queue.push(...completions);
    },
    start: async () => {
      sending = Promise.all(Array.from({ length: atOnce }, sendOn));
    },
    stop: async () => {
      await sending;
    },
  };
};
