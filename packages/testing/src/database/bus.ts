import { connect } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';

export interface BusMessage {
  subject: string;
  headers: Record<string, string>;
  payload: Uint8Array;
}

/** A durable consumer of another team, with the plain protocol of NATS. Its disposal deletes it. */
export interface BusReader extends AsyncDisposable {
  /** Returns the next message and acknowledges it; undefined if there is none now. */
  next(): Promise<BusMessage | undefined>;
}

/** Creates a durable pull consumer that receives what is published from now on. */
export async function openBusReader(natsUrl: string, durable: string): Promise<BusReader> {
  const { servers, credentials } = parseNatsUrl(natsUrl);
  const connection = await connect({ servers, ...credentials });
  // A message of the stream keeps its subject, so the client cannot find its request by the subject of the reply.
  const options = { noMux: true, timeout: 10_000 };
  const ask = (subject: string, question: object) =>
    connection.request(
      `$JS.API.CONSUMER.${subject}.${stream.name}.${durable}`,
      JSON.stringify(question),
      options,
    );
  const config = { durable_name: durable, ack_policy: 'explicit', deliver_policy: 'new' };
  const created = await ask('DURABLE.CREATE', { stream_name: stream.name, config });
  const { error } = created.json<{ error?: { description: string } }>();
  if (error) throw new Error(error.description);
  return {
    next: async () => {
      const message = await ask('MSG.NEXT', { batch: 1, no_wait: true });
      // A message without a status code is one of the stream.
      if (message.headers?.code) return undefined;
      message.respond('+ACK');
      const names = message.headers?.keys() ?? [];
      const headers = Object.fromEntries(names.map((name) => [name, message.headers?.get(name) ?? '']));
      return { subject: message.subject, headers, payload: message.data };
    },
    [Symbol.asyncDispose]: async () => {
      await ask('DELETE', {});
      await connection.close();
    },
  };
}
