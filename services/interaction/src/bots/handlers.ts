import { idPositions } from '@parley/runtime/cursor';
import { audit, changesBetween } from '@parley/audit/rows';
import { auditShown } from '@parley/audit/shown';
import {
  Bot,
  type BotServiceService,
  type ListBotsRequest,
  type ListBotsResponse,
  type PublishBotVersionRequest,
  type ReplayConversationsResponse,
} from '@parley/contracts/interaction/v1/bot';
import { isUniqueViolation } from '@parley/postgres/connecting/errors';
import { idempotent, storedAnswer } from '@parley/postgres/idempotency';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import type { Handlers } from '@parley/rpc/definition';
import {
  AppError,
  changeAttemptsMax,
  requireExisting,
  invalidRequest,
  lostRace,
} from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../deps.ts';
import { inSlices } from '../in-slices.ts';
import type { Tables } from '../schema.ts';
import { draftHandlers, type DraftMethods, readDraftPublication, removePublished } from './draft-handlers.ts';
import { listEvaluationKeys } from './evaluation-keys.ts';
import { listPersonalKeys } from './personal-keys.ts';
import { presenceHandlers, type PresenceMethods } from './presence-handlers.ts';
import { keyFaults, publicationOf, readDefinition, readPublication } from './publication.ts';
import { replayConversations } from './replays.ts';
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
  loadNamedBot,
  loadBotVersion,
  loadDigest,
  lockBots,
  type Provenance,
  type Publication,
  versionsPerBotMax,
} from './store.ts';

/** The publisher of a version without an API key. */
const operator = 'operator';

export function botHandlers(
  deps: Pick<Deps, 'db' | 'compute' | 'definitions' | 'shown'>,
): Handlers<typeof BotServiceService> {
  return {
    ...readingHandlers(deps),
    ...changingHandlers(deps),
    ...draftHandlers(deps),
    ...presenceHandlers(deps),
  };
}

type Changes = 'createBot' | 'publishBotVersion';

function changingHandlers({
  db,
  compute,
}: Pick<Deps, 'db' | 'compute'>): Pick<Handlers<typeof BotServiceService>, Changes> {
  return {
    createBot: async ({ workspaceId, definition, idempotency, publishedBy: by }) => {
      const publication = await inSlices(compute, readPublication(definition));
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId,
        subject: '',
        codec: Bot,
        effect: (work) =>
          inTransaction(work, async (trx) => botMessage(await create(trx, workspaceId, publication, by))),
      }).catch(async (error: unknown) => {
        if (!isUniqueViolation(error, 'bot_key_unique')) throw error;
        throw await keyInUse(db, workspaceId, publication.key, error);
      });
      return { bot: message, replayed };
    },

    publishBotVersion: async (request) => {
      const { workspaceId, definition, idempotency, restore, publishDraft } = request;
      // The first call has removed the draft.
      const stored = publishDraft
        ? await storedAnswer(db, { key: idempotency, workspaceId, codec: Bot })
        : undefined;
      if (stored) return { bot: stored, replayed: true };
      const drafted = publishDraft ? await readDraftPublication({ db, compute }, request) : undefined;
      const isRestored = typeof restore === 'number';
      const publication =
        drafted || isRestored ? drafted?.publication : await inSlices(compute, readPublication(definition));
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId,
        subject: '',
        codec: Bot,
        effect: (work) =>
          inTransaction(work, async (trx) => {
            const bot = botMessage(await publish(trx, request, publication));
            return drafted ? removePublished(trx, drafted.draft, bot) : bot;
          }),
      });
      return { bot: message, replayed };
    },
  };
}

function readingHandlers(
  deps: Pick<Deps, 'db' | 'compute' | 'definitions' | 'shown'>,
): Omit<Handlers<typeof BotServiceService>, Changes | DraftMethods | PresenceMethods> {
  const { db, compute } = deps;
  return {
    getBot: async ({ workspaceId, id }) => botMessage(requireExisting(await loadBot(db, workspaceId, id))),
    listBots: (request) => botsOf(db, request),

    getBotVersion: async ({ workspaceId, id, version: number }) => {
      const bot = requireExisting(await loadBot(db, workspaceId, id));
      return { key: bot.key, ...requireExisting(await loadBotVersion(db, bot, number)) };
    },

    listBotVersions: async ({ workspaceId, id, after }) => {
      const bot = requireExisting(await loadBot(db, workspaceId, id));
      return listBotVersions(db, bot, after ?? undefined);
    },

    listEvaluationKeys: ({ workspaceId, ...bot }) => listEvaluationKeys(db, workspaceId, bot),

    replayConversations: async ({ workspaceId, id, definition, limit }) => {
      const bot = requireExisting(await loadBot(db, workspaceId, id));
      const replays = await replayConversations(
        deps,
        bot,
        await inSlices(compute, readDefinition(definition)),
        limit,
      );
      await auditReplayed(deps, workspaceId, replays);
      return replays;
    },

    listPersonalKeys: async (request) => ({ keys: await listPersonalKeys(deps, request) }),
  };
}

