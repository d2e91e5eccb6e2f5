import { setTimeout as pause } from 'node:timers/promises';
import { type BenchSessions, createBenchSessions } from '../setup/sessions.ts';
import { type HttpAnswer, type HttpCall, openHttpClient } from './http.ts';
import type { Attacker, Victim, World } from './tenants.ts';

export interface Load {
  name: string;
  /** What the attacker does, in one line. */
  does: string;
  /** Runs until the signal of the attack is aborted. */
  run(attack: Attack): Promise<void>;
}

/** What a load needs: calls that are counted, their pace, and the rows that they are about. */
export interface Attack {
  port: number;
  attacker: Attacker;
  victim: Pick<Victim, 'workspaceId' | 'apiKey'>;
  /** Aborted when the load must end. */
  signal: AbortSignal;
  sessions: BenchSessions;
  /** The path of the attacker's workspace. */
  base: string;
  /** The path of the attacker's workspace for browsers. */
  visible: string;
  /**
   * Makes a call with the attacker's key unless `headers` says otherwise, and counts its outcome. Returns the answer,
   * if there is one.
   */
  call(call: HttpCall, options?: CallOptions): Promise<HttpAnswer | undefined>;
  /**
   * Prepares the load, or tidies up after it: makes a call that is not counted. Returns the data of its answer; throws
   * without 200.
   */
  prepare<Data>(call: Omit<HttpCall, 'body'> & { body?: unknown }): Promise<Data>;
  /** Starts work at this rate, whatever the answers. */
  every(perSecond: number, work: (number: number) => Promise<unknown>): Promise<void>;
  /** Repeats work this many times at once, each as fast as it ends. */
  parallel(count: number, work: (number: number) => Promise<unknown>): Promise<void>;
  /** Counts an outcome. The first one shows that the load has begun. */
  count(outcome: string): void;
}

interface CallOptions {
  /** Gives up, as a client that has gone, after this time. */
  givesUpMs?: number;
  wantsText?: boolean;
}

/** Counts by outcome: an HTTP status, or why there was none. */
export type Outcomes = Record<string, number>;

export interface RunningLoad {
  /** Resolves when its first call was sent. */
  begun: Promise<void>;
  /** Ends it and returns what the attacker got. Throws if it could not be prepared. */
  stop(): Promise<Outcomes>;
}

const prepareMsMax = 60_000;

export function startLoad({ port, sessionKeys, attacker, victim }: World, load: Load): RunningLoad {
  const ended = new AbortController();
  const begun = Promise.withResolvers<void>();
  const client = openHttpClient(port);
  const outcomes: Outcomes = {};
  const count = (outcome: string): void => {
    begun.resolve();
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const byKey = { Authorization: attacker.authorization };
  const call: Attack['call'] = async (request, { givesUpMs, wantsText = false } = {}) => {
    const headers = { ...byKey, ...request.headers };
    const givesUp = givesUpMs === undefined ? [] : [AbortSignal.timeout(givesUpMs)];
    const signal = AbortSignal.any([ended.signal, ...givesUp]);
    try {
      begun.resolve();
      const answer = await client.send({ ...request, headers }, { signal, wantsText });
      count(String(answer.status));
      return answer;
    } catch {
      // The end of the load cuts off its last calls.
      if (!ended.signal.aborted) count(signal.aborted ? 'given up' : 'broken');
      return undefined;
    }
  };
  const attack: Attack = {
    port,
    attacker,
    victim,
    signal: ended.signal,
    sessions: createBenchSessions(sessionKeys),
    base: `/v1/workspaces/${attacker.workspaceId}`,
    visible: `/public/v1/workspaces/${attacker.workspaceId}`,
    call,
    count,
    prepare: async <Data>({ body, headers, ...request }: Parameters<Attack['prepare']>[0]) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const sent = { ...request, headers: { ...byKey, ...headers }, ...text };
      const answer = await client.send(sent, { signal: AbortSignal.timeout(prepareMsMax), wantsText: true });
      if (answer.status !== 200) throw new Error(`${request.method} ${request.path}: ${answer.text}`);
      return (JSON.parse(answer.text) as { data: Data }).data;
    },
    every: (perSecond, work) => every(perSecond, work, ended.signal),
    parallel: async (times, work) => {
      const repeat = async (number: number): Promise<void> => {
        while (!ended.signal.aborted) await work(number);
      };
      await Promise.all(Array.from({ length: times }, (_, number) => repeat(number)));
    },
  };
  const running = load.run(attack);
  running.catch(begun.reject);
  return {
    begun: begun.promise,
    stop: async () => {
      ended.abort();
      try {
        await running;
      } finally {
        client[Symbol.dispose]();
      }
      return outcomes;
    },
  };
}

async function every(
  perSecond: number,
  work: (number: number) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const startedAt = performance.now();
  for (let started = 0; !signal.aborted; started += 1) {
    const waitMs = startedAt + (started * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    const one = work(started).finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
}
