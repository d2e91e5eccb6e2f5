import { type AuditedAction, changesBetween } from '@parley/audit/rows';
import type { Interaction, UpdateInteractionRequest } from '@parley/contracts/interaction/v1/interaction';
import {
  AppError,
  changeAttemptsMax,
  requireExisting,
  invalidRequest,
  lostRace,
  requireUnchanged,
} from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { auditConversations } from '../interactions/audited-reads.ts';
import { type LoadedBot, loadBot } from '../bots/store.ts';
import { isLimiting, limitsOf } from '../contacts/contact-policy.ts';
import { decideOffers, isOffered, type Offer, offeredFrom } from '../contacts/offering.ts';
import { isHidden, takesAvailability } from '../interactions/availability.ts';
import { moveAvailability } from './availability-store.ts';
import { commitChange } from './commit-change.ts';
import { closeConversation } from '../interactions/completion.ts';
import { nextStatus } from '../interactions/lifecycle.ts';
import { interactionMessage, priorityOf, statusOf } from '../interactions/message.ts';
import { availabilityFaults, expiryFaults, expiryInstant } from '../creating/request-faults.ts';
import { startConversation } from '../creating/starting.ts';
import { type InteractionChange, type InteractionRow, loadInteraction } from '../interactions/store.ts';

/**
 * Updates status, priority, expiry and availability. Decides on the row that was read, and saves only if it has not
 * changed since: the loser of a race decides again.
 */
export async function updateInteraction(
  deps: Deps,
  request: UpdateInteractionRequest,
  requestId: string,
): Promise<Interaction> {
  const faults = [...expiryFaults(request.expirySeconds), ...availabilityFaults(request, 'Pending')];
  if (faults.length > 0) throw invalidRequest(faults);
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const row = requireExisting(await loadInteraction(deps.db, request.workspaceId, request.id));
    const change = await decide(deps, row, request, requestId, new Date());
    if (Object.keys(change).length === 0) {
      await auditConversations(deps, row.workspaceId, 'interaction.opened', [row]);
      return interactionMessage(row, deps.linkKeys);
    }
    const isPending = row.status !== 'Pending' && change.status === 'Pending';
    // A test has reminders, too.
    const needsBot = isPending || offers(row, change);
    const bot = needsBot ? await loadBot(deps.db, row.workspaceId, row.botId) : undefined;
    const offer = bot && offerOf(row, change, bot, request);
    let isMoved = false;
    const saved = await commitChange(deps, row, change, {
      action: actionOf(row, change, offer),
      also: async (trx, after) => {
        if (offer) await requireOffer(trx, row, offer);
        if (!isPending && !('availableFrom' in change)) return;
        isMoved = await moveAvailability(trx, row, after, bot?.reminders ?? []);
      },
    });
    if (!saved) continue;
    if (isMoved) deps.raising.wake();
    return interactionMessage(saved, deps.linkKeys);
  }
  throw lostRace();
}

/** Returns whether the change offers what was not offered, as the contact policy counts it: a test never is. */
function offers(row: InteractionRow, { status = row.status }: InteractionChange): boolean {
  return !row.isTest && !isOffered(row.status) && isOffered(status);
}

/** Returns from when the contact policy counts the interaction after a change; undefined if that does not change. */
function offeredAtOf(
  row: InteractionRow,
  after: Pick<InteractionRow, 'status' | 'availableFrom'>,
  now: Date,
): Date | undefined {
  const from = after.status === 'Pending' ? offeredFrom(after.availableFrom, now) : now;
  if (offers(row, after)) return from;
  if (row.isTest || row.status !== 'Pending') return undefined;
  // A move of what customers have seen, and go on seeing, is no new contact.
  const wasOrIsHidden = isHidden(row, now) || isHidden(after, now);
  const isMoved = row.availableFrom?.getTime() !== after.availableFrom?.getTime();
  return wasOrIsHidden && (isMoved || after.status !== 'Pending') ? from : undefined;
}

