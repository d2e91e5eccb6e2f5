import { connect } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';
import { parseNatsUrl } from '@parley/runtime/nats-url';

/** What a test does to the event stream behind the back of the services. */
export interface StreamSession extends AsyncDisposable {
  /** How many events are on their way; 0 where there is no stream. */
  events(): Promise<number>;
  /** Deletes them all at once. */
  purge(): Promise<void>;
  /** Deletes them one after the other. */
  deleteEach(): Promise<void>;
}

interface Info {
  state?: { messages: number; first_seq: number; last_seq: number };
}

/** Connects with calls of the broker's own interface. Waits while the broker is away. */
export async function openStreamSession(natsUrl: string): Promise<StreamSession> {
  const options = { waitOnFirstConnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 };
  const { servers, credentials } = parseNatsUrl(natsUrl);
  const connection = await connect({ servers, ...credentials, ...options });
  const ask = async <Reply>(verb: string, question: object = {}): Promise<Reply> =>
    (
      await connection.request(`$JS.API.STREAM.${verb}.${stream.name}`, JSON.stringify(question))
    ).json<Reply>();
  const state = async () => (await ask<Info>('INFO')).state ?? { messages: 0, first_seq: 0, last_seq: 0 };
  return {
    events: async () => (await state()).messages,
    purge: async () => {
      await ask('PURGE');
    },
    deleteEach: async () => {
      const { first_seq: first, last_seq: last } = await state();
      for (let seq = first; seq <= last; seq += 1) await ask('MSG.DELETE', { seq, no_erase: true });
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
