import type { EventBody, EventOfInteraction } from '@parley/contracts/interaction/v1/interaction';
import { apiTimestamp, interactionResource } from '@parley/contracts/interaction-resource';
import { scans } from '@parley/postgres/sql/dialect';
import { tableOf } from '@parley/postgres/sql/arrays';
import { invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { dataOf } from './completion.ts';
import { interactionMessage, statusOf } from './message.ts';
import { type MessageRow, messageColumns } from './store.ts';

/** Bytes of JSON in an answer, unless a single event has more. */
const bytesMax = 4 * 1024 * 1024;

const eventsMax = 500;

/** The body if the interaction is gone. */
const nothing: EventBody = {
  interaction: Buffer.of(),
  result: Buffer.of(),
  customerVersion: 0,
  evaluation: {},
  redactedVersion: 0,
};

interface Found extends MessageRow {
  botKey: string;
  /** The live version before the conversation has started. */
  pinnedVersion: number;
  customerVersion: number;
  redactedVersion: number;
}

/**
 * Returns what webhooks receive about events, in the given order: the first ones with at most `bytesMax` in all, but at
 * least one. Only events of completions have the history. INVALID_ARGUMENT for more than `eventsMax`.
 */
export async function eventBodies(
  db: Kysely<Tables>,
  asked: readonly EventOfInteraction[],
  { linkKeys, landingUrl }: { linkKeys: Keyring; landingUrl: string },
): Promise<EventBody[]> {
  if (asked.length > eventsMax) {
    throw invalidRequest([{ pointer: '/events', detail: `Must be at most ${eventsMax}` }]);
  }
  const rows = await load(db, asked);
  return rows.map((row, at) => {
    if (row.id === null) return nothing;
    const status = statusOf(asked[at]?.status) ?? row.status;
    const { botId, botKey, pinnedVersion, customerVersion } = row;
    const interaction = {
      ...interactionResource({ ...interactionMessage(row, linkKeys), status }, landingUrl),
      data: null,
      botId,
      botKey,
      botVersion: pinnedVersion,
      startedAt: row.startedAt && apiTimestamp(row.startedAt),
      completedAt: row.completedAt && apiTimestamp(row.completedAt),
    };
    const result = status === 'Completed' ? dataOf(row) : null;
    return {
      interaction: Buffer.from(JSON.stringify(interaction)),
      result: Buffer.from(result ?? ''),
      customerVersion,
      evaluation: row.evaluation ?? {},
      redactedVersion: row.redactedVersion,
      isTest: row.isTest || undefined,
    };
  });
}

async function load(
  db: Kysely<Tables>,
  asked: readonly EventOfInteraction[],
): Promise<(Found | { id: null })[]> {
  const columns = messageColumns.map((column) => sql.ref(`interaction.${column}`));
  const isWhole = sql`asked.is_completion and interaction.status = 'Completed'`;
  const given = tableOf('asked', asked, {
    workspaceId: ['uuid', (one) => one.workspaceId],
    id: ['uuid', (one) => one.interactionId],
    isCompletion: ['boolean', (one) => one.status === 'Completed'],
    position: ['int', (_, index) => index + 1],
  });
  const { rows } = await sql<Found | { id: null }>`
    select * from (
      select asked.position, ${sql.join(columns)}, bot.key as bot_key,
        coalesce(interaction.bot_version, bot.version) as pinned_version,
        greatest(redacted_version, fence_version) as customer_version, redacted_version,
        sum(case when ${isWhole} then bytes else octet_length(interaction.context::text) end)
          over (order by asked.position) as bytes_before
      from ${given}
      left join interaction on interaction.workspace_id = asked.workspace_id and interaction.id = asked.id
      left join bot on bot.id = interaction.bot_id and bot.workspace_id = interaction.workspace_id
    ) as found
    where position = 1 or bytes_before is null or bytes_before <= ${bytesMax}
    order by position`.execute(scans(db));
  return rows;
}
