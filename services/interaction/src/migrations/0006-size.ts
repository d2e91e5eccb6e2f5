import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/** The bytes of a row's JSON, which lists are limited by: known without reading the JSON. */
export const size: Migration = {
  up: async (db) => {
    await sql`
      alter table interaction add column bytes int not null generated always as (
        octet_length(context::text) + coalesce(octet_length(state::text), 0)
          + coalesce(octet_length(transcript::text), 0) + coalesce(octet_length(evaluation::text), 0)
      ) stored`.execute(db);
  },
};