/** Records the conversations that a replay shows: how they went, and of some what was said. */
async function auditReplayed(
  deps: Pick<Deps, 'db' | 'shown'>,
  workspaceId: string,
  { differences, groups }: ReplayConversationsResponse,
): Promise<void> {
  const shown = [...differences, ...groups.flatMap(({ newest }) => newest ?? [])];
  const ids = new Set(shown.map(({ interactionId }) => interactionId));
  const things = [...ids].map((id) => ({ type: 'interaction', id }));
  await auditShown(deps, { workspaceId, action: 'interactions.listed', things });
}

async function botsOf(
  db: Kysely<Tables>,
  { workspaceId, key, after: given }: ListBotsRequest,
): Promise<ListBotsResponse> {
  if (typeof key === 'string') {
    const bot = await loadNamedBot(db, workspaceId, { key });
    return { bots: bot ? [botMessage(bot)] : [] };
  }
  const after = idPositions.read(given ?? '', '/after')?.id;
  const { bots, nextAfter } = await listBots(db, workspaceId, after);
  const isLong = nextAfter !== undefined && after === undefined;
  const digest = isLong ? await digestOfBots(db, workspaceId) : undefined;
  return { bots: bots.map(botMessage), nextAfter, digest };
}

/** Returns a 409 with the bot's id, so that the client can publish a version of it. */
async function keyInUse(
  db: Kysely<Tables>,
  workspaceId: string,
  key: string,
  cause: unknown,
): Promise<AppError> {
  const holder = await loadNamedBot(db, workspaceId, { key });
  const which = holder ? `The bot ${holder.id}` : 'A bot';
  const detail = `${which} of the workspace has this key`;
  return new AppError('already_exists', 'bot-key-in-use', detail, { cause });
}

async function create(
  trx: Kysely<Tables>,
  workspaceId: string,
  publication: Publication,
  by: string | null | undefined,
): Promise<BotRow> {
  await lockBots(trx, workspaceId);
  const provenance = { publishedBy: by ?? operator, note: null, restoredFrom: null };
  // First, so that a key that is in use is reported as such.
  const bot = await insertBot(trx, { id: uuidv7(), workspaceId }, publication, provenance);
  if (await hasTooManyBots(trx, workspaceId)) {
    const message = `The workspace has ${botsPerWorkspaceMax} bots, the maximum`;
    throw new AppError('failed_precondition', 'too-many-bots', message);
  }
  await audit(trx, { workspaceId, action: 'bot.created', targets: [{ type: 'bot', id: bot.id }] });
  return bot;
}

/** Publishes the definition, or without one the version to restore. */
async function publish(
  trx: Kysely<Tables>,
  { workspaceId, id, expectedVersion, restore, note, publishedBy }: PublishBotVersionRequest,
  given: Publication | undefined,
): Promise<BotRow> {
  const provenance: Provenance = {
    publishedBy: publishedBy ?? operator,
    note: note ?? null,
    restoredFrom: restore ?? null,
  };
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const bot = requireExisting(await loadBot(trx, workspaceId, id));
    requireLive(bot, expectedVersion);
    const faults = given ? keyFaults(given.key, bot.key) : [];
    if (faults.length > 0) throw invalidRequest(faults);
    if (given && (await loadDigest(trx, bot)) === given.digest) return bot;
    if (bot.version >= versionsPerBotMax) {
      const message = `The bot has ${versionsPerBotMax} versions, the maximum`;
      throw new AppError('failed_precondition', 'too-many-bot-versions', message);
    }
    const publication = given ?? (await loadPublication(trx, bot, restore ?? 0));
    const published = await insertBotVersion(trx, bot, publication, provenance);
    if (published) {
      const after = { version: published.version, restoredFrom: restore };
      const changes = changesBetween({ version: bot.version }, after);
      await audit(trx, { workspaceId, action: 'bot.published', targets: [{ type: 'bot', id }], changes });
      return published;
    }
  }
  throw lostRace();
}

/** Throws 409 if the caller expects another version than the live one. */
function requireLive({ version }: BotRow, expected: number | null | undefined): void {
  if (typeof expected !== 'number' || expected === version) return;
  const message = `Version ${version} of the bot is live, not ${expected}`;
  throw new AppError('failed_precondition', 'unexpected-bot-version', message);
}

async function loadPublication(db: Kysely<Tables>, bot: BotRow, version: number): Promise<Publication> {
  const restored = await loadBotVersion(db, bot, version);
  if (restored) return publicationOf(restored.definition, JSON.parse(restored.definition));
  throw invalidRequest([{ pointer: '/restore', detail: `The bot has no version ${version}` }]);
}

function botMessage({ id, key, name, context, version }: BotRow): Bot {
  return { id, key, name, context, version };
}
