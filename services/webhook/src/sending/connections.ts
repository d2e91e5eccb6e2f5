import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { AttemptFailure } from './attempt-error.ts';
import type { Dial, Dialed } from './dial.ts';

/** How many connections are kept that nobody uses, over all origins. */
const idleMax = 512;
/** How long, unless the receiver asks for less, or for more in its `Keep-Alive` header. */
const idleMs = 4_000;
const idleMsMax = 60_000;
/**
 * What may come over a connection for one request: enough for headers, the excerpt, and what is read before anybody has
 * seen that it is enough. Endless interim answers and chunk extensions are neither header nor body, and end here.
 */
const receivedBytesMax = 256 * 1_024;

/** A connection to an origin, for one request at a time. */
export interface Connection {
  client: Client;
  /** How it was made, if it was for the request that it is taken for. */
  dialed: Dialed | undefined;
  /** Whether it was made for an earlier request: the receiver may be closing it. */
  isKept: boolean;
  /** What the system has said of its socket when that broke. */
  fault: Error | undefined;
  /** To be called once: after an exchange that has come to its end it is kept for the next, else ended. */
  release(isReusable: boolean): void;
}

/**
 * Connections, kept for the next request to their origin. There are never more than are in use plus 512, however many
 * origins there are: the one that was idle for longest gives way. How many are in use is up to the caller, also of one
 * origin, which many tenants may share: none waits behind another.
 */
export interface Connections extends AsyncDisposable {
  /** A kept one, or else a new one. */
  take(origin: string): Connection;
  open(origin: string): Connection;
}

interface Kept extends Connection {
  origin: string;
  socket: Socket | undefined;
  /** What the socket had received when it was taken. */
  receivedBytes: number;
  end(): Promise<void>;
}

/** Opens the pool. Disposing of it ends every connection, also while in use. */
export function createConnections(dial: Dial): Connections {
  const all = new Set<Kept>();
  const idle = openIdle();

  const open = (origin: string): Kept => {
    const ending = new AbortController();
    const connect = async (
      target: buildConnector.Options,
      callback: buildConnector.Callback,
    ): Promise<void> => {
      let dialed: Dialed;
      try {
        dialed = await dial(target, ending);
      } catch (error) {
        return callback(error as Error, null);
      }
      const { socket } = dialed;
      Object.assign(kept, { dialed, isKept: false, fault: undefined, socket, receivedBytes: 0 });
      // Before undici's own: where the end of an answer is that of its connection, it takes a reset for one.
      socket.on('error', (error) => {
        if ('syscall' in error) kept.fault = error;
      });
      callback(null, socket);
      socket.on('readable', () => limitReceived(kept));
    };
    const client = new Client(origin, {
      connect: (target, callback) => void connect(target, callback),
      // One timer per attempt covers headers and body together.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMsMax,
    });
    const kept: Kept = {
      origin,
      client,
      dialed: undefined,
      isKept: false,
      fault: undefined,
      socket: undefined,
      receivedBytes: 0,
      release: (isReusable) => {
        if (!all.has(kept)) return;
        const surplus = isReusable ? idle.add(kept) : kept;
        if (surplus) void surplus.end();
      },
      end: async () => {
        idle.delete(kept);
        all.delete(kept);
        const ended = client.destroy();
        ending.abort();
        await ended;
      },
    };
    client.on('disconnect', () => {
      if (idle.has(kept)) void kept.end();
    });
    all.add(kept);
    return kept;
  };

  return {
    take: (origin) => {
      const kept = idle.take(origin);
      if (!kept) return open(origin);
      const receivedBytes = kept.socket?.bytesRead ?? 0;
      return Object.assign(kept, { dialed: undefined, isKept: true, receivedBytes });
    },
    open,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Array.from(all, (kept) => kept.end()));
    },
  };
}

function limitReceived({ socket, receivedBytes }: Kept): void {
  if (socket && socket.bytesRead - receivedBytes > receivedBytesMax) {
    socket.destroy(new AttemptFailure('protocol'));
  }
}

/** Connections that nobody uses. */
function openIdle() {
  /** Longest idle first; those of one origin as well. */
  const all = new Set<Kept>();
  const byOrigin = new Map<string, Kept[]>();

  const remove = (kept: Kept): void => {
    if (!all.delete(kept)) return;
    const same = byOrigin.get(kept.origin) ?? [];
    same.splice(same.lastIndexOf(kept), 1);
    if (same.length === 0) byOrigin.delete(kept.origin);
  };
  return {
    has: (kept: Kept): boolean => all.has(kept),
    delete: remove,
    /** Gives back the one that there is no more room for. */
    add: (kept: Kept): Kept | undefined => {
      all.add(kept);
      const same = byOrigin.get(kept.origin);
      if (same) same.push(kept);
      else byOrigin.set(kept.origin, [kept]);
      if (all.size <= idleMax) return undefined;
      const [longest] = all;
      return longest;
    },
    /** The one used last: the others run out when there is less to do. */
    take: (origin: string): Kept | undefined => {
      const kept = byOrigin.get(origin)?.at(-1);
      if (kept) remove(kept);
      return kept;
    },
  };
}
