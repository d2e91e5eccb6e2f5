import { planOf } from '@parley/bot/plan';
import { teaser } from '@parley/bot/teaser';
import { isAnonymousId } from '@parley/contracts/customer-id';
import type {
  ConversationServiceService,
  GetConversationRequest,
  GetPendingRequest,
  OpenLinkResponse,
  PendingInteraction,
  PostMessageRequest,
  PostMessageResponse,
  Snapshot,
} from '@parley/contracts/interaction/v1/conversation';
import type { CallOptions, Handlers } from '@parley/rpc/definition';
import { linkHolder, sessionGrantSeconds } from '@parley/rpc/grants';
import { AppError, changeAttemptsMax, lostRace, notFound, requireExisting } from '@parley/runtime/errors';
import { equalBytes } from '@parley/runtime/config/keyring';
import { addSpanIds } from '@parley/runtime/telemetry/span-ids';
import type { Deps } from '../deps.ts';
import { DuplicateMessage } from '../changing/change-store.ts';
import { commitChange } from '../changing/commit-change.ts';
import { inSlices } from '../in-slices.ts';
import { auditConversations } from '../interactions/audited-reads.ts';
import { isHidden } from '../interactions/availability.ts';
import { isOpen } from '../interactions/lifecycle.ts';
import { readLinkToken } from '../interactions/link-token.ts';
import { startConversation } from '../creating/starting.ts';
import type { InteractionChange, InteractionRow, NewMessage } from '../interactions/store.ts';
import { conversationEnded, fingerprintOf, judge } from './answering.ts';
import { previewOf } from './preview.ts';
import { snapshotOf } from './snapshot.ts';
import {
  findLinked,
  findMessage,
  findWaiting,
  loadConversation,
  loadLightConversation,
  databaseTime,
  loadFenceVersion,
  type ConversationRow,
} from './store.ts';
import { sessionOf, showsTranscript, type ValidSession, visible } from './visibility.ts';
import type { Known } from './watch.ts';

export function conversationHandlers(deps: Deps): Handlers<typeof ConversationServiceService> {
  const { customers, definitions, watch, hasModel } = deps;
  return {
    openLink: ({ token }) => openLink(deps, token),

    getTime: async () => ({ now: await databaseTime(deps.db) }),

    getFence: async ({ workspaceId: id, customerId }) => ({
      version: await loadFenceVersion(deps.db, id, customerId),
    }),

    getConversation: async (request, { signal }) => {
      const session = sessionOf(request);
      const read = await snapshotOrWait(deps, session, request);
      if ('snapshot' in read) return read.snapshot;
      await watch.changed(read.known, read.endMs, signal);
      return snapshot(deps, session, await load(deps, session, request.interactionId), request);
    },

    ...previewHandlers(deps),

    startConversation: async (request, { requestId, signal }) => {
      const session = sessionOf(request);
      for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
        // Read before the customer: an anonymisation in between changes the row, so nothing is saved.
        const row = await load(deps, session, request.interactionId);
        if (row.status === 'InProgress') return snapshot(deps, session, row);
        if (row.status !== 'Pending') throw conversationEnded();
        if (isHidden(row, new Date())) throw notAvailableYet();
        const [bot, customer] = await Promise.all([
          definitions.of(row),
          customers.getCustomer({ workspaceId: row.workspaceId, id: row.customerId }, { requestId, signal }),
        ]);
        const startOptions = { hasModel, locale: request.locale ?? undefined };
        const started = await deps.compute(() =>
          startConversation(bot, row, customer, new Date(), startOptions),
        );
        const saved = await commitChange(deps, row, started);
        if (saved) return snapshot(deps, session, { ...row, ...saved });
      }
      throw lostRace();
    },

    postMessage: (request) => postInTurn(deps, sessionOf(request), request),
  };
}

type Previews = 'getPending' | 'previewConversation' | 'previewInteraction';