/** Undefined if the workspace has no limit. */
function offerOf(
  { customerId, botId }: InteractionRow,
  { offeredAt }: InteractionChange,
  { contactPolicy }: LoadedBot,
  { ignoreContactPolicy }: UpdateInteractionRequest,
): Offer | undefined {
  const limits = limitsOf(contactPolicy ?? {});
  if (!offeredAt || !isLimiting(limits)) return undefined;
  return { customerId, botId, offeredAt, limits, isForced: ignoreContactPolicy === true };
}

/** Throws `contact-limit`. The interaction itself does not count: it may have been offered before. */
async function requireOffer(trx: Deps['db'], row: InteractionRow, offer: Offer): Promise<void> {
  const of = { workspaceId: row.workspaceId, except: row.id };
  const [error] = await decideOffers(trx, of, [offer], '/status');
  if (error) throw error;
}

function actionOf(row: InteractionRow, change: InteractionChange, offer: Offer | undefined): AuditedAction {
  const shownOf = ({ status, priority, expiresAt, availableFrom }: InteractionRow) => ({
    status,
    priority,
    expiresAt,
    availableFrom,
  });
  return {
    workspaceId: row.workspaceId,
    action: 'interaction.updated',
    targets: [{ type: 'interaction', id: row.id }],
    changes: {
      ...changesBetween(shownOf(row), shownOf({ ...row, ...change })),
      ...(offer?.isForced && { ignoreContactPolicy: [null, true] as const }),
    },
  };
}

/** Returns the change of the row. Throws when the change is not allowed. */
async function decide(
  deps: Deps,
  row: InteractionRow,
  request: UpdateInteractionRequest,
  requestId: string,
  now: Date,
): Promise<InteractionChange> {
  requireUnchanged(row.version, request.ifVersion);
  const { expirySeconds } = request;
  const requested = typeof expirySeconds === 'number' ? expiryInstant(expirySeconds, now) : undefined;
  // Clearing an absent expiry is no change, whatever the status.
  const expiresAt = requested === null && row.expiresAt === null ? undefined : requested;
  const availableFrom = request.clearsAvailableFrom === true ? null : (request.availableFrom ?? undefined);
  const isMoved = availableFrom !== undefined && availableFrom?.getTime() !== row.availableFrom?.getTime();
  const next = nextStatus(row.status, { status: statusOf(request.status), expiresAt }, now);
  if ('refused' in next) throw new AppError('failed_precondition', next.type, next.refused);

  if (isMoved && !takesAvailability(next.status)) {
    const detail = `An interaction that is ${next.status} takes no other availableFrom`;
    throw new AppError('failed_precondition', 'illegal-availability', detail);
  }

  const priority = priorityOf(request.priority) ?? row.priority;
  const from = availableFrom === undefined ? row.availableFrom : availableFrom;
  const offeredAt = offeredAtOf(row, { ...next, availableFrom: from }, now);
  return {
    ...(next.status !== row.status && (await enterStatus(deps, next.status, row, requestId, now))),
    ...(offeredAt && { offeredAt }),
    ...(priority !== row.priority && { priority }),
    ...(expiresAt !== undefined && expiresAt?.getTime() !== row.expiresAt?.getTime() && { expiresAt }),
    ...(isMoved && { availableFrom }),
  };
}

async function enterStatus(
  { customers, definitions, compute, hasModel }: Deps,
  status: InteractionRow['status'],
  row: InteractionRow,
  requestId: string,
  now: Date,
): Promise<InteractionChange> {
  if (status === 'Completed') return closeConversation(row, now);
  if (status !== 'InProgress') return { status };
  const { workspaceId, customerId } = row;
  const bot = await definitions.of(row);
  const customer = await customers.getCustomer({ workspaceId, id: customerId }, { requestId });
  return compute(() => startConversation(bot, row, customer, now, { hasModel }));
}
