import type { Client, ClientDuplexStream, Metadata, StatusObject } from '@grpc/grpc-js';
import { idempotentMethods } from '@parley/contracts/idempotent-methods';
import type { CallEvents, ClientCall } from './client-call.ts';
import { FrameKind, frame, frameReader, rawBytes, streamPath } from '../wire/frame.ts';
import { Heartbeat } from './heartbeat.ts';
import { messageBytesMax } from '../server/limits.ts';
import { outgoing, Sender } from '../wire/sender.ts';

interface StreamEvents extends CallEvents {
  /** The peer accepts calls. */
  opened(): void;
  /** Called repeatedly while the peer is silent. */
  silent(): void;
  /** The peer is not silent any more. */
  resumed(): void;
  /** The peer accepts no more calls. The stream finishes. */
  stopping(): void;
  /** The stream has ended. Only `lost` and `undelivered` follow, for its remaining calls. */
  ended(cause: Error): void;
}

const openMsMax = 4_000;

/** One stream to a peer. It opens at once, and ends if the peer does not accept it within four seconds. */
export class ClientStream {
  readonly #stream: ClientDuplexStream<Buffer, Buffer>;
  readonly #sender: Sender;
  readonly #events: StreamEvents;
  readonly #calls = new Map<number, ClientCall>();
  readonly #opening: NodeJS.Timeout;
  #heartbeat: Heartbeat | undefined;

  constructor(client: Client, metadata: Metadata, events: StreamEvents) {
    const stream = client.makeBidiStreamRequest(streamPath, rawBytes, rawBytes, metadata);
    const read = frameReader(messageBytesMax, (kind, id, body) => this.#take(kind, id, body));
    this.#stream = stream;
    this.#sender = new Sender((batch, written) => stream.write(batch, written));
    this.#events = events;
    this.#opening = setTimeout(() => stream.cancel(), openMsMax);
    stream.once('metadata', () => {
      clearTimeout(this.#opening);
      this.#heartbeat = this.#startHeartbeat();
      events.opened();
    });
    stream.on('data', (batch: Buffer) => {
      this.#heartbeat?.beat();
      try {
        read(batch);
      } catch {
        stream.cancel();
      }
    });
    // The status has the same information.
    stream.on('error', () => {});
    stream.once('status', (status: StatusObject) => this.#end(status));
  }

  get isSilent(): boolean {
    return this.#heartbeat?.isSilent ?? false;
  }

  /** How late the peer's next heartbeat is, to compare peers. */
  get lateTicks(): number {
    return this.#heartbeat?.lateTicks ?? 0;
  }

  send(call: ClientCall): void {
    call.isSent = false;
    this.#calls.set(call.id, call);
    this.#heartbeat?.start();
    this.#sender.send(call);
  }

  /** Removes the call and sends the peer a `cancel` frame. */
  cancel(call: ClientCall): void {
    this.#calls.delete(call.id);
    this.#sender.send(outgoing(frame(FrameKind.cancel, call.id)));
  }

  /** Cancels the idempotent calls, each at most once, and returns them as `undelivered`. */
  redirect(): void {
    const calls = [...this.#calls.values()].filter(
      ({ isRedirected, method }) => !isRedirected && idempotentMethods.has(method.path),
    );
    if (calls.length === 0) return;
    this.#sender.withdraw(new Set(calls));
    for (const call of calls) {
      call.isRedirected = true;
      this.cancel(call);
      this.#events.undelivered(call);
    }
  }

  /** Returns the unsent calls as `undelivered`, and ends the stream when the others are answered. */
  finish(): void {
    this.#heartbeat?.[Symbol.dispose]();
    this.#sender.stop();
    for (const call of this.#calls.values()) {
      if (call.isSent) continue;
      this.#calls.delete(call.id);
      this.#events.undelivered(call);
    }
    this.#stream.end();
  }

  /** Ends the stream at once. */
  close(): void {
    this.#stream.cancel();
  }

  #startHeartbeat(): Heartbeat {
    return new Heartbeat({
      isWaiting: () => this.#calls.size > 0,
      request: () => this.#sender.send(outgoing(frame(FrameKind.ping, 0))),
      silent: () => this.#events.silent(),
      resumed: () => this.#events.resumed(),
    });
  }

  #take(kind: number, id: number, body: Buffer): void {
    if (kind === FrameKind.stopping) {
      this.#events.stopping();
      return this.finish();
    }
    const call = this.#calls.get(id);
    if (!call || kind === FrameKind.ping) return;
    this.#calls.delete(id);
    if (kind === FrameKind.answer) this.#events.answered(call, body);
    else if (kind === FrameKind.failure) this.#events.failed(call, body);
    else if (kind === FrameKind.refused) this.#events.undelivered(call);
  }

  #end({ code, details }: StatusObject): void {
    clearTimeout(this.#opening);
    this.#heartbeat?.[Symbol.dispose]();
    this.#sender.stop();
    const cause = new Error(`the stream has ended: ${details} (status ${code})`);
    this.#events.ended(cause);
    const left = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of left) {
      if (call.isSent) this.#events.lost(call, cause);
      else this.#events.undelivered(call);
    }
  }
}
