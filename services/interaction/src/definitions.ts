import type { BotDefinition } from '@parley/bot/definition';
import { notFound } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { loadBot, loadDefinition } from './bot-store.ts';
import type { InteractionRow } from './interaction-store.ts';
import type { Tables } from './schema.ts';

/** One version of a bot. */
export interface PublishedBot {
  version: number;
  definition: BotDefinition;
}

/** The bots' definitions, remembered: a published version never changes. The same one is always the same object. */
export interface Definitions {
  /** A version that is known to exist. */
  get(workspaceId: string, botId: string, version: number): Promise<BotDefinition>;
  /** What a talk runs on: the version that it is pinned to, before its start the bot's current one. */
  of(talk: Pick<InteractionRow, 'workspaceId' | 'botId' | 'botVersion'>): Promise<PublishedBot>;
  /** The definition that a talk runs on; null before its start. */
  ofStarted(
    talk: Pick<InteractionRow, 'workspaceId' | 'botId' | 'botVersion' | 'state'>,
  ): Promise<BotDefinition | null>;
}

const rememberedMax = 500;
/** Of JSON text: in memory a definition takes about ten times as much, with what is derived from it. */
const rememberedBytesMax = 8 * 1024 * 1024;

/** A definition, and how many bytes its JSON text has. */
interface Remembered {
  definition: BotDefinition;
  bytes: number;
}

/** Definitions of a database, those that were used last kept in memory: at most 500, of 8 MiB of JSON. */
export function rememberDefinitions(db: Kysely<Tables>): Definitions {
  // In the order of their last use.
  const remembered = new Map<string, Remembered>();
  let rememberedBytes = 0;

  const get: Definitions['get'] = async (workspaceId, botId, version) => {
    const key = `${workspaceId} ${botId} ${version}`;
    const loaded = remembered.get(key) ?? (await loadDefinition(db, workspaceId, botId, version));
    if (!loaded) throw notFound();
    // Two who asked at once read it twice: the first to come keeps the place.
    const known = remembered.get(key);
    const kept = known ?? loaded;
    if (!known) rememberedBytes += kept.bytes;
    remembered.delete(key);
    remembered.set(key, kept);
    for (const [oldest, { bytes }] of remembered) {
      if (remembered.size <= rememberedMax && rememberedBytes <= rememberedBytesMax) break;
      remembered.delete(oldest);
      rememberedBytes -= bytes;
    }
    return kept.definition;
  };

  const of: Definitions['of'] = async ({ workspaceId, botId, botVersion }) => {
    const version = botVersion ?? (await loadBot(db, workspaceId, botId))?.version;
    if (version === undefined) throw notFound();
    return { version, definition: await get(workspaceId, botId, version) };
  };

  return { get, of, ofStarted: async (talk) => talk.state && (await of(talk)).definition };
}
