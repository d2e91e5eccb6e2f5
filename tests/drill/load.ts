import { setTimeout } from 'node:timers/promises';
import type { WorkspaceClient } from '@parley/client';

/** A completion that the API has acknowledged. */
export interface Completion {
  id: string;
  /** In `Date.now()` time. */
  at: number;
}

/** Completes interactions at a rate until it is stopped. A call that fails is not repeated. */
export function startCompletions(
  { interactions }: Pick<WorkspaceClient, 'interactions'>,
  botId: string,
  perSecond: number,
) {
  const completions: Completion[] = [];
  const running = new Set<Promise<void>>();
  const ended = new AbortController();
  let created = 0;
  const complete = async (): Promise<void> => {
    created += 1;
    const customerId = `customer ${created}`;
    const { id } = await interactions.create({ customerId, botId, status: 'InProgress' });
    await interactions.update(id, { status: 'Completed' });
    completions.push({ id, at: Date.now() });
  };
  const looping = (async () => {
    while (!ended.signal.aborted) {
      const one = complete().catch(() => {});
      running.add(one);
      void one.then(() => running.delete(one));
      await setTimeout(1_000 / perSecond);
    }
  })();
  return {
    completions,
    stop: async (): Promise<void> => {
      ended.abort();
      await looping;
      await Promise.all(running);
    },
  };
}
