import { AppError, unavailable } from '@parley/runtime/errors';
import pg from 'pg';
import { classifyFault } from './errors.ts';
import { adviceAfter, splitTls } from './tls.ts';
import { databaseAddressOf } from './urls.ts';

/** The time limit for opening a connection: a server that is alive answers sooner. */
export const connectMsMax = 3_000;

/** A connection without traffic is probed after this time, so that a lost server is noticed. */
const keepAliveMs = 5_000;

/** pg's configuration, with a URL without parameters of TLS. */
export type DatabaseClientConfig = pg.ClientConfig & { connectionString: string };

/**
 * Returns pg's configuration for the URL of a database. TLS is as libpq has it, not as pg has it. Variables of TLS in
 * the environment have no effect. Throws `ConfigError`.
 */
export function clientConfig(given: string): DatabaseClientConfig {
  const { url, ...tls } = splitTls(given);
  return {
    connectionString: url,
    ...tls,
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}

/**
 * Connects, runs `work` and disconnects. Throws `unavailable` if the server does not answer. The error of a failed
 * connection names the address of the server and what to set.
 */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(clientConfig(url));
  // Without a listener, the event ends the process. The statement in flight rejects too.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const explained = explainRefusal(error, url);
    throw classifyFault(error) instanceof AppError ? unavailable(explained) : explained;
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the error of a failed connection with the address of the server and what to set. */
export function explainRefusal(error: unknown, url: string): Error {
  const cause = error as Error & { code?: unknown };
  // An address that resolves to several has an error without a message for each.
  const reason = [cause.message || String(cause.code), adviceAfter(cause)].filter(Boolean).join('; ');
  return new Error(`no connection to the database at ${databaseAddressOf(url)}: ${reason}`, { cause });
}
