import { dirname, join } from 'node:path';
import { startPostgres } from '@parley/local/postgres/postgres';
import type { Server } from '@parley/local/processes/program';
import { findDistributionProgram } from '@parley/testing/servers/distribution-program';

/** A server and the client programs of its version. */
export interface DrillPostgres {
  server: Server;
  /** The commands that `deploy/backup` and `deploy/restore` run. */
  env: { PG_DUMP: string; PG_RESTORE: string; PSQL: string; LD_LIBRARY_PATH?: string | undefined };
}

const binDir = 'usr/lib/postgresql/15/bin';

/**
 * Starts PostgreSQL 15 of Debian, the installed one or the one of its package: the embedded binaries have no `pg_dump`.
 * The stack ends it. `settings`: of the server, `name=value`. Throws if it can neither be found nor fetched.
 */
export async function startDrillPostgres(
  stack: AsyncDisposableStack,
  dataDir: string,
  settings: readonly string[] = [],
): Promise<DrillPostgres> {
  const [postgres, client] = await Promise.all(
    [
      ['postgresql-15', 'postgres'],
      ['postgresql-client-15', 'pg_dump'],
    ].map(async ([name = '', program = '']) => {
      const found = await findDistributionProgram(name, join(binDir, program));
      if (typeof found === 'string') throw new Error(found);
      return found;
    }),
  );
  if (!postgres || !client) throw new Error('there are two programs');
  const build = {
    binDir: dirname(postgres.path),
    locale: ['--locale=C.UTF-8'],
    settings: [...settings],
    env: postgres.env,
  };
  const server = stack.use(await startPostgres({ dataDir, durable: false, build }));
  const programOf = (name: string): string => join(dirname(client.path), name);
  return {
    server,
    env: {
      PG_DUMP: programOf('pg_dump'),
      PG_RESTORE: programOf('pg_restore'),
      PSQL: programOf('psql'),
      LD_LIBRARY_PATH: client.env['LD_LIBRARY_PATH'],
    },
  };
}
