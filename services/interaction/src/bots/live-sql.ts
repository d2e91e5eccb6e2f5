import type { ContactPolicy } from '@parley/contracts/interaction/v1/contact';
import { sql } from 'kysely';

export type BotContactPolicy = Pick<ContactPolicy, 'anyBot' | 'sameBot'>;

/** Of a row of `bot`; null for none. */
export const liveReminders = sql<number[] | null>`(
  select reminders from bot_version as live
  where live.workspace_id = bot.workspace_id and live.bot_id = bot.id and live.version = bot.version)`;

/**
 * Whether the live version of a row of `bot` only ends a conversation: the bot was created for the sake of its draft.
 * Most versions that do more are larger, so their definitions are not read.
 */
export const isUnpublished = sql<boolean>`coalesce((
  select case when pg_column_size(live.definition) > 1500 then false else not exists (
    select from json_array_elements(live.definition -> 'steps') as step
    where step ->> 'kind' <> 'end' or step -> 'text' is not null) end
  from bot_version as live
  where live.workspace_id = bot.workspace_id and live.bot_id = bot.id and live.version = bot.version), false)`;

/** Null: the workspace has none. */
export const contactPolicy = sql<BotContactPolicy | null>`(select json_build_object(
  'anyBot', any_bot, 'sameBot', same_bot) from contact_policy where contact_policy.workspace_id = bot.workspace_id)`;
