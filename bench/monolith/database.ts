import type { ConversationState, Entry } from '@parley/bot/engine';
import type { BotDefinition } from '@parley/bot/definition';
import { type ColumnType, type Generated, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

type Json<Value> = ColumnType<Value, string, string>;

export interface InteractionTable {
  id: string;
  workspace_id: string;
  customer_id: string;
  bot_id: string;
  bot_version: number | null;
  status: 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired';
  priority: 'Low' | 'Medium' | 'High';
  type: string;
  type_label: string;
  context: Json<{ key: string; value: string }[]>;
  expires_at: Date | null;
  created_at: Date;
  version: Generated<number>;
  link_version: Generated<number>;
  stalls_at: Generated<Date | null>;
  completed_at: Generated<Date | null>;
  state: Json<ConversationState> | null;
  transcript: Json<Entry[]> | null;
  evaluation: Json<Record<string, string>> | null;
  seq: number;
}

/** The tables of the services, created by their own migrations, here in one database under one role. */
export interface Tables {
  api_key: {
    api_key: string;
    home_workspace_id: string;
    workspace_ids: string[];
    pepper_id: string;
    digest: Buffer;
    revoked_at: Date | null;
  };
  customer: {
    workspace_id: string;
    id: string;
    first_name: string;
    last_name: string;
    email: string;
    version: Generated<number>;
  };
  bot: {
    id: string;
    workspace_id: string;
    type: string;
    type_label: string;
    context: string[];
    version: number;
  };
  bot_version: { bot_id: string; workspace_id: string; version: number; definition: Json<BotDefinition> };
  interaction: InteractionTable;
  interaction_count: { workspace_id: string; bot_id: string; status: string; priority: string; n: number };
  message: { interaction_id: string; workspace_id: string; client_message_id: string; fingerprint: Buffer };
  event_log: { id: string; type: string; workspace_id: string; about: string; payload: Buffer };
}

/** Returns Kysely over a pool of ten, with unnamed statements. */
export function openDatabase(connectionString: string): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    options: '-c search_path=identity,customer,interaction',
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
