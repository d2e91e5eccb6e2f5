import { setTimeout } from 'node:timers/promises';
import type { Answer, TestWorkspace } from '@parley/testing/api';

/** A continuous load of completed interactions, despite faults. */
export interface Load extends AsyncDisposable {
  /** Interactions whose completion returned 200. */
  completed: string[];
  /** Finishes the work in progress and creates nothing until `resume`. */
  pause(): Promise<void>;
  resume(): void;
}

const customers = 50;
const clients = 12;
const refusedWaitMs = 100;

/** Repeats a call until it succeeds. During a fault, 503 and 504 are allowed. */
export async function insist<Data>(call: () => Promise<Answer<Data>>): Promise<Data> {
  for (;;) {
    const answer = await call().catch(() => undefined);
    if (answer?.status === 200) return answer.body.data;
    if (answer && answer.status < 503) throw new Error(`unexpected answer: ${JSON.stringify(answer.body)}`);
    await setTimeout(refusedWaitMs);
  }
}

/** Creates an interaction and completes it, with retries. Returns its id. */
export async function completeOne(
  { api }: TestWorkspace,
  botId: string,
  customerId: string,
): Promise<string> {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const wanted = { customerId, botId, status: 'Pending' };
  const { id } = await insist(() => api.post<{ id: string }>('/interactions', wanted, key));
  await insist(() => api.patch(`/interactions/${id}`, { status: 'Completed' }));
  return id;
}

/** Completes this many interactions a second, as far as possible. */
export function startLoad(workspace: TestWorkspace, botId: string, perSecond: number): Load {
  const completed: string[] = [];
  const everyMs = (clients * 1_000) / perSecond;
  let isOver = false;
  let work: Promise<unknown> = Promise.resolve();

  const completeOn = async (pausing: AbortSignal, client: number): Promise<void> => {
    for (let number = client; !pausing.aborted; number += clients) {
      // Clients in step would complete a dozen at once, and then none.
      const next = setTimeout(everyMs * (0.5 + Math.random()));
      completed.push(await completeOne(workspace, botId, `c ${number % customers}`));
      await next;
    }
  };
  let pausing = new AbortController();
  const resume = (): void => {
    if (isOver) return;
    pausing = new AbortController();
    const { signal } = pausing;
    work = Promise.all(Array.from({ length: clients }, (_, client) => completeOn(signal, client)));
    // The caller of `pause` gets a failure. Until then it must not end the process.
    work.catch(() => {});
  };
  const pause = async (): Promise<void> => {
    pausing.abort();
    await work;
  };
  resume();
  return {
    completed,
    pause,
    resume,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await pause().catch(() => {});
    },
  };
}
