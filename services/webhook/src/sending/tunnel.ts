import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { AttemptFailure, OwnFault } from './attempt-error.ts';

/** Connects to an egress proxy. Aborting closes the socket, also later. Rejects with `OwnFault`. */
export function connectToProxy(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const { protocol, host, port } = proxy;
  const hostname = proxy.hostname.replace(/^\[|\]$/g, '');
  const connect = buildConnector({ allowH2: false, rejectUnauthorized: true, signal, timeout: 0 });
  return new Promise((resolve, reject) => {
    connect({ protocol, host, hostname, port }, (cause, socket) => {
      if (socket) resolve(socket);
      else reject(new OwnFault('the egress proxy cannot be reached', { cause }));
    });
  });
}

/**
 * Connects to `authority` (`host:port`) through an egress proxy by CONNECT (RFC 9110, 9.3.6). Rejects with `OwnFault`
 * if the proxy cannot be reached or rejects our credentials, else with `AttemptFailure`.
 */
export async function openTunnel(proxy: URL, authority: string, signal: AbortSignal): Promise<Socket> {
  const socket = await connectToProxy(proxy, signal);
  const [username, password] = [proxy.username, proxy.password].map(decodeURIComponent);
  const authorization = username && {
    'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  };
  const connect: buildConnector.connector = (_target, callback) => setImmediate(callback, null, socket);
  const client = new Client(proxy.origin, { allowH2: false, connect });
  const request = { path: authority, headers: { host: authority, ...authorization }, signal };
  const { statusCode, headers } = await client.connect(request).catch((cause: unknown) => {
    throw new AttemptFailure('reset', cause);
  });
  if (statusCode >= 200 && statusCode < 300) return socket;
  if (statusCode === 407 && headers['proxy-authenticate']) {
    throw new OwnFault('the egress proxy rejects our credentials');
  }
  if (statusCode === 504) throw new AttemptFailure('timeout_connect');
  // Proxies that protect an internal network answer 403, Smokescreen 407 without a challenge.
  throw new AttemptFailure(statusCode >= 400 && statusCode < 500 ? 'blocked_address' : 'refused');
}
