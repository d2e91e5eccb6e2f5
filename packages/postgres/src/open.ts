import { setTimeout } from 'node:timers/promises';
import { inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { Logger } from '@parley/runtime/logger';
import {
  CamelCasePlugin,
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { classifyFault } from './errors.ts';
import { statementName } from './statement-name.ts';

// int8 as a number: our counts and sequences stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

interface DatabaseOptions {
  url: string;
  logger: Logger;
  connectionsMax?: number;
  /** How long one statement may take; 5 s unless said, 0 for as long as it needs. */
  statementTimeoutMs?: number;
}

/** A pool of connections under Kysely, and the question whether the server answers. */
export interface Database<Tables> extends AsyncDisposable {
  db: Kysely<Tables>;
  /** True when a statement can be run within two seconds. */
  isReady(): Promise<boolean>;
}

/**
 * Opens a database. Columns are snake_case in SQL and camelCase here; keys inside JSON are left alone. Statements with
 * parameters are prepared by name on each connection. A connection that fails gives `unavailable`, never a raw fault.
 */
export function openDatabase<Tables>(options: DatabaseOptions): Database<Tables> {
  const { statementTimeoutMs = 5_000 } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    // The server's own time-out comes first, unless the server is frozen.
    query_timeout: statementTimeoutMs && statementTimeoutMs + 1_000,
    keepAlive: true,
  });
  // A connection that dies while idle is replaced by the pool; unheard, the event would end the process.
  pool.on('error', (error) => options.logger.warn({ err: error }, 'database connection lost'));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing(pool), controlClient: pg.Client }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return {
    db,
    isReady: async () => {
      try {
        const answered = pool.query('select 1').then(() => true);
        return await Promise.race([answered, setTimeout(2_000, false, { ref: false })]);
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** The pool as Kysely sees it: statements get names and spans, faults of the connection get their public face. */
function preparing(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      try {
        const client = await pool.connect();
        let prepared = clients.get(client);
        if (!prepared) {
          prepared = preparingClient(client);
          clients.set(client, prepared);
        }
        return prepared;
      } catch (error) {
        throw classifyFault(error);
      }
    },
  };
}

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  // A connection whose statement failed in transport must not go back to the pool.
  let broken = false;
  client.on('error', () => {
    broken = true;
  });
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(text: string | PostgresCursor<R>, values: readonly unknown[] = []) {
    if (typeof text !== 'string') return text;
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
    const spanOptions = { kind: SpanKind.CLIENT, attributes, onlyAsChild: true };
    return inSpan('postgres.query', spanOptions, async () => {
      try {
        const prepared = values.length > 0 && { name: statementName(text), values: [...values] };
        return (await client.query<R & pg.QueryResultRow>({ text, ...prepared })) as PostgresQueryResult<R>;
      } catch (error) {
        const known = classifyFault(error);
        if (known !== error) broken = true;
        throw known;
      }
    });
  }
  return {
    query,
    release: (destroy) => client.release(destroy === true || broken),
  };
}
