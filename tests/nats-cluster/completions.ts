import type { System } from '@parley/local/system';
import { eventually } from '@parley/testing/eventually';
import type { Receiver } from '@parley/testing/peers/receiver';
import { repeatedly } from '@parley/testing/repeatedly';
import { expect } from 'vitest';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';

/** Steady completions, and what their webhook receives. */
export interface Completions extends AsyncDisposable {
  /** Waits until an interaction that was completed after the call has been delivered. */
  flow(): Promise<void>;
  /**
   * Returns what has happened since the last call: completions, failed calls, and the longest call, the longest time
   * without an acknowledged completion and the longest from a completion to its delivery, in milliseconds. Waits until
   * every completion has been delivered.
   */
  figures(): Promise<Figures>;
}

interface Figures {
  completed: number;
  failures: string[];
  callMs: number;
  deliveryMs: number;
}

const paceMs = 100;

/** Starts them: one at a time, each with two calls. */
export async function startCompletions(
  { local, operator }: System,
  receiver: Receiver,
  arrivedAt: ReadonlyMap<string, number>,
): Promise<Completions> {
  const { workspace, create, patch } = await createNpsWorkspace(local().baseUrl, operator);
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
  let completedAt = new Map<string, number>();
  let failures: string[] = [];
  let callMs = 0;
  const timed = async <T extends { status: number }>(call: Promise<T>): Promise<T> => {
    const begunAt = performance.now();
    const answer = await call;
    callMs = Math.max(callMs, performance.now() - begunAt);
    if (answer.status >= 500) failures.push(`${answer.status}`);
    return answer;
  };
  const complete = async (): Promise<void> => {
    const { status, body } = await timed(create({ status: 'InProgress' }));
    if (status !== 200) return;
    const closed = await timed(patch(body.data.id, { status: 'Completed' }));
    if (closed.status === 200) completedAt.set(body.data.id, performance.now());
  };
  const { stop } = repeatedly(() => complete().catch((error: unknown) => failures.push(String(error))), {
    pauseMs: paceMs,
  });
  return {
    flow: async () => {
      const startedAt = performance.now();
      await eventually(() => {
        const fresh = [...completedAt].some(([id, at]) => at > startedAt && arrivedAt.has(id));
        expect(fresh).toBe(true);
      });
    },
    figures: async () => {
      const [made, failed, longest] = [completedAt, failures, callMs];
      [completedAt, failures, callMs] = [new Map(), [], 0];
      await eventually(() => expect([...made.keys()].filter((id) => !arrivedAt.has(id))).toEqual([]));
      const delays = Array.from(made, ([id, at]) => (arrivedAt.get(id) ?? 0) - at);
      const deliveryMs = Math.round(Math.max(0, ...delays));
      return { completed: made.size, failures: failed, callMs: Math.round(longest), deliveryMs };
    },
    [Symbol.asyncDispose]: stop,
  };
}
