import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Worker } from '../setup/worker.ts';
import { enqueuePaused, pauseUntilIdle, resumeLanes } from './paused-lanes.ts';
import type { ReceiverState } from './receiver.ts';
import type { Service } from './service.ts';

const breakersMsMax = 240_000;
const pollMs = 250;
/** After this many successes a lane has its maximum of deliveries in flight. */
const answersBefore = 40;

/** Receivers that accept every request and never answer, each with a backlog. */
export interface BlackHoles {
  /** Resumes their lanes: new ones never answer, responsive ones stop answering after some dozens of answers. */
  open(lanes: 'new' | 'responsive'): Promise<void>;
  /** Waits until the breaker of each has opened. */
  breakersOpened(): Promise<void>;
  /** Stops deliveries to them; returns when none is in flight. */
  close(): Promise<void>;
}

/** Each has its own address, as far as the sender can see, and its own workspace. */
export async function startBlackHoles(
  service: Service,
  options: { receiver: Worker; port: number; holes: number; backlog: number; ended: AbortSignal },
): Promise<BlackHoles> {
  const { receiver, port, holes, backlog, ended } = options;
  const hooks = await service.createWebhooks(
    Array.from({ length: holes }, (_, index) => `http://127.0.1.${index + 1}:${port}/hole`),
  );
  await enqueuePaused(service, hooks, holes * backlog);
  const ids = hooks.map(({ id }) => id);
  return {
    open: async (lanes) => {
      const answers = lanes === 'responsive' ? holes * answersBefore : 0;
      // Keeps the backlog equal when they have stopped answering.
      if (answers > 0) await enqueuePaused(service, hooks, answers);
      const { count } = await receiver.ask<ReceiverState>({ answersOfHoles: answers });
      await resumeLanes(service, hooks);
      if (answers > 0) await receiver.ask<ReceiverState>({ until: count + answers });
    },
    breakersOpened: async () => {
      const giveUpAt = Date.now() + breakersMsMax;
      for (;;) {
        const { rows } = await sql`
          select from lane where webhook_id = any(${ids}::uuid[]) and openings = 0 limit 1`.execute(
          service.db,
        );
        if (rows.length === 0) return;
        if (Date.now() > giveUpAt) throw new Error('the breakers of the black holes did not open in time');
        await pause(pollMs, undefined, { signal: ended });
      }
    },
    close: () => pauseUntilIdle(service, hooks, ended),
  };
}
