import { isIP } from 'node:net';

export interface NatsUrl {
  /** `host:port` each in canonical form, without credentials. */
  servers: string[];
  /** Whether TLS is required. Otherwise it is used where the server offers it. */
  demandsTls: boolean;
  /** The prefix of the user's inboxes, `_INBOX_<user>`, so that permissions keep others out. */
  inboxPrefix: string;
  /** Decoded; empty without credentials. */
  credentials: { user?: string; pass?: string; token?: string };
}

const form =
  'must be nats://host:port or tls://host:port, or several with commas between; user:password@ or token@ before the host, percent-encoded';

/**
 * Parses one or more addresses, `nats://` or `tls://`, separated by commas, all with the same scheme and the
 * same credentials (`user:password@` or `token@`). The default port is 4222. Throws for anything else; the
 * error contains nothing of the text.
 */
export function parseNatsUrl(text: string): NatsUrl {
  const addresses = text.split(',').map((one) => addressOf(one.trim()));
  const [{ scheme, userinfo }] = addresses as [Address];
  if (addresses.some((other) => other.scheme !== scheme || other.userinfo !== userinfo)) {
    throw new Error('must have the same scheme and the same credentials in all of its addresses');
  }
  const demandsTls = scheme === 'tls';
  // The client checks the certificate of such a server against `localhost`.
  if (demandsTls && addresses.some(({ host }) => isIP(host.replace(/^\[|\]$/g, '')) !== 0)) {
    throw new Error('must name hosts after tls://, no IP addresses: certificates are checked against names');
  }
  const servers = addresses.map(({ host, port }) => `${host}:${port}`);
  const credentials = credentialsOf(userinfo);
  return { servers, demandsTls, inboxPrefix: inboxPrefixOf(credentials.user), credentials };
}

function inboxPrefixOf(user: string | undefined): string {
  return user === undefined ? '_INBOX' : `_INBOX_${user.replaceAll(/[^\w-]/g, '_')}`;
}

interface Address {
  scheme: string;
  userinfo: string | undefined;
  host: string;
  port: number;
}

function addressOf(text: string): Address {
  const [, scheme, userinfo, written, digits = '4222'] =
    /^(nats|tls):\/\/(?:([^@/?#\s]+)@)?(\[[^\]\s]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/.exec(text) ?? [];
  const port = Number(digits);
  const host = written && URL.parse(`http://${written}`)?.hostname;
  if (!scheme || !host || port < 1 || port > 65_535) throw new Error(form);
  return { scheme, userinfo, host, port };
}

function credentialsOf(userinfo: string | undefined): NatsUrl['credentials'] {
  if (userinfo === undefined) return {};
  const [, first, pass] = /^([^:]+)(?::(.*))?$/.exec(userinfo) ?? [];
  if (!first) throw new Error(form);
  return pass === undefined ? { token: decoded(first) } : { user: decoded(first), pass: decoded(pass) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(form);
  }
}
