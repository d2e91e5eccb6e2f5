import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';

/**
 * Erasures have turns: numbers in which those of a workspace follow each other, and workspaces are side by side. So the
 * lowest number is whose turn it is. The database sets them, so a service of an earlier release may write beside. Those
 * that wait already have the turn 0, so they come first, as before in the order in which they are due.
 */
export const turns: Migration = {
  up: async (db) => {
    await sql`alter table anonymisation add column turn bigint not null default 0`.execute(db);
    await sql`create index anonymisation_turn on anonymisation (turn, due_at)`.execute(db);
    await sql`create index on anonymisation (workspace_id, turn)`.execute(db);
    // The table is empty as a rule, and statistics from then are no reason to read all of it.
    await sql`
      create function next_turn(workspace uuid) returns bigint language sql stable set enable_seqscan = off as $$
        select greatest(
          (select turn from anonymisation order by turn limit 1),
          (select turn + 1 from anonymisation where workspace_id = workspace order by turn desc limit 1), 0)
      $$`.execute(db);
    await sql`
      create function set_turn() returns trigger language plpgsql as $$
      begin
        new.turn := next_turn(new.workspace_id);
        return new;
      end $$`.execute(db);
    await sql`
      create trigger set_turn before insert on anonymisation for each row execute function set_turn()`.execute(
      db,
    );
  },
};
