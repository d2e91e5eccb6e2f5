import { setImmediate } from 'node:timers/promises';
import type { BotDefinition } from '@parley/bot/definition';
import { preparePlan } from '@parley/bot/plan';
import { type Questions, questionsOf } from '@parley/bot/questions';
import type { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { CallOptions, RpcClient } from '@parley/rpc/definition';
import type { Db } from '../schema.ts';
import { emptyOutline, nextOutline, type Outline } from '../figures/outline.ts';
import { type BotRef, loadOutline, storeOutline } from './outline-store.ts';

/** The calls of the interaction service about bots. */
export type Bots = Pick<RpcClient<typeof BotServiceService>, 'getBot' | 'getBotVersion'>;

interface Deps {
  db: Db;
  bots: Bots;
}

/** How many versions are read at once. A definition has up to 256 KiB. */
const versionsAtOnce = 20;

/**
 * Returns the outline of a version of a bot. Versions never change, so those after the newest stored outline are read,
 * and the result is stored.
 */
export async function outlineOf(
  { db, bots }: Deps,
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
    for (const { questions, publishedAt } of published)
      outline = nextOutline(outline, questions, publishedAt);
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
): Promise<{ questions: Questions; publishedAt: Date }> {
  const { definition, version } = await bots.getBotVersion({ workspaceId, id: botId, version: number }, call);
  if (!version?.publishedAt) throw new Error('a version of a bot has no time of its publication');
  // It was checked when it was published.
  const parsed = JSON.parse(definition) as BotDefinition;
  // Other calls run between the slices.
  for (const _ of preparePlan(parsed)) await setImmediate();
  return { questions: questionsOf(parsed), publishedAt: version.publishedAt };
}
