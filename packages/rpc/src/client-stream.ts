import { type Client, Metadata, type StatusObject } from '@grpc/grpc-js';
import type { CallEvents, ClientCall } from './client-call.ts';
import { FrameKind, frame, frameReader, streamPath } from './frame.ts';
import { messageBytesMax } from './limits.ts';
import { outgoing, startSender } from './sender.ts';

/** One stream to a peer. */
export interface ClientStream {
  send(call: ClientCall): void;
  /** Tells the peer that nobody waits for the answer. */
  cancel(call: ClientCall): void;
  /** Takes back what is not sent, waits for the answers to the rest, and then ends. */
  finish(): void;
  /** Ends it now. */
  close(): void;
}

interface StreamEvents extends CallEvents {
  /** The peer takes calls. */
  opened(): void;
  /** The peer takes no more; the stream finishes. */
  stopping(): void;
  /** Nothing comes from it any more but the ends of the calls that it still had. */
  ended(cause: Error): void;
}

const openMsMax = 4_000;
const same = (bytes: Buffer): Buffer => bytes;

/** Opens the stream. It ends in four seconds if the peer does not take it. */
export function openStream(client: Client, authorization: string, events: StreamEvents): ClientStream {
  const metadata = new Metadata();
  metadata.set('authorization', authorization);
  const stream = client.makeBidiStreamRequest(streamPath, same, same, metadata);
  const sender = startSender((batch, written) => stream.write(batch, written));
  let calls = new Map<number, ClientCall>();
  const opening = setTimeout(() => stream.cancel(), openMsMax);

  const finish = (): void => {
    sender.stop();
    for (const call of calls.values()) {
      if (call.isSent) continue;
      calls.delete(call.id);
      events.undelivered(call);
    }
    stream.end();
  };

  const take = (kind: number, id: number, body: Buffer): void => {
    if (kind === FrameKind.stopping) {
      events.stopping();
      return finish();
    }
    const call = calls.get(id);
    if (!call) return;
    calls.delete(id);
    if (kind === FrameKind.answer) events.answered(call, body);
    else if (kind === FrameKind.failure) events.failed(call, body);
    else if (kind === FrameKind.refused) events.undelivered(call);
  };
  const read = frameReader(messageBytesMax, take);

  stream.once('metadata', () => {
    clearTimeout(opening);
    events.opened();
  });
  stream.on('data', (batch: Buffer) => {
    try {
      read(batch);
    } catch {
      stream.cancel();
    }
  });
  // What it says comes with the status.
  stream.on('error', () => {});
  stream.once('status', ({ code, details }: StatusObject) => {
    clearTimeout(opening);
    sender.stop();
    const cause = new Error(`the stream has ended: ${details} (status ${code})`);
    events.ended(cause);
    const left = calls;
    calls = new Map();
    for (const call of left.values()) {
      if (call.isSent) events.lost(call, cause);
      else events.undelivered(call);
    }
  });

  return {
    send: (call) => {
      call.isSent = false;
      calls.set(call.id, call);
      sender.send(call);
    },
    cancel: (call) => {
      calls.delete(call.id);
      sender.send(outgoing(frame(FrameKind.cancel, call.id)));
    },
    finish,
    close: () => stream.cancel(),
  };
}
