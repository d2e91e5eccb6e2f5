import { connect } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';

/** Reads and deletes events of the stream for a test. */
export interface StreamConnection extends AsyncDisposable {
  /** The number of events in the stream; 0 without a stream. */
  events(): Promise<number>;
  /** The name of the server's process that leads the stream, such as `nats-2`. Throws without a leader. */
  leader(): Promise<string>;
  /** Deletes all events in one call. */
  purge(): Promise<void>;
  /** Deletes all events one by one. */
  deleteEach(): Promise<void>;
  /** Deletes the stream with its durables. */
  deleteStream(): Promise<void>;
}

interface Info {
  cluster?: { leader?: string };
  state?: { messages: number; first_seq: number; last_seq: number };
}

/** Connects to the API of the broker. Waits while the broker is unavailable. */
export async function openStreamConnection(natsUrl: string): Promise<StreamConnection> {
  const options = { waitOnFirstConnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 100 };
  const { servers, credentials } = parseNatsUrl(natsUrl);
  const connection = await connect({ servers, ...credentials, ...options });
  const ask = async <Reply>(verb: string, question: object = {}): Promise<Reply> =>
    (
      await connection.request(`$JS.API.STREAM.${verb}.${stream.name}`, JSON.stringify(question))
    ).json<Reply>();
  const state = async () => (await ask<Info>('INFO')).state ?? { messages: 0, first_seq: 0, last_seq: 0 };
  return {
    leader: async () => {
      const name = (await ask<Info>('INFO')).cluster?.leader;
      if (!name) throw new Error('the stream has no leader');
      return name.replace('parley-local-', '');
    },
    events: async () => (await state()).messages,
    purge: async () => {
      await ask('PURGE');
    },
    deleteEach: async () => {
      const { first_seq: first, last_seq: last } = await state();
      for (let seq = first; seq <= last; seq += 1) await ask('MSG.DELETE', { seq, no_erase: true });
    },
    deleteStream: async () => {
      await ask('DELETE');
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
