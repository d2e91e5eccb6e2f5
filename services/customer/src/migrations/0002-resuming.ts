import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

export const resuming: Migration = {
  up: async (db) => {
    await sql`alter table anonymisation add column version int not null default 0`.execute(db);
    await sql`alter table anonymisation rename column created_at to alive_at`.execute(db);
    // Left by an earlier release: those of before the emptied row's version.
    await sql`
      update anonymisation set version = customer.version from customer
      where customer.workspace_id = anonymisation.workspace_id and customer.id = anonymisation.customer_id`.execute(
      db,
    );
    await sql`alter table anonymisation alter column version drop default`.execute(db);
  },
};
