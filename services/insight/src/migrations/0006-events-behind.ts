import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/** A backlog of events ages only the figures of the workspaces that have it. */
export const eventsBehind: Migration = {
  up: async (db) => {
    await sql`
      create table events_behind (
        workspace_id uuid primary key,
        since timestamptz not null
      )`.execute(db);
  },
};
