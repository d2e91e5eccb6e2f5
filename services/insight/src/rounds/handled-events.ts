import { setTimeout } from 'node:timers/promises';
import type { EventLogServiceService } from '@parley/contracts/events/v1/log';
import type { Inbox } from '@parley/events/inbox';
import type { RpcClient } from '@parley/rpc/definition';
import { v7 as uuidv7 } from 'uuid';
import { types } from '../counting/consume.ts';

export type LogClient = Pick<RpcClient<EventLogServiceService>, 'listEvents'>;

const subjects = types.map(({ subject }) => subject);
const pollMs = 100;
const waitMsMax = 10_000;

/** Returns a page of the events that the consumer handles, behind a cursor; with `fromNow`, only the newest cursor. */
export function listEvents(
  log: LogClient,
  { after, fromNow = false }: { after: string; fromNow?: boolean },
  signal: AbortSignal,
) {
  return log.listEvents({ after, types: subjects, limit: 0, fromNow }, { requestId: uuidv7(), signal });
}

interface Waiting {
  log: LogClient;
  inbox: Pick<Inbox, 'keepNew'>;
  /** Called with the cursor behind each page of events that were all handled. */
  onHandled: (cursor: string) => Promise<void>;
}

/**
 * Waits until the consumer has handled all events behind a cursor. Returns until when everything is handled: as a rule
 * the time of the call. Undefined if the consumer needs more than 10 seconds. Does not wait for dead letters: only
 * the figures of their workspaces lack them.
 */
export async function waitForHandled(
  { log, inbox, onHandled }: Waiting,
  cursor: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const endMs = performance.now() + waitMsMax;
  let handledUntil: Date | undefined;
  for (let after = cursor, hasMore = true; hasMore; ) {
    const page = await listEvents(log, { after }, signal);
    handledUntil ??= page.completeUntil ?? undefined;
    const ids = page.events.map(({ id }) => id);
    while (ids.length > 0 && (await inbox.keepNew(ids)).size > 0) {
      if (performance.now() > endMs) return undefined;
      await setTimeout(pollMs, undefined, { signal });
    }
    if (page.cursor !== after) await onHandled(page.cursor);
    ({ cursor: after, hasMore } = page);
  }
  return handledUntil;
}
