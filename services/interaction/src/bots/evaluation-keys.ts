import { scans } from '@parley/postgres/sql/dialect';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import { type BotRow, loadBot, loadBotByKey } from './store.ts';

/** More columns fit into no table of a person, and a spreadsheet has at most 16,384. */
export const evaluationKeysMax = 2_000;
/** Versions per read. Their definitions have up to 256 KiB, and Postgres parses them. */
const versionsMax = 50;

/** Returns the names in evaluations of all versions of a bot. Names of newer versions come first. */
export async function listEvaluationKeys(
  db: Kysely<Tables>,
  workspaceId: string,
  { id, key }: { id?: string | null | undefined; key?: string | null | undefined },
): Promise<string[]> {
  const bot =
    typeof key === 'string'
      ? await loadBotByKey(db, workspaceId, key)
      : await loadBot(db, workspaceId, id ?? '');
  if (!bot || (typeof id === 'string' && id !== bot.id)) return [];
  const keys = new Set<string>();
  for (let before = bot.version + 1; before > 1 && keys.size < evaluationKeysMax; ) {
    const versions = await readVersions(db, bot, before);
    for (const { names } of versions) for (const name of names ?? []) keys.add(name);
    before = versions.at(-1)?.version ?? 0;
  }
  return [...keys].slice(0, evaluationKeysMax);
}

async function readVersions(db: Kysely<Tables>, { workspaceId, id }: BotRow, before: number) {
  return scans(db)
    .selectFrom('botVersion')
    .select([
      'version',
      sql<string[] | null>`(
        select json_agg(name) from json_object_keys(definition -> 'evaluation') as name
      )`.as('names'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', id)
    .where('version', '<', before)
    .orderBy('version', 'desc')
    .limit(sql.lit(versionsMax))
    .execute();
}
