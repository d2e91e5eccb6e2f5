import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { holdBack, holdUntilQuiet } from './held-back.ts';
import type { Service } from './service.ts';

const breakersMsMax = 240_000;
const pollMs = 250;

/** Receivers that take every request and never answer, each with a backlog. */
export interface Holes {
  /** Lets go of them: their lanes are as those of new webhooks, or as those of receivers that have always been prompt. */
  open(lanes: 'new' | 'prompt'): Promise<void>;
  /** Waits until the breaker of each has opened. */
  found(): Promise<void>;
  /** Nothing more is sent to them; answers when nothing is under way any more. */
  close(): Promise<void>;
}

/** Each has an address of its own, as far as the sender can tell, and a workspace. */
export async function digHoles(
  { db, createWebhooks }: Service,
  options: { port: number; holes: number; backlog: number; ended: AbortSignal },
): Promise<Holes> {
  const { port, holes, backlog, ended } = options;
  const hooks = await createWebhooks(
    Array.from({ length: holes }, (_, index) => `http://127.0.1.${index + 1}:${port}/hole`),
  );
  await holdBack(db, hooks, holes * backlog);
  const ids = hooks.map(({ id }) => id);
  const ofHoles = sql`webhook_id = any(${ids}::uuid[])`;
  return {
    open: async (lanes) => {
      const [isPrompt, inFlightMax] =
        lanes === 'prompt' ? [sql`true`, sql`32`] : [sql`default`, sql`default`];
      await sql`
        update lane set is_prompt = ${isPrompt}, in_flight_max = ${inFlightMax}, is_full = false,
          openings = 0, unanswered = 0, window_started_at = now(), window_attempts = 0, window_failures = 0,
          failing_since = null, failing_again_at = null, paused_until = null, ready_at = now()
        where ${ofHoles}`.execute(db);
    },
    found: async () => {
      const giveUpAt = Date.now() + breakersMsMax;
      for (;;) {
        const { rows } = await sql`select from lane where ${ofHoles} and openings = 0 limit 1`.execute(db);
        if (rows.length === 0) return;
        if (Date.now() > giveUpAt) throw new Error('the black holes were not found out in time');
        await pause(pollMs, undefined, { signal: ended });
      }
    },
    close: () => holdUntilQuiet(db, hooks, ended),
  };
}
