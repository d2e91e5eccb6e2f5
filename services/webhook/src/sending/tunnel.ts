import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AttemptFailure, OwnFault } from './attempt-error.ts';

/** Connects to an egress proxy. Rejects with `OwnFault`. */
export async function connectToProxy(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const isTls = proxy.protocol === 'https:';
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const port = Number(proxy.port) || (isTls ? 443 : 80);
  const socket = isTls
    ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), rejectUnauthorized: true })
    : connect({ host, port, noDelay: true });
  // Whoever waits for the socket sees its errors; nobody does between two waits.
  socket.on('error', () => {});
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (cause) {
    socket.destroy();
    throw new OwnFault('the egress proxy cannot be reached', { cause });
  }
}

/**
 * Has the proxy at the other end of a socket connect it to `authority` (`host:port`), by CONNECT (RFC 9110). Rejects with
 * `OwnFault` when the proxy does not take our credentials, else with `AttemptFailure`. The socket's end is the caller's.
 */
export function openTunnel(
  socket: Socket,
  { username, password }: URL,
  authority: string,
  signal: AbortSignal,
): Promise<void> {
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return new Promise((resolve, reject) => {
    request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(username && { 'proxy-authorization': `Basic ${credentials.toString('base64')}` }),
      },
      signal,
    })
      .on('connect', (response, _socket, head) => {
        const failure = failureOf(response);
        if (failure) return reject(failure);
        if (head.length > 0) socket.unshift(head);
        resolve();
      })
      .on('error', (cause) => reject(new AttemptFailure('reset', cause)))
      .end();
  });
}

/** What a proxy has against a tunnel, or undefined when it is there. */
function failureOf({ statusCode = 0, headers }: IncomingMessage): Error | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode === 407 && headers['proxy-authenticate']) {
    return new OwnFault('the egress proxy does not take our credentials');
  }
  if (statusCode === 504) return new AttemptFailure('timeout_connect');
  // Proxies that keep a network's inside closed say so with 403, Smokescreen with 407 and no challenge.
  return new AttemptFailure(statusCode >= 400 && statusCode < 500 ? 'blocked_address' : 'refused');
}
