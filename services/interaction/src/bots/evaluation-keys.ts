import type { BotDefinition } from '@parley/bot/definition';
import { keyColumnsOf, type KeyColumns } from '@parley/bot/questions';
import type { ListEvaluationKeysResponse } from '@parley/contracts/interaction/v1/bot';
import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { type BotRow, loadNamedBot } from './store.ts';

/** More columns fit into no table of a person, and a spreadsheet has at most 16,384. */
export const evaluationKeysMax = 2_000;
/** Versions per read. Their definitions have up to 256 KiB, and Postgres parses them. */
const versionsMax = 50;

/** Returns the names in evaluations of all versions of a bot, newer versions first, and their columns. */
export async function listEvaluationKeys(
  db: Kysely<Tables>,
  workspaceId: string,
  named: Parameters<typeof loadNamedBot>[2],
): Promise<ListEvaluationKeysResponse> {
  const bot = await loadNamedBot(db, workspaceId, named);
  if (!bot) return { keys: [], columns: [] };
  const keys = new Set<string>();
  const columns = new Map<string, { type: string; columns: Set<string> }>();
  for (let before = bot.version + 1; before > 1 && keys.size < evaluationKeysMax; ) {
    const versions = await readVersions(db, bot, before);
    for (const { names, steps } of versions) {
      for (const name of names ?? []) keys.add(name);
      // A key without columns in this version has one of its own.
      addColumns(columns, names ?? [], steps === null ? [] : keyColumnsOf(steps));
    }
    before = versions.at(-1)?.version ?? 0;
  }
  return {
    keys: [...keys].slice(0, evaluationKeysMax),
    columns: Array.from(columns, ([name, { type, columns: names }]) => ({
      key: name,
      type,
      columns: [...names],
    })).filter(({ type }) => type !== ''),
  };
}

/** Adds the columns of a version. A key of one column has an empty name, and no type until another version has one. */
function addColumns(
  known: Map<string, { type: string; columns: Set<string> }>,
  names: readonly string[],
  added: readonly KeyColumns[],
): void {
  const byKey = new Map(added.map((one) => [one.key, one]));
  for (const name of names) {
    const one = byKey.get(name);
    const before = known.get(name);
    const columns = new Set([...(before?.columns ?? []), ...(one?.columns ?? [''])]);
    known.set(name, { type: one?.type ?? before?.type ?? '', columns });
  }
}

async function readVersions(db: Kysely<Tables>, { workspaceId, id }: BotRow, before: number) {
  return scans(db)
    .selectFrom('botVersion')
    .select([
      'version',
      sql<string[] | null>`(
        select json_agg(name) from json_object_keys(definition -> 'evaluation') as name
      )`.as('names'),
      // Only some types have columns, and all of these have rows.
      sql<
        BotDefinition['steps'] | null
      >`case when definition::text like '%"rows"%' then definition -> 'steps' end`.as('steps'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', id)
    .where('version', '<', before)
    .orderBy('version', 'desc')
    .limit(sql.lit(versionsMax))
    .execute();
}
