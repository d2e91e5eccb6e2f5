import type { BotDefinition } from '@parley/bot/definition';
import type { Deployment } from './deployment.ts';
import type { Baseline } from '../monolith/baseline.ts';
import { type Contents, copyRows, openAdmin, seed } from './seed.ts';

/** Fills the demo workspace of a system. `bots`: how many of the sample bots the interactions use. */
export async function fill(
  { system }: Pick<Deployment, 'system'>,
  {
    bots,
    ...sizes
  }: Pick<Contents, 'customers' | 'interactions' | 'conversations' | 'areOpen'> & { bots: number },
  show: (line: string) => void,
): Promise<Contents> {
  const { workspaceId, bots: ids, postgresUrl } = system.local();
  const nps = ids['nps-follow-up'] ?? '';
  const botIds = [nps, ...Object.values(ids).filter((id) => id !== nps)].slice(0, bots);
  await using admin = await openAdmin(postgresUrl);
  const { rows } = await admin.query<{ definition: BotDefinition }>(
    'select definition from bot_version where bot_id = $1',
    [nps],
  );
  const [row] = rows;
  if (!row) throw new Error('the demo workspace has no sample bot');
  const contents: Contents = { workspaceId, botIds, definition: row.definition, ...sizes };
  await seed(admin, contents, show);
  return contents;
}

/** Fills the baseline with equal rows: copies the workspace, its key and its bots, and seeds the rest. */
export async function fillBaseline(baseline: Baseline, like: Deployment, contents: Contents): Promise<void> {
  await using from = await openAdmin(like.system.local().postgresUrl);
  await using to = await openAdmin(baseline.adminUrl);
  for (const table of [
    'identity.workspace',
    'identity.api_key',
    'interaction.bot',
    'interaction.bot_version',
  ]) {
    await copyRows(from, to, table);
  }
  await seed(to, contents);
}
