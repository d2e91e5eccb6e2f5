import { inboxOf } from '@parley/events/inbox';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat } from '@parley/runtime/scheduling/schedule';
import { v7 as uuidv7 } from 'uuid';
import { type FactsClient, scanPage } from '../counting/facts.ts';
import { forgetPlaces } from '../counting/progress-store.ts';
import { durable } from '../generations/generation-store.ts';
import { purge } from '../counting/store.ts';
import type { Db } from '../schema.ts';
import { claimLease, releaseLease } from './store.ts';
import { doRound, type LogClient } from './round.ts';

interface Parts {
  db: Db;
  facts: FactsClient;
  log: LogClient;
  logger: Logger;
}

const roundMs = 2_000;
/** After a round that had nothing to count. Figures may be ten seconds old. */
const idleRoundMs = 4_000;
/** How often a scan is looked for that another replica has left. Rounds and rebuilds wake it. */
const scanMs = 5_000;
/** So that a rebuild leaves the interaction service to others. */
const pageMsMin = 100;
const purgeMs = 10_000;
const purgePageMs = 100;

export interface Rounds extends AsyncDisposable {
  wakeScan(): void;
}

/** Starts the rounds and scans: one replica at a time does them. */
export function startRounds({ db, facts, log, logger }: Parts): Rounds {
  const replica = uuidv7();
  const parts = { db, facts, log, logger, inbox: inboxOf(db, durable) };
  const stack = new AsyncDisposableStack();
  // Otherwise another replica waits until it may take over.
  stack.defer(() => releaseLease(db, replica).catch(() => {}));
  const scanning = stack.use(
    repeat('scan all interactions', scanMs, logger, async (signal) => {
      const startedAtMs = performance.now();
      if (!(await claimLease(db, replica)) || !(await scanPage(parts, signal))) return undefined;
      return Math.max(1, startedAtMs + pageMsMin - performance.now());
    }),
  );
  stack.use(
    repeat('bring the figures up to date', idleRoundMs, logger, async (signal) => {
      const held = await claimLease(db, replica);
      if (!held || !(await doRound({ ...parts, held }, signal))) return undefined;
      scanning.wake();
      return roundMs;
    }),
  );
  stack.use(
    repeat('purge what is not read', purgeMs, logger, async () =>
      (await forgetPlaces(db)) || (await purge(db)) ? purgePageMs : undefined,
    ),
  );
  return { wakeScan: scanning.wake, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
