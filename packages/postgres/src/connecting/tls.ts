import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigError } from '@parley/runtime/config/config';
import { addressOf } from './urls.ts';

/** The parameters of a URL that concern TLS, with the names of libpq. */
const names = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'] as const;

type Parameters = Partial<Record<(typeof names)[number], string>>;

/** Other parameters of libpq that protect a connection, with the values that demand nothing. */
const demandingNothing: Record<string, readonly string[]> = {
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  require_auth: [],
  requirepeer: [],
  requiressl: ['0'],
};

interface TlsConfig {
  ssl: ConnectionOptions | false;
  sslnegotiation: 'postgres' | 'direct';
}

/**
 * Splits the URL of a database into one without parameters of TLS, and pg's configuration of TLS. The rest of the URL
 * is unchanged. The modes are libpq's, except that `prefer` and `allow` are refused: they protect from nothing.
 * <https://www.postgresql.org/docs/18/libpq-ssl.html#LIBPQ-SSL-PROTECTION>. Without a mode, there is no TLS. Throws
 * `ConfigError`, which names the server and the parameter. Refuses parameters of libpq that would protect a connection
 * and have no effect here.
 */
export function splitTls(url: string): { url: string } & TlsConfig {
  const [base = '', query = ''] = url.split(/\?(.*)/s);
  const parts = query.split('&').filter(Boolean);
  const isTls = (part: string): boolean =>
    [...new URLSearchParams(part).keys()].some((name) => (names as readonly string[]).includes(name));
  const given = Object.fromEntries(new URLSearchParams(parts.filter(isTls).join('&'))) as Parameters;
  const others = parts.filter((part) => !isTls(part));
  try {
    for (const [name, value] of new URLSearchParams(others.join('&'))) refuseIgnored(name, value);
    return { url: others.length > 0 ? `${base}?${others.join('&')}` : base, ...tlsConfig(given) };
  } catch (cause) {
    throw new ConfigError(`the database at ${addressOf(url)}: ${(cause as Error).message}`, { cause });
  }
}

/** Throws if a parameter would protect the connection and has no effect here. */
function refuseIgnored(name: string, value: string): void {
  const harmless = Object.hasOwn(demandingNothing, name) ? demandingNothing[name] : undefined;
  const isIgnored = harmless ? !harmless.includes(value) : name.startsWith('ssl');
  // Without the value, which can be a password.
  if (isIgnored) throw new Error(`the parameter ${name} is not supported: remove it`);
}

function tlsConfig(given: Parameters): TlsConfig {
  const { sslrootcert } = given;
  if (given.ssl !== undefined && given.ssl !== 'true' && given.ssl !== 'false')
    throw new Error(`ssl=${given.ssl} is not supported: set sslmode`);
  // libpq reads `ssl=true`, as JDBC has it, as `require`.
  const unnamed = given.ssl === 'true' ? 'require' : 'disable';
  const mode = given.sslmode ?? (sslrootcert === 'system' ? 'verify-full' : unnamed);
  if (sslrootcert === 'system' && mode !== 'verify-full')
    throw new Error(`sslrootcert=system needs sslmode=verify-full, not ${mode}`);
  const { sslnegotiation = 'postgres' } = given;
  if (sslnegotiation !== 'direct' && sslnegotiation !== 'postgres')
    throw new Error(`sslnegotiation=${sslnegotiation} is not supported: set direct or postgres`);
  if (sslnegotiation === 'direct' && mode === 'disable')
    throw new Error('sslnegotiation=direct needs an sslmode with TLS');
  return { ssl: tlsOptions(mode, given), sslnegotiation };
}

function tlsOptions(mode: string, { sslrootcert, sslcert, sslkey }: Parameters): ConnectionOptions | false {
  const options = {
    ...(sslrootcert && sslrootcert !== 'system' && { ca: readPem('sslrootcert', sslrootcert) }),
    ...(sslcert && { cert: readPem('sslcert', sslcert) }),
    ...(sslkey && { key: readPem('sslkey', sslkey) }),
  };
  const anyName = { checkServerIdentity: () => undefined };
  switch (mode) {
    case 'disable':
      return false;
    case 'require':
      return sslrootcert ? { ...options, ...anyName } : { ...options, rejectUnauthorized: false };
    case 'verify-ca':
      if (!sslrootcert) throw new Error('sslmode=verify-ca needs sslrootcert, a file of certificates');
      return { ...options, ...anyName };
    case 'verify-full':
      return options;
    default:
      throw new Error(`sslmode=${mode} is not supported: set disable, require, verify-ca or verify-full`);
  }
}

function readPem(name: string, path: string): string {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('-----BEGIN ')) throw new Error(`${name} must be a file in PEM`);
  return text;
}

const authority = 'set sslrootcert to the certificate of the authority of the server';

/** What to set, by the codes of Node and of the server. */
const adviceByCode: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  UNABLE_TO_GET_ISSUER_CERT: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'sslmode=verify-full needs a certificate for this host; verify-ca accepts other hosts',
  // No entry of pg_hba.conf, perhaps because all demand TLS.
  28000: 'if the server demands TLS, set sslmode',
};

/** Returns what to set after a connection has failed. Undefined if nothing is known. */
export function adviceAfter({ code, message }: Error & { code?: unknown }): string | undefined {
  if (message === 'The server does not support SSL connections') return 'sslmode demands TLS';
  return typeof code === 'string' ? adviceByCode[code] : undefined;
}
