import type { Migration } from '@parley/postgres/schema/migrate';
import { type Kysely, sql } from 'kysely';

export const people: Migration = {
  up: async (db) => {
    // People of links have no account at a provider.
    await sql`
      create table person (
        id uuid primary key,
        issuer text collate "C",
        subject text collate "C",
        email text,
        name text not null,
        version int not null default 1,
        created_at timestamptz not null default now(),
        last_seen_at timestamptz,
        unique (issuer, subject)
      )`.execute(db);
    // Without a person, it is an invitation to the address.
    await sql`
      create table member (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        person_id uuid references person on delete cascade,
        invited_email text,
        role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
        personal_data boolean not null,
        origin text not null check (origin in ('link', 'invitation', 'group')),
        version int not null default 1,
        created_at timestamptz not null default now(),
        unique (workspace_id, person_id),
        check (person_id is not null or invited_email is not null)
      )`.execute(db);
    await sql`create index on member (workspace_id, id)`.execute(db);
    await sql`create index on member (person_id)`.execute(db);
    await sql`create unique index on member (workspace_id, lower(invited_email)) where person_id is null`.execute(
      db,
    );
    await sql`create index on member (lower(invited_email)) where person_id is null`.execute(db);
    await createCredentials(db);
  },
};

async function createCredentials(db: Kysely<unknown>): Promise<void> {
  // With a member, it accepts the invitation; else it signs a new person in.
  await sql`
      create table sign_in_link (
        id uuid primary key,
        pepper_id text not null,
        digest bytea not null,
        workspace_id uuid not null references workspace,
        member_id uuid references member on delete cascade,
        role text,
        name text,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`.execute(db);
  await sql`create index on sign_in_link (member_id)`.execute(db);
  await sql`create index on sign_in_link (expires_at)`.execute(db);
  await sql`
      create table person_session (
        id uuid primary key,
        person_id uuid not null references person on delete cascade,
        pepper_id text not null,
        digest bytea not null,
        created_at timestamptz not null default now(),
        seen_at timestamptz not null default now(),
        expires_at timestamptz not null,
        ended_at timestamptz
      )`.execute(db);
  await sql`create index on person_session (person_id)`.execute(db);
}
