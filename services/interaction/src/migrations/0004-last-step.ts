import type { Migration } from '@parley/postgres/migrate';
import { sql } from 'kysely';

/**
 * Lists of the interactions that have stopped at a step. The database sets the new columns, so a service of an earlier
 * release may write beside after the migration. Its writes wait meanwhile.
 */
export const lastStep: Migration = {
  up: async (db) => {
    // The text is compared, because a definition may contain characters that Postgres cannot decode. A quote inside a
    // text of the definition has a backslash, so only the key matches.
    await sql`
      alter table bot_version add column never_stalls boolean not null
        generated always as (definition::text ~ '"stalledAfterSeconds"\\s*:\\s*null') stored`.execute(db);
    await sql`alter table interaction add column last_step text`.execute(db);
    await sql`
      update interaction set last_step = ${lastStepOf('state')}
      where state is not null and (status = 'Expired' or (status = 'InProgress' and stalls_at is null))`.execute(
      db,
    );
    await sql`
      create function set_last_step() returns trigger language plpgsql as $$
      begin
        new.last_step := ${lastStepOf('new.state')};
        return new;
      end $$`.execute(db);
    // Only when it stops: other turns do not pay for reading the state. A conversation whose bot never stalls pays at
    // each turn.
    await sql`
      create trigger set_last_step before insert or update of status, stalls_at, state on interaction
      for each row when (
        new.state is not null and (new.status = 'Expired' or (new.status = 'InProgress' and new.stalls_at is null))
      ) execute function set_last_step()`.execute(db);
    await sql`
      create index interaction_stopped on interaction (workspace_id, bot_id, last_step, created_at, id)
        include (bot_version)
      where last_step is not null and not is_import
        and (status = 'Expired' or (status = 'InProgress' and stalls_at is null))`.execute(db);
  },
};

/** The last step shown. The states of conversations that began with Parley 0.2 have only the current question. */
function lastStepOf(state: string) {
  return sql.raw(`
    case when ${state} -> 'steps' is null then ${state} ->> 'stepId' else ${state} -> 'steps' -> -1 ->> 'id' end`);
}
