import { setImmediate } from 'node:timers/promises';
import type { BotDefinition } from '@parley/bot/definition';
import { preparePlan } from '@parley/bot/plan';
import { questionsOf } from '@parley/bot/questions';
import type { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { CallOptions, RpcClient } from '@parley/rpc/definition';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Db } from '../schema.ts';
import { emptyOutline, nextOutline, type Outline, type VersionQuestions } from '../figures/outline.ts';
import { type BotRef, loadOutline, storeOutline } from './store.ts';

export type Bots = Pick<RpcClient<typeof BotServiceService>, 'getBot' | 'getBotVersion'>;

interface Deps {
  db: Db;
  bots: Bots;
  logger: Logger;
}

/** How many versions are read at once. A definition has up to 256 KiB. */
const versionsAtOnce = 20;

/**
 * Returns the outline of a version of a bot. Versions never change, so the versions after the newest stored outline are
 * read, and the result is stored. A version that cannot be read is passed over: it gets the outline of the version
 * before.
 */
export async function readOutline(
  { db, bots, logger }: Deps,
  bot: BotRef,
  version: number,
  call: CallOptions,
): Promise<Outline> {
  let { version: known, outline } = (await loadOutline(db, bot, version)) ?? {
    version: 0,
    outline: emptyOutline,
  };
  while (known < version) {
    const next = Math.min(known + versionsAtOnce, version);
    const numbers = Array.from({ length: next - known }, (_, index) => known + 1 + index);
    const published = await Promise.all(numbers.map((number) => readVersion(bots, bot, number, call)));
    for (const [index, { definition, publishedAt }] of published.entries()) {
      try {
        outline = nextOutline(outline, await questionsIn(definition), publishedAt);
      } catch (error) {
        const line = { err: error, ...bot, botVersion: numbers[index] };
        logger.error(
          line,
          'the definition of a bot cannot be read; its figures have no steps of this version',
        );
      }
    }
    await storeOutline(db, bot, next, outline);
    known = next;
  }
  return outline;
}

async function readVersion(
  bots: Bots,
  { workspaceId, botId }: BotRef,
  number: number,
  call: CallOptions,
): Promise<{ definition: string; publishedAt: Date }> {
  const { definition, version } = await bots.getBotVersion({ workspaceId, id: botId, version: number }, call);
  if (!version?.publishedAt) throw new Error('a version of a bot has no time of its publication');
  return { definition, publishedAt: version.publishedAt };
}

async function questionsIn(definition: string): Promise<VersionQuestions> {
  // It was checked when it was published, by the rules of that release.
  const parsed = JSON.parse(definition) as BotDefinition;
  // Other calls run between the slices.
  for (const _ of preparePlan(parsed)) await setImmediate();
  return { ...questionsOf(parsed), stepIds: parsed.steps.map(({ id }) => id) };
}
