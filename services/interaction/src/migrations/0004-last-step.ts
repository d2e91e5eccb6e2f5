import type { Migration } from '@parley/postgres/schema/migrate';
import { sql } from 'kysely';
import { createStoppedIndex, neverStalls } from '../stopped-sql.ts';

/**
 * Lists of the interactions that have stopped at a step. The database sets the new columns, so a service of an earlier
 * release may write beside after the migration. It reads and writes no row: `keepStoppedIndex` fills the columns of
 * former ones in the background, and then builds the index.
 */
export const lastStep: Migration = {
  up: async (db) => {
    // Null for versions from before: their definition is read.
    await sql`alter table bot_version add column never_stalls boolean`.execute(db);
    await sql`
      create function set_never_stalls() returns trigger language plpgsql as $$
      begin
        new.never_stalls := ${neverStalls(sql`new.definition`)};
        return new;
      end $$`.execute(db);
    await sql`
      create trigger set_never_stalls before insert on bot_version
      for each row execute function set_never_stalls()`.execute(db);
    await sql`alter table interaction add column last_step text`.execute(db);
    // The last step shown. The states of conversations that began with Parley 0.2 have only the current question.
    await sql`
      create function set_last_step() returns trigger language plpgsql as $$
      begin
        new.last_step := case when new.state -> 'steps' is null then new.state ->> 'stepId'
          else new.state -> 'steps' -> -1 ->> 'id' end;
        return new;
      end $$`.execute(db);
    // Only when it stops: other turns do not pay for reading the state. A conversation whose bot never stalls pays at
    // each turn.
    await sql`
      create trigger set_last_step before insert or update of status, stalls_at, state on interaction
      for each row when (
        new.state is not null and (new.status = 'Expired' or (new.status = 'InProgress' and new.stalls_at is null))
      ) execute function set_last_step()`.execute(db);
    const { rows } = await sql`select from interaction limit 1`.execute(db);
    if (rows.length === 0) await createStoppedIndex(db, 'create index');
  },
};
