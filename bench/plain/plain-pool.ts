import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { openDatabase as ours } from '@parley/postgres/connecting/open';

// Replaces `@parley/postgres/connecting/open`: Kysely on a pool of pg, with unnamed statements.

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export const openDatabase: typeof ours = <Tables>({
  url,
  connectionsMax = 10,
}: Parameters<typeof ours>[0]) => {
  const pool = new pg.Pool({ connectionString: typeof url === 'string' ? url : url(), max: connectionsMax });
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins });
  return {
    db,
    isReady: () =>
      sql`select 1`.execute(db).then(
        () => true,
        () => false,
      ),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
};
