import type { InteractionRecord } from '@parley/contracts/interaction/v1/interaction';
import { scans } from '@parley/postgres/sql/dialect';
import type { Keyring } from '@parley/runtime/config/keyring';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { interactionMessage } from '../interactions/message.ts';
import { type InteractionRow, type MessageRow, messageColumns } from '../interactions/store.ts';

type Db = Kysely<Tables>;

interface StoredRow extends MessageRow, Pick<InteractionRow, 'state'> {
  botKey: string;
}

/** The interactions of a customer whose id is before `after`, newest first. */
export interface SubjectPage {
  rows: StoredRow[];
  /** The id after which the list continues; undefined if it does not. */
  nextAfter: string | undefined;
}

const rowsMax = 500;
/** Bytes of JSON per read, unless a single row has more. */
const bytesMax = 256 * 1024;

export async function pageOfSubject(
  db: Db,
  workspaceId: string,
  customerId: string,
  after: string | undefined,
): Promise<SubjectPage> {
  const columns = messageColumns.map((column) => sql.ref(`interaction.${column}`));
  const { rows } = await sql<StoredRow & { found: number }>`
    select * from (
      select ${sql.join(columns)}, state, bot.key as bot_key,
        count(*) over () as found, bytes,
        sum(bytes) over (order by interaction.id desc rows unbounded preceding) as bytes_so_far
      from interaction
      join bot on bot.id = interaction.bot_id and bot.workspace_id = interaction.workspace_id
      where interaction.workspace_id = ${workspaceId} and interaction.id = any(array(
        select id from interaction
        where workspace_id = ${workspaceId} and customer_id = ${customerId}
          and (${after ?? null}::uuid is null or id < ${after ?? null}::uuid)
        order by id desc limit ${sql.lit(rowsMax)}))
    ) as page
    where bytes_so_far = bytes or bytes_so_far <= ${sql.lit(bytesMax)}
    order by id desc`.execute(scans(db));
  const last = rows.at(-1);
  const isCut = last !== undefined && (rows.length === rowsMax || last.found > rows.length);
  return { rows, nextAfter: isCut ? last.id : undefined };
}

export async function digestOfSubject(db: Db, workspaceId: string, customerId: string): Promise<string> {
  const { digest } = await scans(db)
    .selectFrom('interaction')
    .select(sql<string>`md5(coalesce(string_agg(id || '.' || version, ',' order by id), ''))`.as('digest'))
    .where('workspaceId', '=', workspaceId)
    .where('customerId', '=', customerId)
    .executeTakeFirstOrThrow();
  return digest;
}

export function interactionRecord(row: StoredRow, linkKeys: Keyring): InteractionRecord {
  const { botKey, botVersion, startedAt, completedAt, state } = row;
  const record = {
    interaction: interactionMessage(row, linkKeys),
    botKey,
    botVersion,
    startedAt,
    completedAt,
  };
  if (!state) return record;
  const { answers, customer, locale } = state;
  return { ...record, conversation: JSON.stringify({ answers, customer, locale }) };
}
