import type { BotDefinition } from '@parley/bot/definition';
import { expressionCharacters } from '@parley/bot/expressions';
import { preparePlan } from '@parley/bot/plan';
import { existing } from '@parley/runtime/errors';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import { inWork } from '@parley/runtime/scheduling/work';
import type { Kysely, Selectable } from 'kysely';
import { inSlices } from '../in-slices.ts';
import type { InteractionTable, Tables } from '../schema.ts';
import { createSharedCache } from './shared-cache.ts';
import { loadBot, loadDefinition } from './store.ts';

export interface PublishedBot {
  version: number;
  definition: BotDefinition;
}

type Interaction = Selectable<InteractionTable>;

/** A cache of bot definitions: a published version never changes. The same version is always the same object. */
export interface Definitions {
  /** NOT_FOUND if the version does not exist. */
  get(workspaceId: string, botId: string, version: number): Promise<BotDefinition>;
  /** Returns the version that a conversation is pinned to; before its start, the bot's current one. */
  of(conversation: Pick<Interaction, 'workspaceId' | 'botId' | 'botVersion'>): Promise<PublishedBot>;
  /** Returns the definition that a conversation runs on; null before its start. */
  ofStarted(
    conversation: Pick<Interaction, 'workspaceId' | 'botId' | 'botVersion' | 'state'>,
  ): Promise<BotDefinition | null>;
}

/** The memory of all cached definitions. */
const cacheBytesMax = 96 * 1024 * 1024;
/** The memory of one workspace: the others keep most of the cache, however many large bots it has. */
const workspaceBytesMax = 16 * 1024 * 1024;
/** The memory of a definition: in any case, by the bytes of its JSON, and by the characters of its expressions. */
const memoryMin = 64 * 1024;
const memoryPerByte = 10;
const memoryPerCharacter = 200;

/** Keeps the definitions that were used last. Their expressions are compiled. */
export function createDefinitionCache(db: Kysely<Tables>, compute: Compute): Definitions {
  const cache = createSharedCache<{ definition: BotDefinition; ready: Promise<unknown> }>(
    cacheBytesMax,
    workspaceBytesMax,
  );

  const get: Definitions['get'] = async (workspaceId, botId, version) => {
    const key = `${botId} ${version}`;
    let entry = cache.get(workspaceId, key);
    if (!entry) {
      const { definition, bytes } = existing(await loadDefinition(db, workspaceId, botId, version));
      // Concurrent calls read it twice: the first result is kept.
      entry = cache.get(workspaceId, key);
      if (!entry) {
        // Concurrent calls wait for it, so it does not end with the first one.
        const work = { tenant: workspaceId, signal: undefined };
        const ready = inWork(work, () => inSlices(compute, preparePlan(definition)));
        entry = { definition, ready };
        cache.set(workspaceId, key, entry, memoryOf(definition, bytes));
        ready.catch(() => cache.delete(workspaceId, key));
      }
    }
    await entry.ready;
    return entry.definition;
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

function memoryOf({ steps }: BotDefinition, bytes: number): number {
  return memoryMin + memoryPerByte * bytes + memoryPerCharacter * expressionCharacters(steps);
}
