import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { AttemptFailure, ConnectFailure, type ConnectParts, OwnFault } from './attempt-error.ts';
import { dnsLookup, type NameLookup, systemLookup } from './name-lookup.ts';
import { isAllowedAddress, type TargetPolicy, targetFault } from './target.ts';
import { connectToProxy, openTunnel } from './tunnel.ts';

export interface DialOptions extends TargetPolicy {
  /** For name, TCP, the proxy and TLS together. */
  connectTimeoutMs: number;
  /** Through which all connections are made. It resolves the names, and has to keep the inside closed itself. */
  egressProxy?: URL | undefined;
  /** Other than the system's (`allowsPrivate`) or DNS. */
  lookup?: NameLookup;
}

/** A new connection, and how long its parts took. */
export interface Dialed extends ConnectParts {
  socket: Socket;
}

/** Makes a connection. Aborting ends it, and so does its own time-out. Rejects with `ConnectFailure`, whatever the cause. */
export type Dial = (target: buildConnector.Options, ending: AbortController) => Promise<Dialed>;

/**
 * Makes connections to nowhere but where the policy allows: the target is judged anew (a webhook may be older than the
 * policy), its name is resolved once, each of its addresses must be allowed, only these are connected to, and who is at
 * the other end is looked at before a byte is sent. TLS 1.2 or newer, verified for the target's name; HTTP/1.1.
 */
export function createDial(options: DialOptions): Dial {
  const {
    connectTimeoutMs,
    egressProxy,
    lookup = options.allowsPrivate ? systemLookup : dnsLookup(),
  } = options;
  const startTls = buildConnector({
    allowH2: false,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    timeout: 0,
  });

  const resolve = async (hostname: string): Promise<string[]> => {
    if (isIP(hostname) !== 0) return [hostname];
    const addresses = await lookup(hostname).catch((cause: unknown) => {
      if (cause instanceof OwnFault) throw cause;
      throw new AttemptFailure('dns', cause);
    });
    if (addresses.length === 0) throw new AttemptFailure('dns');
    if (!addresses.every((address) => isAllowedAddress(address, options))) {
      throw new AttemptFailure('blocked_address');
    }
    return addresses;
  };

  return async (target, ending) => {
    const { signal } = ending;
    const lap = stopwatch();
    // Whom it is that we wait for.
    let expiry: Error = egressProxy
      ? new OwnFault('the egress proxy does not answer')
      : new AttemptFailure('dns');
    const timer = setTimeout(() => ending.abort(expiry), connectTimeoutMs);
    const parts: ConnectParts = { dnsMs: null, connectMs: null, tlsMs: null };
    let socket: Socket | undefined;
    try {
      if (targetFault(`${target.protocol}//${target.host}`, options)) {
        throw new AttemptFailure('blocked_address');
      }
      const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
      if (egressProxy) {
        socket = await connectToProxy(egressProxy, signal);
        expiry = new AttemptFailure('timeout_connect');
        await openTunnel(socket, egressProxy, `${bracketed(target.hostname)}:${port}`, signal);
      } else {
        const addresses = await unlessAborted(resolve(target.hostname), signal);
        expiry = new AttemptFailure('timeout_connect');
        parts.dnsMs = lap();
        socket = connectTo(addresses, target.hostname, port);
        await once(socket, 'connect', { signal });
        if (!isAllowedAddress(socket.remoteAddress ?? '', options)) {
          throw new AttemptFailure('blocked_address');
        }
      }
      parts.connectMs = lap();
      if (target.protocol !== 'https:') return { socket, ...parts };
      const secured = await unlessAborted(secure(startTls, target, socket), signal);
      parts.tlsMs = lap();
      return { socket: secured, ...parts };
    } catch (error) {
      socket?.destroy();
      throw new ConnectFailure(signal.aborted ? signal.reason : error, parts);
    } finally {
      clearTimeout(timer);
    }
  };
}

function connectTo(addresses: readonly string[], hostname: string, port: number): Socket {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host: hostname,
    port,
    // What was resolved and judged is what is connected to: nobody is asked again.
    lookup: (_hostname, _options, callback) => callback(null, answer),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  // Whoever waits for the socket sees its errors; nobody does between two waits.
  return socket.on('error', () => {});
}

function secure(
  startTls: buildConnector.connector,
  target: buildConnector.Options,
  httpSocket: Socket,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // RFC 6066, 3: a name is sent without the dot at its end, an address not at all.
    const servername = isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, '') : '';
    startTls({ ...target, servername, httpSocket }, (error, socket) =>
      error ? reject(error) : resolve(socket),
    );
  });
}

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}

/** Milliseconds since the call before. */
function stopwatch(): () => number {
  let since = performance.now();
  return () => {
    const until = performance.now();
    const ms = Math.round(until - since);
    since = until;
    return ms;
  };
}
