import { repeat } from '@parley/runtime/scheduling/schedule';
import { endPageOfRest } from '../deliveries/end-store.ts';
import { backlogOf, type DueLane } from '../scheduling/backlog.ts';
import { scanLanes } from './lane-store.ts';
import type { DelivererContext } from './serve.ts';

/** Due deliveries without a notification are found within this time. */
const scanMs = 2_000;
/** The share of time that scans take at most. */
const scanShare = 1 / 20;
/** A scan can wait for its connection, which costs nothing: so no pause is longer. */
const pauseMsMax = 10_000;

interface ScannerOptions
  extends Pick<DelivererContext, 'db' | 'logger' | 'clock' | 'ownership' | 'lanes' | 'agenda'> {
  onFound: () => void;
}

/** Scans for lanes with open deliveries, and ends deliveries of inactive webhooks, until disposed. */
export function startScanner({ db, logger, clock, ownership, lanes, agenda, onFound }: ScannerOptions) {
  let found: readonly DueLane[] = [];
  let notBeforeMs = 0;
  const scanning = repeat('find due lanes', scanMs, logger, async () => {
    const startedMs = performance.now();
    if (startedMs < notBeforeMs) return;
    found = (await scanLanes(db)).filter(({ webhookId }) => ownership.of(webhookId));
    const endedMs = performance.now();
    notBeforeMs = endedMs + Math.min((endedMs - startedMs) / scanShare, pauseMsMax);
    for (const { webhookId, dueAtMs, revision, isActive } of found) {
      const lane = lanes.peek(webhookId);
      if (lane && lane.revision !== revision) lane.isStale = true;
      if (isActive) agenda.add(webhookId, dueAtMs, clock.nowMs());
    }
    onFound();
  });
  const ending = repeat('end deliveries of inactive webhooks', scanMs, logger, async (signal) => {
    let isMore = false;
    for (const webhook of found.filter(({ isActive }) => !isActive)) {
      if (signal.aborted) break;
      isMore = (await endPageOfRest(db, webhook)) || isMore;
    }
    return isMore;
  });
  return {
    wake: (): void => {
      notBeforeMs = 0;
      scanning.wake();
    },
    backlog: () => backlogOf(found, (webhookId) => lanes.peek(webhookId), clock.nowMs()),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await scanning[Symbol.asyncDispose]();
      await ending[Symbol.asyncDispose]();
    },
  };
}