/** The calls that show what waits, and how it would begin. */
function previewHandlers(deps: Deps): Pick<Handlers<typeof ConversationServiceService>, Previews> {
  return {
    getPending: async (request, { requestId, signal }) => ({
      pending: await pendingOf(deps, request, { requestId, signal }),
    }),

    previewConversation: async (request, { requestId, signal }) => {
      const session = sessionOf(request);
      const row = await load(deps, session, request.interactionId);
      if (isHidden(row, new Date())) throw notAvailableYet();
      const shown = await previewOf(deps, row, request.locale, { requestId, signal });
      const definition = await deps.definitions.ofStarted(row);
      return showsTranscript(session, row.status, definition) ? shown : { ...shown, entries: [] };
    },

    previewInteraction: async ({ workspaceId, interactionId: id, locale }, { requestId, signal }) => {
      const row = requireExisting(await loadConversation(deps.db, workspaceId, id));
      await auditConversations(deps, workspaceId, 'interaction.opened', [row]);
      return previewOf(deps, row, locale, { requestId, signal });
    },
  };
}

async function openLink(
  { db, linkKeys, linkGrants }: Pick<Deps, 'db' | 'linkKeys' | 'linkGrants'>,
  token: string,
): Promise<OpenLinkResponse> {
  const subject = readLinkToken(linkKeys, token);
  const now = new Date();
  const linked = subject && (await findLinked(db, subject, now));
  if (!linked) throw notFound();
  const { id: interactionId, linkVersion } = subject;
  addSpanIds({ workspaceId: linked.workspaceId, interactionId });
  const { workspaceId, status, botName } = linked;
  const unavailable = linked.linkVersion !== linkVersion || status === 'Draft';
  const holder = { $case: 'link', value: linkHolder({ interactionId, linkVersion }) } as const;
  const issue = () => linkGrants.issue({ workspaceIds: [workspaceId], holder }, sessionGrantSeconds);
  const grant = unavailable ? '' : issue();
  const availableFrom = isHidden(linked, now) ? linked.availableFrom : undefined;
  const isAnonymous = isAnonymousId(linked.customerId) || undefined;
  const shown = { workspaceId, interactionId, linkVersion, status, botName, isAnonymous };
  return { ...shown, unavailable, grant, availableFrom };
}

function notAvailableYet(): AppError {
  return new AppError('failed_precondition', 'not-available-yet', 'The conversation is not available yet');
}

/** Null if no interaction waits for the session's customer. */
async function pendingOf(
  { db, definitions, customers, compute, hasModel }: Deps,
  request: GetPendingRequest,
  call: CallOptions,
): Promise<PendingInteraction | null> {
  const session = sessionOf(request);
  const waiting = await findWaiting(db, session, new Date());
  if (!waiting) return null;
  const { workspaceId } = session;
  const { id: interactionId, status, type, priority, botName, expiresAt, more } = waiting;
  const isTest = waiting.isTest || undefined;
  const definition = await definitions.get(workspaceId, waiting.botId, waiting.botVersion);
  const { effort, teaserNamesCustomer } = planOf(definition);
  const customer = teaserNamesCustomer
    ? await customers.getCustomer({ workspaceId, id: waiting.customerId }, call)
    : { id: waiting.customerId };
  const words = await compute(() =>
    teaser(definition, {
      customer,
      context: Object.fromEntries(waiting.context.map(({ key, value }) => [key, value])),
      hasModel,
      ...(typeof request.locale === 'string' && { locale: request.locale }),
    }),
  );
  const bot = { type, botName, teaser: words, effort };
  return { interactionId, status, priority, ...bot, expiresAt, more, isTest };
}

/**
 * Returns the snapshot if there is something new or nothing to wait for. Otherwise returns what to wait for: a
 * waiting call must not keep the row in memory.
 */
