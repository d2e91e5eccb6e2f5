import { Bot, type BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { isUniqueViolation } from '@parley/postgres/errors';
import { idempotent } from '@parley/postgres/idempotency';
import { inTransaction } from '@parley/postgres/transaction';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, changeAttemptsMax, existing, invalidRequest, lostRace } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../deps.ts';
import { inSlices } from '../in-slices.ts';
import { positionOf } from '../list-position.ts';
import type { Tables } from '../schema.ts';
import { readPublication } from './publication.ts';
import {
  type BotRow,
  botsPerWorkspaceMax,
  digestOfBots,
  hasTooManyBots,
  insertBot,
  insertBotVersion,
  listBots,
  listBotVersions,
  loadBot,
  loadBotByKey,
  loadSha256,
  lockBots,
  type Publication,
  versionsPerBotMax,
} from './store.ts';

/** Returns the handlers of the RPCs about bots and their published versions. */
export function botHandlers({
  db,
  compute,
}: Pick<Deps, 'db' | 'compute'>): Handlers<typeof BotServiceService> {
  return {
    createBot: async ({ workspaceId, definition, idempotency }) => {
      const publication = await inSlices(compute, readPublication(definition));
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId,
        subject: '',
        codec: Bot,
        effect: (work) =>
          inTransaction(work, async (trx) => botMessage(await create(trx, workspaceId, publication))),
      }).catch(async (error: unknown) => {
        if (!isUniqueViolation(error, 'bot_key_unique')) throw error;
        throw await keyInUse(db, workspaceId, publication.definition.key, error);
      });
      return { bot: message, replayed };
    },

    publishBotVersion: async ({ workspaceId, id, definition, idempotency }) => {
      const publication = await inSlices(compute, readPublication(definition));
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId,
        subject: '',
        codec: Bot,
        effect: async (work) => botMessage(await publish(work, workspaceId, id, publication)),
      });
      return { bot: message, replayed };
    },

    getBot: async ({ workspaceId, id }) => botMessage(existing(await loadBot(db, workspaceId, id))),

    listBots: async ({ workspaceId, key, after: given }) => {
      if (typeof key === 'string') {
        const bot = await loadBotByKey(db, workspaceId, key);
        return { bots: bot ? [botMessage(bot)] : [] };
      }
      const after = positionOf(given);
      const { bots, nextAfter } = await listBots(db, workspaceId, after);
      const isLong = nextAfter !== undefined && after === undefined;
      const digest = isLong ? await digestOfBots(db, workspaceId) : undefined;
      return { bots: bots.map(botMessage), nextAfter, digest };
    },

    listBotVersions: async ({ workspaceId, id, after }) => {
      const bot = existing(await loadBot(db, workspaceId, id));
      return listBotVersions(db, workspaceId, bot.id, after ?? undefined);
    },
  };
}

/** Returns a 409 with the bot's id, so that the client can publish a version of it. */
async function keyInUse(
  db: Kysely<Tables>,
  workspaceId: string,
  key: string,
  cause: unknown,
): Promise<AppError> {
  const holder = await loadBotByKey(db, workspaceId, key);
  const which = holder ? `The bot ${holder.id}` : 'A bot';
  const detail = `${which} of the workspace has this key`;
  return new AppError('already_exists', 'bot-key-in-use', detail, { cause });
}

async function create(trx: Kysely<Tables>, workspaceId: string, publication: Publication): Promise<BotRow> {
  await lockBots(trx, workspaceId);
  const { key } = publication.definition;
  // First, so that a key that is in use is reported as such.
  const bot = await insertBot(trx, { id: uuidv7(), workspaceId, key }, publication);
  if (await hasTooManyBots(trx, workspaceId)) {
    const message = `The workspace has ${botsPerWorkspaceMax} bots, the maximum`;
    throw new AppError('failed_precondition', 'too-many-bots', message);
  }
  return bot;
}

async function publish(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
  publication: Publication,
): Promise<BotRow> {
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const bot = existing(await loadBot(db, workspaceId, id));
    if (publication.definition.key !== bot.key) {
      throw invalidRequest([{ pointer: '/key', detail: `Must be the key of the bot: ${bot.key}` }]);
    }
    if ((await loadSha256(db, bot)) === publication.sha256) return bot;
    if (bot.version >= versionsPerBotMax) {
      const message = `The bot has ${versionsPerBotMax} versions, the maximum`;
      throw new AppError('failed_precondition', 'too-many-bot-versions', message);
    }
    const published = await insertBotVersion(db, bot, publication);
    if (published) return published;
  }
  throw lostRace();
}

function botMessage({ id, key, name, context, version }: BotRow): Bot {
  return { id, key, name, context, version };
}
