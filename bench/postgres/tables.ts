import { migrate } from '@parley/postgres/schema/migrate';
import { provision } from '@parley/postgres/schema/provision';
import { serviceUrl } from '@parley/postgres/connecting/urls';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { type Generated, type Kysely, sql } from 'kysely';

/** Two tables, of the shape and size of the services' tables. */
export interface Tables {
  item: {
    id: Generated<string>;
    workspaceId: string;
    customerId: string;
    botId: Generated<string>;
    status: Generated<string>;
    priority: Generated<string>;
    typeLabel: Generated<string>;
    createdAt: Generated<Date>;
    expiresAt: Date | null;
    context: unknown;
    version: Generated<number>;
  };
  note: { itemId: string; workspaceId: string; body: string };
}

/** The workspace of all rows. */
export const workspaceId = '01890000-0000-7000-8000-000000000000';

/** The JSON of an item's context. */
export const context = JSON.stringify({ offer: 'x'.repeat(200), tags: [1, 2, 3] });

/** Creates the tables with 9,000 items in their own database. Returns the URL of their owner. */
export async function createTables(adminUrl: string): Promise<string> {
  const owner = { name: 'bench', password: 'bench' };
  await provision({ adminUrl, database: 'bench', services: [owner] });
  const url = serviceUrl(adminUrl, 'bench', owner);
  await migrate({ url, logger: createLogger('bench', 'warn') }, { '0001-init': { up } });
  return url;
}

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table item (
      id uuid primary key default uuidv7(), workspace_id uuid not null, customer_id text not null,
      bot_id uuid not null default uuidv7(), status text not null default 'Pending',
      priority text not null default 'High', type_label text not null default 'A short question',
      created_at timestamptz not null default now(), expires_at timestamptz, context jsonb not null,
      version int not null default 1)`.execute(db);
  await sql`create index on item (workspace_id, id)`.execute(db);
  await sql`
    create table note (
      id uuid primary key default uuidv7(), item_id uuid not null, workspace_id uuid not null,
      body text not null)`.execute(db);
  await sql`
    insert into item (workspace_id, customer_id, context)
    select ${workspaceId}, 'c-' || n, ${context} from generate_series(1, 9000) as n`.execute(db);
}
