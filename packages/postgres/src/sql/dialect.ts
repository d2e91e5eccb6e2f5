import {
  AbortedTransactionError,
  type AbortableQueryOptions,
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { snakeCase } from './case.ts';
import type { Connection } from '../connecting/connection.ts';
import type { Connections, StatementKind } from '../connecting/connections.ts';

/**
 * Returns Kysely over connections. Single statements go directly to the pool. `transaction()` and
 * `connection()` reserve one connection until they end. Names are camelCase in code and snake_case in SQL.
 */
export function kyselyOver<Tables>(connections: Connections): Kysely<Tables> {
  const adapter = new PostgresAdapter();
  const compiler = new Compiler();
  const kyselyOf = (kind?: StatementKind): Kysely<Tables> => {
    const driver = driverOf(connections, kind);
    const dialect = {
      createAdapter: () => adapter,
      createDriver: () => driver,
      createQueryCompiler: () => compiler,
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    };
    const provider = new DefaultConnectionProvider(driver);
    const executor = new Executor(connections, kind, compiler, adapter, provider);
    return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
  };
  const db = kyselyOf();
  byKind.set(db, { read: kyselyOf('read'), scan: kyselyOf('scan') });
  return db;
}

type ReadKind = Exclude<StatementKind, 'write'>;

/** For each Kysely of `kyselyOver`, the ones whose statements are of another kind. */
const byKind = new WeakMap<object, Record<ReadKind, unknown>>();

/**
 * Returns Kysely for small reads in raw SQL, which share connections. They must cost the same for any number of rows,
 * change nothing and take no locks. Returns `db` itself inside a transaction.
 */
export function reads<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  return ofKind(db, 'read');
}

/**
 * Returns Kysely for reads whose cost grows with the data of a workspace. A workspace runs one at a time, and the
 * server cancels one whose caller has given up. Its transactions are scans too: read-only snapshots for several reads.
 * Returns `db` itself inside a transaction.
 */
export function scans<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  return ofKind(db, 'scan');
}

function ofKind<Tables>(db: Kysely<Tables>, kind: ReadKind): Kysely<Tables> {
  const ofOtherKind = byKind.get(db)?.[kind];
  return ofOtherKind ? (ofOtherKind as Kysely<Tables>) : db;
}

/** Returns the kind of a statement: a plain `selectFrom` is a small read, everything else may change or lock rows. */
function kindOf({ query }: CompiledQuery): StatementKind {
  if (query.kind !== 'SelectQueryNode') return 'write';
  const { with: parts, endModifiers = [], from } = query;
  const locksRows = endModifiers.some(({ modifier }) => modifier !== undefined);
  return from && !parts && !locksRows ? 'read' : 'write';
}

/** Converts names while it writes the SQL, which is cheaper than a plugin that copies the statement first. */
class Compiler extends PostgresQueryCompiler {
  readonly #names = new Map<string, string>();

  protected override sanitizeIdentifier(identifier: string): string {
    let name = this.#names.get(identifier);
    if (name === undefined) {
      name = super.sanitizeIdentifier(snakeCase(identifier));
      this.#names.set(identifier, name);
    }
    return name;
  }
}

/** Runs statements outside transactions. `withConnectionProvider` creates a plain executor for transactions. */
class Executor extends DefaultQueryExecutor {
  readonly #connections: Connections;
  readonly #kind: StatementKind | undefined;

  constructor(
    connections: Connections,
    kind: StatementKind | undefined,
    ...base: ConstructorParameters<typeof DefaultQueryExecutor>
  ) {
    super(...base);
    this.#connections = connections;
    this.#kind = kind;
  }

  override executeQuery<Row>(
    query: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if (options?.signal) return super.executeQuery<Row>(query, options);
    return this.#connections.run<Row>(query, this.#kind ?? kindOf(query));
  }
}

/** A transaction of scans is a scan. Small reads have no transactions. */
function driverOf(connections: Connections, kind?: StatementKind): Driver {
  return {
    init: async () => {},
    acquireConnection: () => connections.reserve(kind === 'scan' ? 'scan' : 'write'),
    releaseConnection: (connection: Connection) => connections.release(connection),
    async beginTransaction(connection: Connection, { isolationLevel, accessMode }: TransactionSettings) {
      const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
      await connection.command(`begin${level}${accessMode ? ` ${accessMode}` : ''}`);
    },
    async commitTransaction(connection: Connection) {
      // The command tag if an earlier statement failed.
      if ((await connection.command('commit')) === 'ROLLBACK') throw new AbortedTransactionError();
    },
    async rollbackTransaction(connection: Connection) {
      await connection.command('rollback');
    },
    destroy: () => connections.close(),
  };
}
