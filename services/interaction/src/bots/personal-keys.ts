import { isPersonalKey } from '@parley/bot/personal-names';
import type { ListPersonalKeysRequest } from '@parley/contracts/interaction/v1/bot';
import { scans } from '@parley/postgres/sql/dialect';
import { anyRowOf } from '@parley/postgres/sql/hidden-from-planner';
import { type Kysely, sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { Tables } from '../schema.ts';
import { loadNamedBot } from './store.ts';

/** How many versions are looked at: each may have to be read and compiled. */
const versionsMax = 200;

/** Returns the keys that are personal in a version, or, if there are too many versions, may be. */
export async function listPersonalKeys(
  { db, definitions }: Pick<Deps, 'db' | 'definitions'>,
  { workspaceId, keys, id, key }: ListPersonalKeysRequest,
): Promise<string[]> {
  const isOfOne = typeof id === 'string' || typeof key === 'string';
  const bot = isOfOne ? await loadNamedBot(db, workspaceId, { id, key }) : undefined;
  if (isOfOne && !bot) return [];
  const versions = await readVersions(db, workspaceId, bot?.id, keys);
  if (versions.length > versionsMax) return keys;
  const personal = new Set<string>();
  for (const { botId, version, declared } of versions) {
    const open = declared.filter((name) => !personal.has(name));
    if (open.length === 0) continue;
    const definition = await definitions.get(workspaceId, botId, version);
    for (const name of open) if (isPersonalKey(definition, name)) personal.add(name);
  }
  return [...personal];
}

/** Returns the versions of a bot, or of all bots, each with the keys that it declares. */
async function readVersions(
  db: Kysely<Tables>,
  workspaceId: string,
  botId: string | undefined,
  keys: readonly string[],
) {
  let bots = db.selectFrom('bot').select('id').where('workspaceId', '=', workspaceId);
  if (botId !== undefined) bots = bots.where('id', '=', botId);
  return scans(db)
    .selectFrom('botVersion')
    .select([
      'botId',
      'version',
      sql<string[]>`array(
        select name from unnest(${keys}::text[]) as name where (definition -> 'evaluation' -> name) is not null
      )`.as('declared'),
    ])
    .where('workspaceId', '=', workspaceId)
    .where('botId', '=', anyRowOf(bots))
    .limit(sql.lit(versionsMax + 1))
    .execute();
}
