import { setTimeout } from 'node:timers/promises';
import { type Answer, api, basic, type Envelope, type TestWorkspace } from '@parley/testing/api';
import { browserWith, messageTo, type Snapshot } from './talk.ts';

/** A call that did not succeed. Without an answer the connection failed. */
export interface Refusal {
  call: string;
  answer: { status: number; retryAfter: string | null; body: Envelope<unknown> } | undefined;
}

/** A talk that was completed: all that it has made. */
export interface CompletedTalk {
  customerId: string;
  firstName: string;
  interactionId: string;
}

/** Talks that go on, whatever fails meanwhile. Disposing of them finishes those under way. */
export interface SteadyTalks extends AsyncDisposable {
  completed: CompletedTalk[];
  refusals: Refusal[];
  /** The longest that a call took. */
  slowestMs(): number;
  /** Finishes the talks under way; throws when one of them went wrong. */
  stop(): Promise<void>;
}

const talksAtOnce = 2;
const paceMs = 150;

/**
 * Completes talks with the sample bot that asks for a score, each with a customer of its own, by the calls that a client
 * and a browser make. A call that fails is made again until it succeeds, as the contract allows: with the same
 * Idempotency-Key or clientMessageId. Each talk takes the next of the base URLs for all its calls.
 */
export function startSteadyTalks(baseUrls: string[], workspace: TestWorkspace, botId: string): SteadyTalks {
  const completed: CompletedTalk[] = [];
  const refusals: Refusal[] = [];
  const ended = new AbortController();
  let talks = 0;
  let slowestMs = 0;

  const insist = async <Data>(call: string, attempt: () => Promise<Answer<Data>>): Promise<Data> => {
    for (;;) {
      const startedAt = performance.now();
      const answer = await attempt().catch(() => undefined);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (answer?.status === 200) return answer.body.data;
      const known = answer && { ...answer, retryAfter: answer.headers.get('retry-after') };
      refusals.push({ call, answer: known });
      if (known && known.status < 500) throw new Error(`${call}: ${JSON.stringify(known.body)}`);
      await setTimeout(paceMs);
    }
  };

  const talk = async (number: number): Promise<void> => {
    const baseUrl = String(baseUrls[number % baseUrls.length]);
    const client = api(
      `${baseUrl}/v1/workspaces/${workspace.id}`,
      basic(workspace.apiKey, workspace.apiSecret),
    );
    const customerId = `talker ${number}`;
    const key = { 'idempotency-key': customerId };
    // The others' customers are made by the interaction.
    const firstName = number % 2 === 0 ? `First ${number}` : '';
    if (firstName)
      await insist('create customer', () => client.post('/customers', { id: customerId, firstName }, key));

    const wanted = { customerId, botId, status: 'Pending' };
    const { id, link } = await insist('create interaction', () =>
      client.post<{ id: string; link: string }>('/interactions', wanted, key),
    );
    const anyone = api(`${baseUrl}/public/v1`, undefined);
    const { sessionToken } = await insist('open link', () =>
      anyone.post<{ sessionToken: string }>('/link-sessions', {
        token: link.slice(link.lastIndexOf('/') + 1),
      }),
    );
    const browser = browserWith(baseUrl, workspace.id, sessionToken);
    let snapshot = await insist('start', () => browser.api.post<Snapshot>(`/conversations/${id}/start`));
    for (const answer of [{ value: 10 }, { text: `${customerId} likes it` }]) {
      const message = messageTo(snapshot, answer);
      snapshot = await insist('say', () => browser.send(id, message));
    }
    if (snapshot.status !== 'Completed') throw new Error(`the talk of ${customerId} is ${snapshot.status}`);
    completed.push({ customerId, firstName, interactionId: id });
  };

  const talkOn = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      talks += 1;
      await talk(talks);
      await setTimeout(paceMs);
    }
  };
  const all = Promise.all(Array.from({ length: talksAtOnce }, talkOn));
  // Whoever stops them hears of a failure; until then it must not end the process.
  all.catch(() => {});
  const stop = async (): Promise<void> => {
    ended.abort();
    await all;
  };
  return { completed, refusals, slowestMs: () => slowestMs, stop, [Symbol.asyncDispose]: stop };
}
