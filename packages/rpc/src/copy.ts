import { Client, credentials } from '@grpc/grpc-js';
import type { CallEvents, ClientCall } from './client-call.ts';
import { type ClientStream, openStream } from './client-stream.ts';

/** One process at one address, with a stream to it that is opened again whenever it ends. */
export interface Copy extends Disposable {
  /** `connecting`: calls may wait for it. `away`: it has failed or is stopping, and is tried behind the scenes. */
  readonly state: 'ready' | 'connecting' | 'away';
  /** Only when it is ready. */
  send(call: ClientCall): void;
  /** Lets it answer what it has, and then leaves it. */
  retire(): void;
}

interface CopyEvents extends CallEvents {
  ready(): void;
  /** It is not ready any more. */
  left(cause: Error): void;
  /** It was retired or disposed of, and nothing of it is left. */
  closed(): void;
}

/** How soon one that is away is tried again. */
const retryMs = 200;

const channelOptions = {
  'grpc.initial_reconnect_backoff_ms': retryMs / 2,
  'grpc.max_reconnect_backoff_ms': retryMs / 2,
  // How much of the answers may be on its way: the usual 64 KiB would make each piece of a large one wait.
  'grpc-node.flow_control_window': 1024 * 1024,
  // A peer that is frozen keeps its connection: this is how long it gets calls.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 4_000,
  // A batch is written when the connection has taken it, and not when a buffer for retries has.
  'grpc.enable_retries': 0,
  'grpc.per_rpc_retry_buffer_size': 0,
};

/** Connects at once; `authorization` is that of the stream. */
export function openCopy(address: string, authorization: string, events: CopyEvents): Copy {
  const client = new Client(address, credentials.createInsecure(), channelOptions);
  let state: Copy['state'] = 'connecting';
  let stream: ClientStream | undefined;
  let openedAtMs = Number.POSITIVE_INFINITY;
  let retry: NodeJS.Timeout | undefined;
  let isLeft = false;

  const open = (): void => {
    openedAtMs = Number.POSITIVE_INFINITY;
    stream = openStream(client, authorization, {
      ...events,
      opened: () => {
        openedAtMs = performance.now();
        state = 'ready';
        events.ready();
      },
      stopping: () => {
        state = 'away';
        events.left(new Error('the peer is stopping'));
      },
      ended,
    });
  };

  const ended = (cause: Error): void => {
    stream = undefined;
    if (isLeft) return close();
    if (performance.now() - openedAtMs > retryMs) {
      // It has served for a while: most often it, or another in its place, is there at once.
      state = 'connecting';
      open();
    } else {
      state = 'away';
      retry = setTimeout(open, retryMs).unref();
    }
    events.left(cause);
  };

  const close = (): void => {
    client.close();
    events.closed();
  };

  const leave = (end: (stream: ClientStream) => void): void => {
    isLeft = true;
    state = 'away';
    clearTimeout(retry);
    if (stream) end(stream);
    else close();
  };

  open();
  return {
    get state() {
      return state;
    },
    send: (call) => {
      call.stream = stream;
      stream?.send(call);
    },
    retire: () => leave((open) => open.finish()),
    [Symbol.dispose]: () => leave((open) => open.close()),
  };
}
