import { type Kysely, sql } from 'kysely';

/** Counters are spread over this many slots, so that concurrent writers rarely wait for the same row. */
const slots = 16;

/**
 * Maintains `<table>_count`: the number of rows of `table` for each combination of the `by` columns (name and
 * SQL type). Triggers update it in the transaction of the change, so a total is the exact `sum(n)` over the
 * requested cells, without reading the table. Called in a migration, after the table is created and while it
 * is empty.
 */
export async function countRows<Tables>(
  db: Kysely<Tables>,
  table: string,
  by: Readonly<Record<string, string>>,
): Promise<void> {
  const counts = `${table}_count`;
  const columns = Object.keys(by).join(', ');
  const declared = Object.entries(by)
    .map(([name, type]) => `${name} ${type} not null`)
    .join(', ');
  const change = (rows: string): string => `
    insert into ${counts} as cell (${columns}, slot, n)
    select ${columns}, pg_backend_pid() % ${slots}, sum(d) from (${rows}) as change
    group by ${columns} having sum(d) <> 0 order by ${columns}
    on conflict (${columns}, slot) do update set n = cell.n + excluded.n;`;
  const added = `select ${columns}, 1 as d from added`;
  const removed = `select ${columns}, -1 as d from removed`;
  const statements = [
    `create table ${counts} (${declared}, slot smallint not null, n bigint not null, primary key (${columns}, slot))`,
    `create function count_${table}() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then ${change(added)}
       elsif tg_op = 'DELETE' then ${change(removed)}
       else ${change(`${added} union all ${removed}`)}
       end if;
       return null;
     end $$`,
    `create trigger count_inserted after insert on ${table}
     referencing new table as added for each statement execute function count_${table}()`,
    `create trigger count_deleted after delete on ${table}
     referencing old table as removed for each statement execute function count_${table}()`,
    `create trigger count_updated after update on ${table}
     referencing new table as added old table as removed for each statement execute function count_${table}()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
