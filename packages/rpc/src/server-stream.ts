import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { type AppError, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { answer, type ServedMethod } from './answer.ts';
import { AbortableContext, type Caller } from './context.ts';
import type { Deadlines, Expiring } from './deadlines.ts';
import { FrameKind, frame, frameReader, readCall } from './frame.ts';
import type { InFlight } from './in-flight.ts';
import { messageBytesMax } from './limits.ts';
import { outgoing, startSender } from './sender.ts';
import { toFailure } from './status.ts';

/** What the streams of a server share. */
export interface StreamServer {
  methods: ReadonlyMap<string, ServedMethod>;
  inFlight: InFlight;
  deadlines: Deadlines<ServerCall>;
  logger: Logger;
}

/** A stream that a client has opened. */
export interface ServerStream {
  /** Tells the client to make no more calls. Resolves when it makes none and all are answered, or it is gone. */
  stop(): Promise<void>;
}

/** A call that a handler is answering. */
export class ServerCall extends AbortableContext implements Expiring {
  readonly expiresAtMs: number;

  constructor(requestId: string, caller: Caller | undefined, timeoutMs: number) {
    super(requestId, caller);
    this.expiresAtMs = performance.now() + timeoutMs;
  }
}

// Answers that the client does not take: with more that wait, no more calls are taken from it.
const waitingBytesMax = 4 * 1024 * 1024;
const malformed = Object.assign(new Error(), { code: status.INVALID_ARGUMENT, details: 'Malformed frames' });

/**
 * Answers the calls that come by a stream, until it ends. One without a valid credential is ended at the first part of a
 * body that is too large for one frame.
 */
export function serveStream(
  stream: ServerDuplexStream<Buffer, Buffer>,
  caller: Caller | undefined,
  { methods, inFlight, deadlines, logger }: StreamServer,
): ServerStream {
  const calls = new Map<number, ServerCall>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let isHalfClosed = false;

  const sender = startSender((batch, written) => {
    stream.write(batch, () => {
      written();
      if (stream.isPaused() && sender.waitingBytes <= waitingBytesMax) stream.resume();
    });
  });
  const send = (bytes: Buffer): void => {
    sender.send(outgoing(bytes));
    if (sender.waitingBytes > waitingBytesMax) stream.pause();
  };

  const begin = (id: number, body: Buffer): void => {
    const { path, requestId, traceparent, timeoutMs, message } = readCall(body);
    const method = methods.get(path);
    if (!method) {
      logger.error({ requestId, path }, 'there is no such method');
      return send(frame(FrameKind.failure, id, toFailure(toAppError(undefined))));
    }
    if (!inFlight.begin()) return send(frame(FrameKind.refused, id));
    const context = new ServerCall(requestId, caller, timeoutMs);
    calls.set(id, context);
    deadlines.add(context);
    const end = (reply: Buffer): void => {
      deadlines.delete(context);
      // One that was cancelled is not there any more.
      if (calls.delete(id)) send(reply);
      inFlight.end();
      endWhenDone();
    };
    const incoming = {
      method,
      context,
      traceparent,
      readRequest: () => method.requestDeserialize(message),
      reply: (response: unknown) => {
        const bytes = method.responseSerialize(response);
        if (bytes.length > messageBytesMax) throw new Error('the answer is too large');
        end(frame(FrameKind.answer, id, bytes));
      },
      fail: (error: AppError) => end(frame(FrameKind.failure, id, toFailure(error))),
    };
    void answer(incoming, logger);
  };

  const cancel = (id: number): void => {
    const call = calls.get(id);
    calls.delete(id);
    call?.abort();
  };

  const endWhenDone = (): void => {
    if (isHalfClosed && calls.size === 0) sender.finish(() => stream.end());
  };

  const isKnown = caller !== undefined && caller !== 'stranger';
  const read = frameReader(isKnown ? messageBytesMax : 0, (kind, id, body) => {
    if (kind === FrameKind.call) begin(id, body);
    else if (kind === FrameKind.cancel) cancel(id);
  });
  const take = (batch: Buffer): void => {
    try {
      read(batch);
    } catch (error) {
      logger.warn({ err: error }, 'a stream of calls was malformed');
      sender.stop();
      stream.off('data', take);
      stream.emit('error', malformed);
    }
  };
  stream.on('data', take);
  stream.once('end', () => {
    isHalfClosed = true;
    endWhenDone();
  });
  stream.once('close', () => {
    sender.stop();
    for (const call of calls.values()) call.abort();
    close();
  });
  // Tells the client that it may begin.
  stream.sendMetadata(new Metadata());

  return {
    stop: () => {
      send(frame(FrameKind.stopping, 0));
      return closed;
    },
  };
}
