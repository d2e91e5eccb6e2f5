import type { ContactPolicy } from '@parley/contracts/interaction/v1/contact';
import { sql } from 'kysely';

export type BotContactPolicy = Pick<ContactPolicy, 'anyBot' | 'sameBot'>;

/** Of a row of `bot`; null for none. */
export const liveReminders = sql<number[] | null>`(
  select reminders from bot_version as live
  where live.workspace_id = bot.workspace_id and live.bot_id = bot.id and live.version = bot.version)`;

/** Null: the workspace has none. */
export const contactPolicy = sql<BotContactPolicy | null>`(select json_build_object(
  'anyBot', any_bot, 'sameBot', same_bot) from contact_policy where contact_policy.workspace_id = bot.workspace_id)`;
