import type { BotDefinition } from '@parley/bot/definition';
import { existing } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { loadBot, loadDefinition } from './bot-store.ts';
import type { InteractionRow } from './interaction-store.ts';
import type { Tables } from './schema.ts';

/** One version of a bot. */
export interface PublishedBot {
  version: number;
  definition: BotDefinition;
}

/** A cache of bot definitions: a published version never changes. The same version is always the same object. */
export interface Definitions {
  /** Returns a version that exists. NOT_FOUND otherwise. */
  get(workspaceId: string, botId: string, version: number): Promise<BotDefinition>;
  /** Returns the version that a conversation is pinned to; before its start, the bot's current one. */
  of(conversation: Pick<InteractionRow, 'workspaceId' | 'botId' | 'botVersion'>): Promise<PublishedBot>;
  /** Returns the definition that a conversation runs on; null before its start. */
  ofStarted(
    conversation: Pick<InteractionRow, 'workspaceId' | 'botId' | 'botVersion' | 'state'>,
  ): Promise<BotDefinition | null>;
}

const entriesMax = 500;
/** The limit of JSON text. A definition takes about ten times as much memory. */
const entryBytesMax = 8 * 1024 * 1024;

/** Returns a cache of the definitions that were used last: at most 500, with 8 MiB of JSON. */
export function createDefinitionCache(db: Kysely<Tables>): Definitions {
  // In the order of last use.
  const entries = new Map<string, { definition: BotDefinition; bytes: number }>();
  let entryBytes = 0;

  const get: Definitions['get'] = async (workspaceId, botId, version) => {
    const key = `${workspaceId} ${botId} ${version}`;
    const loaded = entries.get(key) ?? existing(await loadDefinition(db, workspaceId, botId, version));
    // Concurrent calls read it twice: the first result is kept.
    const known = entries.get(key);
    const kept = known ?? loaded;
    if (!known) entryBytes += kept.bytes;
    entries.delete(key);
    entries.set(key, kept);
    for (const [oldest, { bytes }] of entries) {
      if (entries.size <= entriesMax && entryBytes <= entryBytesMax) break;
      entries.delete(oldest);
      entryBytes -= bytes;
    }
    return kept.definition;
  };

  const of: Definitions['of'] = async ({ workspaceId, botId, botVersion }) => {
    const version = botVersion ?? existing(await loadBot(db, workspaceId, botId)).version;
    return { version, definition: await get(workspaceId, botId, version) };
  };

  return {
    get,
    of,
    ofStarted: async (conversation) => conversation.state && (await of(conversation)).definition,
  };
}
