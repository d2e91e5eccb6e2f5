import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { AttemptFailure, OwnFault } from './attempt-error.ts';

/** Calls a connector of undici. */
export function openSocket(connect: buildConnector.connector, target: object): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(target as buildConnector.Options, (error, socket) => (error ? reject(error) : resolve(socket)));
  });
}

/** Connects to an egress proxy. Aborting closes the socket, also later. Rejects with `OwnFault`. */
export async function connectToProxy(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const { protocol, host, port } = proxy;
  const hostname = proxy.hostname.replace(/^\[|\]$/g, '');
  const connect = buildConnector({ allowH2: false, rejectUnauthorized: true, signal, timeout: 0 });
  return await openSocket(connect, { protocol, host, hostname, port }).catch((cause: unknown) => {
    throw new OwnFault('the egress proxy cannot be reached', { cause });
  });
}

/**
 * Has the proxy connect its socket to `authority` (`host:port`) by CONNECT (RFC 9110, 9.3.6). Rejects with `OwnFault`
 * when the proxy rejects our credentials, else with `AttemptFailure`.
 */
export async function openTunnel(
  socket: Socket,
  { origin, username, password }: URL,
  authority: string,
  signal: AbortSignal,
): Promise<void> {
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const authorization = username && { 'proxy-authorization': `Basic ${credentials.toString('base64')}` };
  const request = { path: authority, headers: { host: authority, ...authorization }, signal };
  const connect: buildConnector.connector = (_target, callback) => setImmediate(callback, null, socket);
  const proxy = new Client(origin, { allowH2: false, connect });
  const { statusCode, headers } = await proxy.connect(request).catch((cause: unknown) => {
    throw new AttemptFailure('reset', cause);
  });
  if (statusCode >= 200 && statusCode < 300) return;
  if (statusCode === 407 && headers['proxy-authenticate']) {
    throw new OwnFault('the egress proxy rejects our credentials');
  }
  if (statusCode === 504) throw new AttemptFailure('timeout_connect');
  // Proxies that protect an internal network answer 403, Smokescreen 407 without a challenge.
  throw new AttemptFailure(statusCode >= 400 && statusCode < 500 ? 'blocked_address' : 'refused');
}
