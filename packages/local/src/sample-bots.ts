import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { RpcClient } from '@parley/rpc/definition';

/** The bots that every demo workspace has, by the `key` of their definitions. */
export const sampleBots = ['nps-follow-up', 'candidate-screening', 'appointment-reminder'] as const;

export type SampleBot = (typeof sampleBots)[number];

const samplesDir = resolve(import.meta.dirname, '../../bot/samples');
const call = { requestId: 'local-samples', timeoutMs: 10_000 };

/** Where the definition of a sample is. */
export function sampleFile(key: SampleBot): string {
  return resolve(samplesDir, `${key}.json`);
}

/** Publishes the samples that the workspace has not yet; answers the ids of all. A second time changes nothing. */
export async function ensureSampleBots(
  bots: RpcClient<typeof BotServiceService>,
  workspaceId: string,
): Promise<Record<SampleBot, string>> {
  const ids: [SampleBot, string][] = [];
  for (const key of sampleBots) {
    let id = (await bots.listBots({ workspaceId, key }, call)).bots[0]?.id;
    if (id === undefined) {
      const definition = await readFile(sampleFile(key), 'utf8');
      id = (await bots.createBot({ workspaceId, definition, idempotency: null }, call)).bot?.id;
    }
    if (id === undefined) throw new Error(`the sample bot ${key} was published without an answer`);
    ids.push([key, id]);
  }
  return Object.fromEntries(ids) as Record<SampleBot, string>;
}
