import { setTimeout } from 'node:timers/promises';
import { type Answer, api, basic, type Envelope, type TestWorkspace } from '@parley/testing/api';
import { repeatedly } from '@parley/testing/repeatedly';
import { browserWith, messageTo, type Snapshot } from '../conversations/conversation.ts';

/** A call that did not succeed. Without an answer the connection failed. */
export interface Refusal {
  call: string;
  answer: { status: number; retryAfter: string | null; body: Envelope<unknown> } | undefined;
}

export interface CompletedConversation {
  customerId: string;
  firstName: string;
  interactionId: string;
}

/** Conversations that continue despite failures. Their disposal finishes the running ones. */
export interface SteadyConversations extends AsyncDisposable {
  completed: CompletedConversation[];
  refusals: Refusal[];
  /** The duration of the slowest call. */
  slowestMs(): number;
  /** Finishes the running conversations. Throws if one of them failed. */
  stop(): Promise<void>;
}

const parallelMax = 2;
const retryMs = 150;
/** From a conversation to the next one: more load would only slow the recoveries down. */
const paceMs = 400;

/**
 * Completes conversations with the NPS sample bot, each with its own customer, by the calls of a client and a browser.
 * Retries each failed call until it succeeds, with the same Idempotency-Key or clientMessageId. Each conversation takes
 * the next of the base URLs for all its calls.
 */
export function startSteadyConversations(
  baseUrls: string[],
  workspace: TestWorkspace,
  botId: string,
): SteadyConversations {
  const completed: CompletedConversation[] = [];
  const refusals: Refusal[] = [];
  let conversations = 0;
  let slowestMs = 0;

  const callWithRetry = async <Data>(call: string, attempt: () => Promise<Answer<Data>>): Promise<Data> => {
    for (;;) {
      const startedAt = performance.now();
      const answer = await attempt().catch(() => undefined);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (answer?.status === 200) return answer.body.data;
      const known = answer && { ...answer, retryAfter: answer.headers.get('retry-after') };
      refusals.push({ call, answer: known });
      if (known && known.status < 500) throw new Error(`${call}: ${JSON.stringify(known.body)}`);
      await setTimeout(retryMs);
    }
  };

  const converse = async (number: number): Promise<void> => {
    const baseUrl = String(baseUrls[number % baseUrls.length]);
    const client = api(
      `${baseUrl}/v1/workspaces/${workspace.id}`,
      basic(workspace.apiKey, workspace.apiSecret),
    );
    const customerId = `visitor ${number}`;
    const key = { 'idempotency-key': customerId };
    // The interaction creates the other customers.
    const firstName = number % 2 === 0 ? `First ${number}` : '';
    if (firstName)
      await callWithRetry('create customer', () =>
        client.post('/customers', { id: customerId, firstName }, key),
      );

    const request = { customerId, botId, status: 'Pending' };
    const { id, link } = await callWithRetry('create interaction', () =>
      client.post<{ id: string; link: string }>('/interactions', request, key),
    );
    const anyone = api(`${baseUrl}/public/v1`, undefined);
    const { sessionToken } = await callWithRetry('open link', () =>
      anyone.post<{ sessionToken: string }>('/link-sessions', {
        token: link.slice(link.lastIndexOf('/') + 1),
      }),
    );
    const browser = browserWith(baseUrl, workspace.id, sessionToken);
    let snapshot = await callWithRetry('start', () =>
      browser.api.post<Snapshot>(`/conversations/${id}/start`),
    );
    for (const answer of [{ value: 10 }, { text: `${customerId} likes it` }]) {
      const message = messageTo(snapshot, answer);
      snapshot = await callWithRetry('say', () => browser.send(id, message));
    }
    if (snapshot.status !== 'Completed')
      throw new Error(`the conversation of ${customerId} is ${snapshot.status}`);
    completed.push({ customerId, firstName, interactionId: id });
  };

  const converseNext = async (): Promise<void> => {
    conversations += 1;
    await converse(conversations);
  };
  const { stop } = repeatedly(converseNext, { parallel: parallelMax, pauseMs: paceMs });
  return { completed, refusals, slowestMs: () => slowestMs, stop, [Symbol.asyncDispose]: stop };
}
