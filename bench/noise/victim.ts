import { randomInt } from 'node:crypto';
import { createBenchSessions } from '../setup/sessions.ts';
import { conversationId, customerId, interactionId } from '../setup/seed.ts';
import { type HttpCall, openHttpClient } from './http.ts';
import type { World } from './tenants.ts';

export const kinds = ['POST customer', 'GET interaction', 'list', 'one turn', 'pending'] as const;
export type Kind = (typeof kinds)[number];

export interface Sample {
  kind: Kind;
  /** When it was due (`performance.now()`). */
  dueAt: number;
  /** From then to the end of the answer. */
  ms: number;
  /** Why it counts as failed: the status, the fault of the connection, or the time. */
  failure?: string;
}

/** Calls of the victim at a constant rate. Disposing ends them. */
export interface Calls extends AsyncDisposable {
  /** Finished calls, in the order of their ends. */
  samples: readonly Sample[];
  /** Resolves when all calls that were due before now have ended. */
  settled(): Promise<void>;
}

/** A slower call counts as failed. */
const callMsMax = 10_000;

/**
 * Makes the five kinds of calls, each this often per second. They are due at fixed times, whatever the earlier answers,
 * and their durations count from then: a call that waits for its turn in this process is a slow call too.
 */
export function startCalls(world: World, perSecond: number): Calls {
  const client = openHttpClient(world.port);
  const requestOf = requestsOf(world);
  const samples: Sample[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  const gapMs = 1_000 / (perSecond * kinds.length);
  let started = 0;
  let timer: NodeJS.Timeout | undefined;

  const make = async (kind: Kind, dueAt: number): Promise<void> => {
    const leftMs = Math.max(0, Math.ceil(callMsMax - (performance.now() - dueAt)));
    let failure: string | undefined;
    try {
      const call = await requestOf(kind);
      const { status } = await client.send(call, { signal: AbortSignal.timeout(leftMs) });
      if (status !== 200) failure = String(status);
    } catch (error) {
      failure = failureOf(error);
    }
    samples.push({ kind, dueAt, ms: performance.now() - dueAt, ...(failure !== undefined && { failure }) });
  };
  const makeDue = (): void => {
    for (let dueAt = startedAt + started * gapMs; dueAt <= performance.now(); dueAt += gapMs) {
      const kind = kinds[started % kinds.length] ?? kinds[0];
      started += 1;
      const call = make(kind, dueAt).finally(() => running.delete(call));
      running.add(call);
    }
    timer = setTimeout(makeDue, Math.max(0, startedAt + started * gapMs - performance.now()));
  };
  makeDue();
  const settled = async (): Promise<void> => void (await Promise.all(running));
  return {
    samples,
    settled,
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      await settled();
      client[Symbol.dispose]();
    },
  };
}

function failureOf(error: unknown): string {
  const { name, code, message } = error as Error & { code?: string };
  if (name === 'AbortError' || name === 'TimeoutError') return 'over 10 s';
  return code ?? message;
}

/** Returns the next request of a kind. Conversations are used once each. */
function requestsOf({ sessionKeys, victim }: World): (kind: Kind) => Promise<HttpCall> {
  const sessions = createBenchSessions(sessionKeys);
  const { workspaceId, authorization, contents } = victim;
  const base = `/v1/workspaces/${workspaceId}`;
  const visible = `/public/v1/workspaces/${workspaceId}`;
  const byKey = { Authorization: authorization };
  const bySession = async (subject: Parameters<typeof sessions.issue>[0]['subject']) => {
    return { Authorization: `Bearer ${await sessions.issue({ workspaceId, subject, fenceVersion: 0 })}` };
  };
  const newId = `new-${process.pid}-${Date.now()}`;
  let made = 0;
  let turns = 0;
  const random = (max: number): number => randomInt(1, max + 1);
  return async (kind) => {
    switch (kind) {
      case 'POST customer': {
        made += 1;
        const body = JSON.stringify({ id: `${newId}-${made}`, firstName: 'Ada' });
        return { method: 'POST', path: `${base}/customers`, headers: byKey, body };
      }
      case 'GET interaction': {
        const id = interactionId(random(contents.interactions));
        return { method: 'GET', path: `${base}/interactions/${id}`, headers: byKey };
      }
      case 'list':
        return { method: 'GET', path: `${base}/interactions?page=${random(20)}`, headers: byKey };
      case 'one turn': {
        turns += 1;
        if (turns > contents.conversations) throw new Error('no conversation is left');
        const id = conversationId(turns);
        const body = { clientMessageId: 'one', expectedSeq: 2, stepId: 'score', answer: { value: 9 } };
        return {
          method: 'POST',
          path: `${visible}/conversations/${id}/messages`,
          headers: await bySession({
            $case: 'interaction',
            value: { interactionId: id, linkVersion: 1 },
          }),
          body: JSON.stringify(body),
        };
      }
      case 'pending': {
        const headers = await bySession({
          $case: 'customerId',
          value: customerId(random(contents.customers)),
        });
        return { method: 'GET', path: `${visible}/pending`, headers };
      }
      default:
        return kind satisfies never;
    }
  };
}
