import { audit, changesBetween } from '@parley/audit/rows';
import {
  OpenLink,
  type OpenLinkServiceService,
  type UpdateOpenLinkRequest,
} from '@parley/contracts/interaction/v1/open_link';
import { openLinkLimits } from '@parley/contracts/limits';
import { forgottenAnswer, idempotent } from '@parley/postgres/idempotency';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import type { Handlers } from '@parley/rpc/definition';
import { idPositions, readPage } from '@parley/runtime/cursor';
import {
  AppError,
  type Fault,
  invalidRequest,
  requireExisting,
  requireUnchanged,
} from '@parley/runtime/errors';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type BotRow, loadBot } from '../bots/store.ts';
import type { Deps } from '../deps.ts';
import { linkToken } from '../interactions/link-token.ts';
import type { Tables } from '../schema.ts';
import {
  deleteOpenLink,
  findOpenLink,
  hasTooManyLinks,
  insertOpenLink,
  listOpenLinks,
  lockOpenLink,
  type OpenLinkRow,
  updateOpenLink,
} from './store.ts';
import { visitHandlers } from './visits.ts';

type OpenLinkHandlers = Handlers<typeof OpenLinkServiceService>;

export function openLinkHandlers(deps: Deps): OpenLinkHandlers {
  const { db } = deps;
  return {
    getOpenLink: async ({ workspaceId, botId, openLinkId: id }) =>
      messageOf(deps, requireExisting(await findOpenLink(db, { workspaceId, botId, id }))),

    listOpenLinks: async ({ workspaceId, botId, ...page }) => {
      requireExisting(await loadBot(db, workspaceId, botId));
      const { rows, nextCursor } = await readPage(idPositions, page, (after, limit) =>
        listOpenLinks(db, { workspaceId, botId }, after?.id, limit),
      );
      return { links: rows.map((row) => messageOf(deps, row)), nextCursor };
    },

    ...changingHandlers(deps),
    ...visitHandlers(deps),
  };
}

type Changes = 'createOpenLink' | 'updateOpenLink' | 'deleteOpenLink';

function changingHandlers(deps: Deps): Pick<OpenLinkHandlers, Changes> {
  const { db } = deps;
  return {
    createOpenLink: async ({ idempotency: key, ...request }) => {
      const { workspaceId, botId } = request;
      const bot = requireExisting(await loadBot(db, workspaceId, botId));
      requireDeclared(request.contextKeys, bot);
      const { message, replayed } = await idempotent(db, {
        key,
        workspaceId,
        subject: '',
        resourceOf: ({ id }) => id,
        codec: OpenLink,
        effect: (work) =>
          inTransaction(work, async (trx) => {
            const { responsesMax = null, ...given } = request;
            const link = await insertOpenLink(trx, { ...given, responsesMax, id: uuidv7() });
            await requireSpace(trx, bot);
            await audit(trx, { workspaceId, action: 'openLink.created', targets: targetsOf(link) });
            return withoutToken(link);
          }),
      });
      return { link: withToken(deps, message), replayed };
    },

    updateOpenLink: async (request) => {
      const { workspaceId, botId, openLinkId: id, ifVersion, context } = request;
      const bot = requireExisting(await loadBot(db, workspaceId, botId));
      if (context) requireDeclared(context.keys, bot);
      return inTransaction(db, async (trx) => {
        const before = requireExisting(await lockOpenLink(trx, { workspaceId, botId, id }));
        requireUnchanged(before.version, ifVersion);
        const after = changedFields(before, request);
        const changes = changesBetween(before, after);
        if (Object.keys(changes).length === 0) return messageOf(deps, before);
        const changed = await updateOpenLink(trx, before, after);
        await audit(trx, { workspaceId, action: 'openLink.updated', targets: targetsOf(changed), changes });
        return messageOf(deps, changed);
      });
    },

    deleteOpenLink: async ({ workspaceId, botId, openLinkId: id, ifVersion }) => {
      await inTransaction(db, async (trx) => {
        const link = requireExisting(await lockOpenLink(trx, { workspaceId, botId, id }));
        requireUnchanged(link.version, ifVersion);
        await deleteOpenLink(trx, link);
        await sql`
          update idempotency_record set ${forgottenAnswer}
          where workspace_id = ${workspaceId} and subject = '' and resource_id = ${id}`.execute(trx);
        await audit(trx, { workspaceId, action: 'openLink.deleted', targets: targetsOf(link) });
      });
      return {};
    },
  };
}

function messageOf(deps: Deps, row: OpenLinkRow): OpenLink {
  return withToken(deps, withoutToken(row));
}

/** Returns a link as it is stored for replays: its token is derived and never stored. */
function withoutToken(row: OpenLinkRow): OpenLink {
  return {
    id: row.id,
    botId: row.botId,
    name: row.name,
    token: '',
    expiresAt: row.expiresAt,
    responsesMax: row.responsesMax ?? undefined,
    responses: row.responses,
    contextKeys: row.contextKeys,
    isClosed: row.isClosed,
    isTest: row.isTest,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    version: row.version,
  };
}

/** Open links have one version: who wants another URL makes another link. */
const linkVersion = 1;

function withToken({ linkKeys }: Pick<Deps, 'linkKeys'>, link: OpenLink): OpenLink {
  return { ...link, token: linkToken(linkKeys, link.id, linkVersion, 'openLink') };
}

function changedFields(before: OpenLinkRow, change: UpdateOpenLinkRequest) {
  const { responsesMax, neverExpires } = change;
  return {
    name: change.name ?? before.name,
    expiresAt: neverExpires ? null : (change.expiresAt ?? before.expiresAt),
    responsesMax: responsesMax === 0 ? null : (responsesMax ?? before.responsesMax),
    contextKeys: change.context?.keys ?? before.contextKeys,
    isClosed: change.isClosed ?? before.isClosed,
  };
}

function targetsOf({ id, botId }: OpenLinkRow) {
  return [
    { type: 'openLink', id },
    { type: 'bot', id: botId },
  ];
}

function requireDeclared(keys: readonly string[], { context }: Pick<BotRow, 'context'>): void {
  const detail = context.length > 0 ? `Must be one of: ${context.join(', ')}` : 'This bot takes no context';
  const faults = keys.flatMap((key, index): Fault[] =>
    context.includes(key) ? [] : [{ pointer: `/contextKeys/${index}`, detail }],
  );
  if (faults.length > 0) throw invalidRequest(faults);
}

async function requireSpace(trx: Kysely<Tables>, { workspaceId, id: botId }: BotRow): Promise<void> {
  const { perBotMax } = openLinkLimits;
  if (!(await hasTooManyLinks(trx, { workspaceId, botId }, perBotMax))) return;
  const detail = `The bot has ${perBotMax} open links, the maximum: delete some`;
  throw new AppError('failed_precondition', 'too-many-open-links', detail);
}
