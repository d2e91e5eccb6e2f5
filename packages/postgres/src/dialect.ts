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
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/**
 * Returns Kysely over connections. Single statements go directly to the pool. `transaction()` and
 * `connection()` reserve one connection until they end. Names are camelCase in code and snake_case in SQL.
 */
export function kyselyOver<Tables>(connections: Connections): Kysely<Tables> {
  const adapter = new PostgresAdapter();
  const compiler = new Compiler();
  const driver = driverOf(connections);
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
  const provider = new DefaultConnectionProvider(driver);
  const executor = new Executor(connections, compiler, adapter, provider);
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
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

/** Runs statements outside transactions. `withConnectionProvider` creates a plain executor for those inside. */
class Executor extends DefaultQueryExecutor {
  readonly #connections: Connections;

  constructor(connections: Connections, ...base: ConstructorParameters<typeof DefaultQueryExecutor>) {
    super(...base);
    this.#connections = connections;
  }

  override executeQuery<Row>(
    query: CompiledQuery,
    options?: AbortableQueryOptions,
  ): Promise<QueryResult<Row>> {
    if (options?.signal) return super.executeQuery<Row>(query, options);
    return this.#connections.run<Row>(query);
  }
}

function driverOf(connections: Connections): Driver {
  return {
    init: async () => {},
    acquireConnection: () => connections.reserve(),
    async releaseConnection(connection: Connection) {
      connections.release(connection);
    },
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
