import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { AttemptFailure, OwnFault } from './attempt-error.ts';
import type { Latency } from './latency.ts';
import { dnsLookup, type NameLookup, systemLookup } from './name-lookup.ts';
import { isAllowedAddress, type TargetPolicy, targetFault } from './target.ts';
import { openTunnel } from './tunnel.ts';

export interface DialOptions extends TargetPolicy {
  connectTimeoutMs: number;
  /** All connections go through this proxy. It resolves the names, and must protect the internal network itself. */
  egressProxy?: URL | undefined;
  /** Replaces the lookup by the system (`allowsPrivate`) or by DNS. */
  lookup?: NameLookup;
}

/** Makes a connection, and fills `latency`. */
export type Dial = (target: buildConnector.Options, latency: Latency) => Promise<Socket>;

/**
 * Connects only to allowed addresses. Checks the target again, since a webhook can be older than the policy. Resolves
 * its name once, requires that all its addresses are allowed, and connects only to these. TLS 1.2 or newer, verified
 * for the target's name; HTTP/1.1.
 */
export function createDial(options: DialOptions): Dial {
  const { connectTimeoutMs, egressProxy } = options;
  const connect = buildConnector({
    allowH2: false,
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: allowedLookup(options),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    timeout: 0,
  });

  return async (target, latency) => {
    const { protocol, host, hostname, port } = target;
    if (targetFault(`${protocol}//${host}`, options)) throw new AttemptFailure('blocked_address');
    let sinceMs = performance.now();
    const complete = (step: keyof Latency): void => {
      const nowMs = performance.now();
      latency[step] = Math.round(nowMs - sinceMs);
      sinceMs = nowMs;
    };
    const ending = new AbortController();
    const { signal } = ending;
    const timer = setTimeout(() => {
      const isResolving = !egressProxy && latency.dnsMs === null;
      ending.abort(new AttemptFailure(isResolving ? 'dns' : 'timeout_connect'));
    }, connectTimeoutMs);
    try {
      const isName = isIP(hostname) === 0;
      let httpSocket: Socket | undefined;
      if (egressProxy) {
        const authority = `${host}${port ? '' : protocol === 'https:' ? ':443' : ':80'}`;
        httpSocket = await openTunnel(egressProxy, authority, signal);
        complete('connectMs');
        if (protocol === 'http:') return httpSocket;
      } else if (!isName) complete('dnsMs');
      // RFC 6066, 3: SNI has no trailing dot, and an address has no SNI.
      const servername = isName ? hostname.replace(/\.$/, '') : '';
      return await new Promise((resolve, reject) => {
        const done: buildConnector.Callback = (error, made) => (error ? reject(error) : resolve(made));
        // The connector returns the socket at once, which its type leaves out.
        const socket = connect({ ...target, servername, httpSocket }, done) as unknown as Socket;
        socket.once('lookup', (error) => error || complete('dnsMs'));
        socket.once('connect', () => complete('connectMs'));
        socket.once('secureConnect', () => complete('tlsMs'));
        signal.addEventListener('abort', () => socket.destroy(signal.reason));
      });
    } catch (error) {
      ending.abort(error);
      throw signal.reason;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Returns a lookup for `node:net`, which connects to these addresses only. It fails unless all are allowed. */
function allowedLookup(options: DialOptions): LookupFunction {
  const lookup = options.lookup ?? (options.allowsPrivate ? systemLookup : dnsLookup());
  const resolve = async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await lookup(hostname).catch((cause: unknown) => {
      throw cause instanceof OwnFault ? cause : new AttemptFailure('dns', cause);
    });
    if (addresses.length === 0) throw new AttemptFailure('dns');
    if (!addresses.every((address) => isAllowedAddress(address, options))) {
      throw new AttemptFailure('blocked_address');
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  const resolveBack = callbackify(resolve);
  return (hostname, _options, callback) => resolveBack(hostname, callback);
}
