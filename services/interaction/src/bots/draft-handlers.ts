import { audit } from '@parley/audit/rows';
import { bytesFault, validateInSlices } from '@parley/bot/definition';
import type { Slices } from '@parley/bot/slices';
import { apiTimestamp } from '@parley/contracts/interaction-resource';
import type {
  Bot,
  BotDraft,
  BotServiceService,
  PublishBotVersionRequest,
  SaveBotDraftRequest,
} from '@parley/contracts/interaction/v1/bot';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import type { Handlers } from '@parley/rpc/definition';
import {
  type AppError,
  changeAttemptsMax,
  type Fault,
  invalidRequest,
  lostRace,
  preconditionFailed,
  requireExisting,
} from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import type { Deps } from '../deps.ts';
import { inSlices } from '../in-slices.ts';
import type { Tables } from '../schema.ts';
import { addSave, changedPlaces } from './draft-saves.ts';
import {
  type Draft,
  type DraftRow,
  isDraft,
  listDrafts,
  loadDraftRow,
  removeDraft,
  saveDraft,
} from './draft-store.ts';
import { keyFaults, parseDefinition, readPublication } from './publication.ts';
import { type BotRow, loadBot, loadBotVersion, type Publication } from './store.ts';

export type DraftMethods = 'getBotDraft' | 'saveBotDraft' | 'discardBotDraft' | 'listBotDrafts';

type DraftDeps = Pick<Deps, 'db' | 'compute'>;

export function draftHandlers({
  db,
  compute,
}: DraftDeps): Pick<Handlers<typeof BotServiceService>, DraftMethods> {
  const shown = async (bot: BotRow, draft: Draft): Promise<BotDraft> => ({
    ...draft,
    faults: await inSlices(compute, faultsOf(bot, draft.definition)),
  });
  return {
    getBotDraft: async ({ workspaceId, botId }) => {
      const bot = requireExisting(await loadBot(db, workspaceId, botId));
      return shown(bot, requireDraft(await loadDraftRow(db, bot)));
    },

    saveBotDraft: async (request) => {
      const definition = parseDefinition(request.definition);
      const fault = bytesFault(definition);
      if (fault) throw invalidRequest([{ ...fault, pointer: '/definition' }]);
      const bot = requireExisting(await loadBot(db, request.workspaceId, request.botId));
      return shown(bot, await save({ db, compute }, bot, request, definition));
    },

    discardBotDraft: async ({ workspaceId, botId, ifVersion }) => {
      const bot = requireExisting(await loadBot(db, workspaceId, botId));
      for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
        const draft = requireDraft(await loadDraftRow(db, bot));
        requireVersion(draft, ifVersion);
        const removed = await inTransaction(db, async (trx) => {
          const row = await removeDraft(trx, draft);
          const targets = [{ type: 'bot', id: botId }];
          if (row) await audit(trx, { workspaceId, action: 'botDraft.discarded', targets });
          return row;
        });
        if (removed) return {};
      }
      throw lostRace();
    },

    listBotDrafts: async ({ workspaceId }) => ({
      drafts: (await listDrafts(db, workspaceId)).map((row) => ({
        ...row,
        definition: '',
        faults: [],
      })),
    }),
  };
}

async function save(
  { db, compute }: DraftDeps,
  bot: BotRow,
  { definition: text, baseVersion, updatedBy, ifVersion, ifAbsent }: SaveBotDraftRequest,
  definition: unknown,
): Promise<Draft> {
  const { workspaceId } = bot;
  requireBase(bot, baseVersion);
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const row = await loadDraftRow(db, bot);
    const draft = isDraft(row) ? row : undefined;
    const base = baseVersion ?? draft?.baseVersion ?? bot.version;
    // A save whose answer was lost is sent again, with the condition of the first.
    if (draft?.definition === text && draft.updatedBy === updatedBy && draft.baseVersion === base)
      return draft;
    if (ifAbsent && draft) throw savedMeanwhile(draft);
    if (!ifAbsent) requireVersion(draft, ifVersion);
    const before = draft?.definition ?? (await loadBotVersion(db, bot, base))?.definition ?? '{}';
    const places = await compute(() => changedPlaces(JSON.parse(before), definition));
    const { saves, recorded } = addSave(row?.saves ?? {}, { author: updatedBy, places, now: new Date() });
    const saved = await inTransaction(db, async (trx) => {
      const next = await saveDraft(trx, bot, row, { definition: text, baseVersion: base, updatedBy, saves });
      if (!next || !recorded) return next;
      const changes = {
        ...(!draft && { baseVersion: [null, base] as [unknown, unknown] }),
        ...(recorded.length > 0 && { places: [null, recorded] as [unknown, unknown] }),
      };
      await audit(trx, {
        workspaceId,
        action: 'botDraft.saved',
        targets: [{ type: 'bot', id: bot.id }],
        changes,
      });
      return next;
    });
    if (isDraft(saved)) return saved;
  }
  throw lostRace();
}

/** The draft of a bot that may be published. INVALID_ARGUMENT without one, and with every fault. */
export async function readDraftPublication(
  { db, compute }: DraftDeps,
  {
    workspaceId,
    id,
    ifDraftVersion,
  }: Pick<PublishBotVersionRequest, 'workspaceId' | 'id' | 'ifDraftVersion'>,
): Promise<{ draft: Draft; publication: Publication }> {
  const bot = requireExisting(await loadBot(db, workspaceId, id));
  const draft = await loadDraftRow(db, bot);
  if (typeof ifDraftVersion === 'number') requireVersion(draft, ifDraftVersion);
  if (!isDraft(draft)) throw invalidRequest([{ pointer: '/publishDraft', detail: 'The bot has no draft' }]);
  return { draft, publication: await inSlices(compute, readPublication(draft.definition)) };
}

/** Removes a draft in the transaction that publishes it. It may have changed since it was read: 409. */
export async function removePublished(trx: Kysely<Tables>, draft: Draft, published: Bot): Promise<Bot> {
  if (await removeDraft(trx, draft)) return published;
  throw lostRace();
}

function* faultsOf({ key }: BotRow, text: string): Slices<Fault[]> {
  const definition = JSON.parse(text) as Record<string, unknown>;
  const result = yield* validateInSlices(definition);
  return 'faults' in result ? result.faults : keyFaults(result.definition.key, key);
}

function requireDraft(row: DraftRow | undefined): Draft {
  return requireExisting(isDraft(row) ? row : undefined);
}

/** Throws 412 without a draft, and for another version than the given one. */
function requireVersion(row: DraftRow | undefined, version: number | null | undefined): asserts row is Draft {
  if (!isDraft(row)) throw preconditionFailed('The bot has no draft: it was published or discarded');
  if (typeof version === 'number' && version !== row.version) throw savedMeanwhile(row);
}

function savedMeanwhile({ updatedBy, updatedAt }: Draft): AppError {
  return preconditionFailed(`The draft was saved by ${updatedBy} at ${apiTimestamp(updatedAt)}`);
}

function requireBase({ version: live }: BotRow, version: number | null | undefined): void {
  if (typeof version !== 'number' || version <= live) return;
  throw invalidRequest([{ pointer: '/baseVersion', detail: `The bot has no version ${version}` }]);
}
