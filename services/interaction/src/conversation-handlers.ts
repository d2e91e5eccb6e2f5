import { teaser, teaserNamesCustomer } from '@parley/bot/teaser';
import type {
  ConversationServiceService,
  GetConversationRequest,
  PostMessageRequest,
  PostMessageResponse,
  Snapshot,
} from '@parley/contracts/interaction/v1/conversation';
import { isUniqueViolation } from '@parley/postgres/errors';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, changeTriesMax, lostRace, notFound } from '@parley/runtime/errors';
import { equalBytes } from '@parley/runtime/keyring';
import { conversationEnded, fingerprintOf, judge } from './answering.ts';
import { commitChange } from './commit-change.ts';
import { findLinked, findMessage, findWaiting, loadTalk, type TalkRow } from './conversation-store.ts';
import type { Deps } from './deps.ts';
import type { InteractionChange, InteractionRow, NewMessage } from './interaction-store.ts';
import { isOpen } from './lifecycle.ts';
import { readLinkToken } from './link-token.ts';
import { snapshotOf } from './snapshot.ts';
import { startTalk } from './starting.ts';
import { sessionOf, type ValidSession, visible } from './visibility.ts';
import type { Known, Watch } from './watch.ts';

interface ConversationDeps extends Deps {
  watch: Watch;
}

/** The talk with a customer. What it means is said in conversation.proto and in the contract, section 7. */
export function conversationHandlers(deps: ConversationDeps): Handlers<typeof ConversationServiceService> {
  const { db, customers, definitions, linkKeys, watch, hasModel } = deps;
  return {
    openLink: async ({ token }) => {
      const subject = readLinkToken(linkKeys, token);
      const linked = subject && (await findLinked(db, subject, new Date()));
      if (!linked) throw notFound();
      const { id: interactionId, linkVersion } = subject;
      const { workspaceId, status, botName } = linked;
      const unavailable = linked.linkVersion !== linkVersion || status === 'Draft';
      return { workspaceId, interactionId, linkVersion, status, botName, unavailable };
    },

    getPending: async (request, { requestId, signal }) => {
      const session = sessionOf(request);
      const waiting = await findWaiting(db, session, new Date());
      if (!waiting) return { pending: null };
      const { workspaceId } = session;
      const { id, status, type, priority, botName, expiresAt, more } = waiting;
      const definition = await definitions.get(workspaceId, waiting.botId, waiting.botVersion);
      // Only a bot that begins with the customer's name costs a call for it.
      const customer = teaserNamesCustomer(definition)
        ? await customers.getCustomer({ workspaceId, id: waiting.customerId }, { requestId, signal })
        : { id: waiting.customerId, firstName: '', lastName: '', email: '' };
      const words = teaser(definition, {
        customer,
        context: Object.fromEntries(waiting.context.map(({ key, value }) => [key, value])),
        hasModel,
        ...(typeof request.locale === 'string' && { locale: request.locale }),
      });
      return {
        pending: { interactionId: id, status, type, priority, botName, teaser: words, expiresAt, more },
      };
    },

    getConversation: async (request, { signal }) => {
      const session = sessionOf(request);
      const read = await snapshotOrWait(deps, session, request);
      if ('snapshot' in read) return read.snapshot;
      await watch.changed(read.known, read.endMs, signal);
      return snapshot(deps, await load(deps, session, request.interactionId), request.after);
    },

    startConversation: async (request, { requestId, signal }) => {
      const session = sessionOf(request);
      for (let tries = 0; tries < changeTriesMax; tries += 1) {
        // Read before the customer: one who is anonymised in between has changed the row, and nothing is saved.
        const row = await load(deps, session, request.interactionId);
        if (row.status === 'InProgress') return snapshot(deps, row, 0);
        if (row.status !== 'Pending') throw conversationEnded();
        const [bot, customer] = await Promise.all([
          definitions.of(row),
          customers.getCustomer({ workspaceId: row.workspaceId, id: row.customerId }, { requestId, signal }),
        ]);
        const manner = { hasModel, locale: request.locale ?? undefined };
        const started = startTalk(bot, row, customer, new Date(), manner);
        const saved = await commitChange(deps, row, started);
        if (saved) return snapshot(deps, { ...row, ...saved }, 0);
      }
      throw lostRace();
    },

    postMessage: (request) => post(deps, sessionOf(request), request),
  };
}

/**
 * Returns the snapshot if there is something new or nothing to wait for. Otherwise returns what to wait for, without
 * the row: a waiting call must not keep it in memory.
 */
async function snapshotOrWait(
  deps: ConversationDeps,
  session: ValidSession,
  { interactionId, after, waitSeconds }: GetConversationRequest,
): Promise<{ snapshot: Snapshot } | { known: Known; endMs: number }> {
  const untilMs = Date.now() + waitSeconds * 1_000;
  const row = await load(deps, session, interactionId);
  const mayWait = row.seq <= after && isOpen(row.status) && untilMs > Date.now();
  if (!mayWait) return { snapshot: await snapshot(deps, row, after) };
  const { workspaceId, id, version, expiresAt } = row;
  return { known: { workspaceId, id, version }, endMs: Math.min(untilMs, expiresAt?.getTime() ?? untilMs) };
}

/**
 * Takes a message. The usual one costs a read and a write: only one that is not taken is looked up among those that
 * were, since what was taken before is told by its outcome, whatever has become of the talk.
 */
async function post(
  deps: ConversationDeps,
  session: ValidSession,
  request: PostMessageRequest,
): Promise<PostMessageResponse> {
  const { interactionId, clientMessageId } = request;
  const fingerprint = fingerprintOf(request);
  for (let tries = 0; tries < changeTriesMax; tries += 1) {
    const row = await load(deps, session, interactionId);
    const verdict = judge(row, await deps.definitions.ofStarted(row), request, new Date(), deps.hasModel);
    if ('change' in verdict) {
      const saved = await saveMessage(deps, row, verdict.change, { clientMessageId, fingerprint });
      if (saved === undefined) continue;
      if (saved !== 'taken-before') {
        return { snapshot: await snapshot(deps, { ...row, ...saved }, 0), stale: false };
      }
    }
    const earlier = await findMessage(deps.db, row.workspaceId, row.id, clientMessageId);
    if (earlier) {
      if (!equalBytes(earlier, fingerprint)) throw messageIdReused();
      // It may have been taken after the row was read.
      const current = await load(deps, session, interactionId);
      return { snapshot: await snapshot(deps, current, 0), stale: false };
    }
    if ('error' in verdict) throw verdict.error;
    if ('stale' in verdict) return { snapshot: await snapshot(deps, row, 0), stale: true };
  }
  throw lostRace();
}

async function saveMessage(
  deps: ConversationDeps,
  row: InteractionRow,
  change: InteractionChange,
  message: NewMessage,
): Promise<InteractionRow | 'taken-before' | undefined> {
  try {
    return await commitChange(deps, row, change, message);
  } catch (error) {
    if (isUniqueViolation(error, 'message_pkey')) return 'taken-before';
    throw error;
  }
}

async function load({ db }: ConversationDeps, session: ValidSession, id: string): Promise<TalkRow> {
  return visible(session, await loadTalk(db, session.workspaceId, id));
}

async function snapshot(deps: ConversationDeps, row: TalkRow, after: number): Promise<Snapshot> {
  return snapshotOf(row, await deps.definitions.ofStarted(row), after, new Date());
}

function messageIdReused(): AppError {
  return new AppError(
    'already_exists',
    'client-message-id-reused',
    'This clientMessageId was used for another message',
  );
}
