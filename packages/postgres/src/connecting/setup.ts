import type pg from 'pg';
import { withClient } from './client.ts';

/** Settings of a connection by name, for `set_config`. Names and values are constants of the code. */
export type ConnectionSettings = Readonly<Record<string, string>>;

/**
 * What all code relies on, whatever the server, the database or the role is set to. Values are read as text, and a
 * statement without a transaction runs at this level too.
 */
const reliedOn: ConnectionSettings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  bytea_output: 'hex',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  lock_timeout: '0',
};

interface Opened {
  /** The server's process. */
  processId: number;
  /** The server follows another one and accepts no writes. */
  isStandby: boolean;
}

/**
 * Applies the settings to a new connection, besides what all code relies on. Poolers refuse or ignore settings of the
 * start-up message, so a statement has them.
 */
export async function setUpConnection(client: pg.Client, settings: ConnectionSettings = {}): Promise<Opened> {
  const { rows } = await client.query<{ pid: number; standby: boolean }>(setupStatement(settings));
  return { processId: rows[0]?.pid ?? 0, isStandby: rows[0]?.standby ?? false };
}

export function setupStatement(settings: ConnectionSettings = {}): string {
  const calls = Object.entries({ ...reliedOn, ...settings }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `select pg_backend_pid() as pid, pg_is_in_recovery() as standby, ${calls.join(', ')}`;
}

const probesMax = 10;

/**
 * Throws if a pooler between this process and the server gives each transaction another process of it: settings and
 * prepared statements of one caller reach another. Recognises only poolers that announce another process than the
 * server's, as PgBouncer does, because it has chosen none yet.
 */
export async function requireOwnServerProcess(first: pg.Client, url: string): Promise<void> {
  const own = await processOf(first);
  if (own === (first as pg.Client & { processID: number }).processID) return;
  await withClient(url, async (second) => {
    for (let probes = 0; probes < probesMax; probes += 1) {
      await second.query('begin');
      // It has a process now, and the first connection may have lost its own to it.
      const isLost = (await processOf(second)) === own || (await processOf(first)) !== own;
      await second.query('rollback');
      if (isLost) throw new Error(advice);
    }
  });
}

const advice =
  'DATABASE_URL leads to a pooler that gives each transaction another session: set pool_mode = session for this database (PgBouncer), or set DATABASE_URL to the server itself';

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
