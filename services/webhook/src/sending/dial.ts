import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { AttemptFailure, type ConnectParts, OwnFault } from './attempt-error.ts';
import { dnsLookup, type NameLookup, systemLookup } from './name-lookup.ts';
import { isAllowedAddress, type TargetPolicy, targetFault } from './target.ts';
import { connectToProxy, openSocket, openTunnel } from './tunnel.ts';

export interface DialOptions extends TargetPolicy {
  /** For name, TCP, the proxy and TLS together. */
  connectTimeoutMs: number;
  /** All connections go through this proxy. It resolves the names, and must protect the internal network itself. */
  egressProxy?: URL | undefined;
  /** Replaces the system's look-up (`allowsPrivate`) or DNS. */
  lookup?: NameLookup;
}

/** Makes a connection, and fills `parts`. Aborting `ending` closes the connection, also later. */
export type Dial = (
  target: buildConnector.Options,
  ending: AbortController,
  parts: ConnectParts,
) => Promise<Socket>;

/**
 * Connects only to what the policy allows. The target is checked again, since a webhook may be older than the policy.
 * Its name is resolved once, each of its addresses must be allowed, and only these are connected to. TLS 1.2 or newer,
 * verified for the target's name; HTTP/1.1.
 */
export function createDial(options: DialOptions): Dial {
  const { connectTimeoutMs, egressProxy } = options;
  const lookup = options.lookup ?? (options.allowsPrivate ? systemLookup : dnsLookup());
  const tls = { allowH2: false, minVersion: 'TLSv1.2', rejectUnauthorized: true, timeout: 0 } as const;
  const startTls = buildConnector(tls);

  const resolve = async (hostname: string): Promise<string[]> => {
    if (isIP(hostname) !== 0) return [hostname];
    const addresses = await lookup(hostname).catch((cause: unknown) => {
      throw cause instanceof OwnFault ? cause : new AttemptFailure('dns', cause);
    });
    if (addresses.length === 0) throw new AttemptFailure('dns');
    if (addresses.every((address) => isAllowedAddress(address, options))) return addresses;
    throw new AttemptFailure('blocked_address');
  };

  return async ({ protocol, host, hostname, port: givenPort }, ending, parts) => {
    const { signal } = ending;
    let sinceMs = performance.now();
    const complete = (part: keyof ConnectParts): void => {
      const nowMs = performance.now();
      parts[part] = Math.round(nowMs - sinceMs);
      sinceMs = nowMs;
    };
    // What the time-out means in the current step.
    let expiry = (): Error =>
      egressProxy ? new OwnFault('the egress proxy does not answer') : new AttemptFailure('dns');

    const connect = async (): Promise<Socket> => {
      if (targetFault(`${protocol}//${host}`, options)) throw new AttemptFailure('blocked_address');
      const port = givenPort || (protocol === 'https:' ? '443' : '80');
      let socket: Socket;
      if (egressProxy) {
        socket = await connectToProxy(egressProxy, signal);
        expiry = () => new AttemptFailure('timeout_connect');
        await openTunnel(socket, egressProxy, givenPort ? `${host}` : `${host}:${port}`, signal);
      } else {
        const addresses = await resolve(hostname);
        expiry = () => new AttemptFailure('timeout_connect');
        complete('dnsMs');
        const resolved = addresses.map((address) => ({ address, family: isIP(address) }));
        socket = connectTcp({
          host: hostname,
          port: Number(port),
          // Pins the addresses that were checked: the name is not resolved again.
          lookup: (_hostname, _options, callback) => callback(null, resolved),
          autoSelectFamily: true,
          autoSelectFamilyAttemptTimeout: 1_000,
          noDelay: true,
          signal,
        });
        // Errors between two steps show in the next one.
        socket.on('error', () => {});
        await once(socket, 'connect');
      }
      complete('connectMs');
      if (protocol !== 'https:') return socket;
      // RFC 6066, 3: SNI has no trailing dot, and an address has no SNI.
      const servername = isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
      socket = await openSocket(startTls, { protocol, host, hostname, port, servername, httpSocket: socket });
      complete('tlsMs');
      return socket;
    };

    const timer = setTimeout(() => ending.abort(expiry()), connectTimeoutMs);
    try {
      const ended = once(signal, 'abort').then(() => Promise.reject(signal.reason));
      return await Promise.race([connect(), ended]);
    } catch (error) {
      ending.abort(error);
      throw signal.reason;
    } finally {
      clearTimeout(timer);
    }
  };
}
