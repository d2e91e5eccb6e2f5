import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { type AppError, toAppError } from '@parley/runtime/errors';
import { answer, type Answering, type ServedMethod } from './answer.ts';
import { peerAddressOf } from '../trust/callers.ts';
import type { Caller } from './context.ts';
import type { Deadlines } from '../wire/deadlines.ts';
import { type CallBody, FrameKind, frame, frameReader, readCall } from '../wire/frame.ts';
import type { InFlight } from './in-flight.ts';
import { messageBytesMax } from './limits.ts';
import { outgoing, Sender } from '../wire/sender.ts';
import { ServerCall } from './server-call.ts';
import type { Stalls } from './stalls.ts';
import { toFailure } from '../wire/status.ts';

/** What all streams of a server share. */
export interface StreamServer extends Answering {
  methods: ReadonlyMap<string, ServedMethod>;
  inFlight: InFlight;
  stalls: Stalls;
  deadlines: Deadlines<ServerCall>;
}

// The limit of answers that wait for a slow client. Above it, no more calls are read from the stream.
const waitingBytesMax = 4 * 1024 * 1024;
const malformed = Object.assign(new Error(), { code: status.INVALID_ARGUMENT, details: 'Malformed frames' });

/**
 * Answers the calls of one stream until it ends. A stream without a valid credential ends at the first part of a body
 * that is too large for one frame.
 */
export class ServerStream {
  readonly #stream: ServerDuplexStream<Buffer, Buffer>;
  readonly #caller: Caller | undefined;
  readonly #peerAddress: string;
  readonly #server: StreamServer;
  readonly #sender: Sender;
  readonly #calls = new Map<number, ServerCall>();
  readonly #closed = Promise.withResolvers<void>();
  #isHalfClosed = false;

  constructor(stream: ServerDuplexStream<Buffer, Buffer>, caller: Caller | undefined, server: StreamServer) {
    this.#stream = stream;
    this.#caller = caller;
    this.#peerAddress = peerAddressOf(stream);
    this.#server = server;
    this.#sender = new Sender((batch, written) => {
      stream.write(batch, () => {
        written();
        if (stream.isPaused() && this.#sender.waitingBytes <= waitingBytesMax) stream.resume();
      });
    });
    this.#read();
    stream.once('end', () => {
      this.#isHalfClosed = true;
      this.#endWhenDone();
    });
    stream.once('close', () => {
      this.#sender.stop();
      for (const call of this.#calls.values()) call.abort();
      this.#closed.resolve();
    });
    // Opens the stream for the client.
    stream.sendMetadata(new Metadata());
  }

  /**
   * Sends `stopping`, so that the client makes no more calls. Resolves when all calls are answered, or the client has
   * disconnected.
   */
  stop(): Promise<void> {
    this.#send(frame(FrameKind.stopping, 0));
    return this.#closed.promise;
  }

  #read(): void {
    const isKnown = this.#caller !== undefined && this.#caller !== 'unknown';
    const read = frameReader(isKnown ? messageBytesMax : 0, (kind, id, body) => {
      if (kind === FrameKind.call) this.#begin(id, readCall(body));
      else if (kind === FrameKind.cancel) this.#cancel(id);
      else if (kind === FrameKind.ping) this.#send(frame(FrameKind.ping, 0));
    });
    const take = (batch: Buffer): void => {
      try {
        read(batch);
      } catch (error) {
        this.#server.logger.warn(
          { peerAddress: this.#peerAddress, err: error },
          'a stream of calls was malformed',
        );
        this.#sender.stop();
        this.#stream.off('data', take);
        this.#stream.emit('error', malformed);
      }
    };
    this.#stream.on('data', take);
  }

  #begin(id: number, { path, requestId, traceparent, grant, timeoutMs, message }: CallBody): void {
    const { methods, inFlight, stalls, deadlines, logger } = this.#server;
    const method = methods.get(path);
    if (!method) {
      logger.error({ requestId, path }, 'there is no such method');
      return this.#send(frame(FrameKind.failure, id, toFailure(toAppError(undefined))));
    }
    // The client retries a refused call if its caller still waits. A call that has timed out must have no late effect.
    if (stalls.isResuming || !inFlight.begin()) return this.#send(frame(FrameKind.refused, id));
    const call = new ServerCall(requestId, this.#caller, timeoutMs);
    this.#calls.set(id, call);
    deadlines.add(call);
    const incoming = {
      method,
      context: call,
      peerAddress: this.#peerAddress,
      traceparent,
      grantText: grant,
      readRequest: () => method.requestDeserialize(message),
      reply: (response: unknown) => {
        const bytes = method.responseSerialize(response);
        if (bytes.length > messageBytesMax) throw new Error('the answer is too large');
        this.#end(id, call, frame(FrameKind.answer, id, bytes));
      },
      fail: (error: AppError) => this.#end(id, call, frame(FrameKind.failure, id, toFailure(error))),
    };
    void answer(incoming, this.#server);
  }

  #end(id: number, call: ServerCall, reply: Buffer): void {
    this.#server.deadlines.delete(call);
    // A cancelled call is not in the map any more, but the client may have sent it again with the same id.
    if (this.#calls.get(id) === call) {
      this.#calls.delete(id);
      this.#send(reply);
    }
    this.#server.inFlight.end();
    this.#endWhenDone();
  }

  #cancel(id: number): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.abort();
  }

  #send(bytes: Buffer): void {
    this.#sender.send(outgoing(bytes));
    if (this.#sender.waitingBytes > waitingBytesMax) this.#stream.pause();
  }

  #endWhenDone(): void {
    if (this.#isHalfClosed && this.#calls.size === 0) this.#sender.finish(() => this.#stream.end());
  }
}
