import { type Kysely, sql } from 'kysely';

/** Counters are spread over this many slots, so that concurrent writers rarely wait for the same row. */
const slots = 16;

/** A second count of a table, by other cells than its columns. */
interface OtherCount {
  counts: string;
  /** Returns the item of a FROM clause with the cells of some rows of the table. A row may have several, or none. */
  cellsOf(rows: string): string;
}

/**
 * Maintains `<table>_count`: the number of rows of `table` for each combination of the `by` columns (name and SQL
 * type). Triggers update it in the transaction of the change, so a total is the exact `sum(n)` over the requested
 * cells, without reading the table. Called in a migration, after the table is created and while it is empty. With
 * `other`, the `by` columns are the columns of its cells.
 */
export async function countRows<Tables>(
  db: Kysely<Tables>,
  table: string,
  by: Readonly<Record<string, string>>,
  other?: OtherCount,
): Promise<void> {
  const { counts, cellsOf } = other ?? { counts: `${table}_count`, cellsOf: (rows: string) => rows };
  const columns = Object.keys(by).join(', ');
  const declared = Object.entries(by)
    .map(([name, type]) => `${name} ${type} not null`)
    .join(', ');
  const change = (rows: string): string => `
    insert into ${counts} as cell (${columns}, slot, n)
    select ${columns}, pg_backend_pid() % ${slots}, sum(d) from (${rows}) as change
    group by ${columns} having sum(d) <> 0 order by ${columns}
    on conflict (${columns}, slot) do update set n = cell.n + excluded.n;`;
  const added = `select ${columns}, 1 as d from ${cellsOf('added')}`;
  const removed = `select ${columns}, -1 as d from ${cellsOf('removed')}`;
  const statements = [
    `create table ${counts} (${declared}, slot smallint not null, n bigint not null, primary key (${columns}, slot))`,
    `create function maintain_${counts}() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then ${change(added)}
       elsif tg_op = 'DELETE' then ${change(removed)}
       else ${change(`${added} union all ${removed}`)}
       end if;
       return null;
     end $$`,
    `create trigger ${counts}_inserted after insert on ${table}
     referencing new table as added for each statement execute function maintain_${counts}()`,
    `create trigger ${counts}_deleted after delete on ${table}
     referencing old table as removed for each statement execute function maintain_${counts}()`,
    `create trigger ${counts}_updated after update on ${table}
     referencing new table as added old table as removed for each statement execute function maintain_${counts}()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