async function snapshotOrWait(
  deps: Deps,
  session: ValidSession,
  { interactionId, after, waitSeconds, revisedStepId }: GetConversationRequest,
): Promise<{ snapshot: Snapshot } | { known: Known; endMs: number }> {
  const untilMs = Date.now() + waitSeconds * 1_000;
  const row = await loadLight(deps, session, interactionId);
  const mayWait = row.seq <= after && isOpen(row.status) && untilMs > Date.now();
  if (!mayWait) {
    const whole = row.isLarge ? await load(deps, session, interactionId) : row;
    return { snapshot: await snapshot(deps, session, whole, { after, revisedStepId }) };
  }
  const { workspaceId, id, version, expiresAt, availableFrom } = row;
  const changesAt = [expiresAt, isHidden(row, new Date()) ? availableFrom : null];
  const endMs = Math.min(untilMs, ...changesAt.map((at) => at?.getTime() ?? untilMs));
  return { known: { workspaceId, id, version }, endMs };
}

/** Accepts a message. Messages to large conversations wait for others of their workspace before they are read. */
async function postInTurn(
  deps: Deps,
  session: ValidSession,
  request: PostMessageRequest,
): Promise<PostMessageResponse> {
  const row = await loadLight(deps, session, request.interactionId);
  if (!row.isLarge) return post(deps, session, request, row);
  const slot = await deps.largeMessages.enter();
  try {
    return await post(deps, session, request, await load(deps, session, request.interactionId));
  } finally {
    slot.rest(1);
  }
}

/**
 * Accepts a message, with one read and one write. Looks for an earlier message of the same id only if this one cannot
 * be saved: a repeated call returns the outcome of the first, whatever the state of the conversation.
 */
async function post(
  deps: Deps,
  session: ValidSession,
  request: PostMessageRequest,
  loaded: ConversationRow,
): Promise<PostMessageResponse> {
  const { interactionId, clientMessageId } = request;
  const fingerprint = fingerprintOf(request);
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const row = tries === 0 ? loaded : await load(deps, session, interactionId);
    const definition = await deps.definitions.ofStarted(row);
    const judging = judge(row, definition, request, new Date(), deps.hasModel);
    const judged = await inSlices(deps.compute, judging);
    if ('change' in judged) {
      const saved = await saveMessage(deps, row, judged.change, { clientMessageId, fingerprint });
      if (saved === undefined) continue;
      if (saved !== 'duplicate') {
        return { snapshot: await snapshot(deps, session, { ...row, ...saved }), stale: false };
      }
    }
    const earlier = await findMessage(deps.db, row.workspaceId, row.id, clientMessageId);
    if (earlier) {
      if (!equalBytes(earlier, fingerprint)) {
        const detail = 'This clientMessageId was used for another message';
        throw new AppError('already_exists', 'client-message-id-reused', detail);
      }
      // The row may be older than the message.
      const current = await load(deps, session, interactionId);
      return { snapshot: await snapshot(deps, session, current), stale: false };
    }
    if ('error' in judged) throw judged.error;
    if ('stale' in judged) return { snapshot: await snapshot(deps, session, row), stale: true };
  }
  throw lostRace();
}

async function saveMessage(
  deps: Deps,
  row: InteractionRow,
  change: InteractionChange,
  message: NewMessage,
): Promise<InteractionRow | 'duplicate' | undefined> {
  try {
    return await commitChange(deps, row, change, { message });
  } catch (error) {
    if (error instanceof DuplicateMessage) return 'duplicate';
    throw error;
  }
}

async function load({ db }: Deps, session: ValidSession, id: string): Promise<ConversationRow> {
  return visible(session, await loadConversation(db, session.workspaceId, id));
}

/** Loads everything but large content. */
async function loadLight({ db }: Deps, session: ValidSession, id: string) {
  return visible(session, await loadLightConversation(db, session.workspaceId, id));
}

async function snapshot(
  deps: Deps,
  session: ValidSession,
  row: ConversationRow,
  { after, revisedStepId }: Pick<GetConversationRequest, 'after' | 'revisedStepId'> = { after: 0 },
): Promise<Snapshot> {
  const definition = await deps.definitions.ofStarted(row);
  const shown = snapshotOf(row, definition, after, new Date(), revisedStepId ?? undefined);
  return showsTranscript(session, row.status, definition) ? shown : { ...shown, entries: [] };
}
