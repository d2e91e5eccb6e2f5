import type { Interaction, UpdateInteractionRequest } from '@parley/contracts/interaction/v1/interaction';
import {
  AppError,
  changeTriesMax,
  invalidRequest,
  lostRace,
  notFound,
  preconditionFailed,
} from '@parley/runtime/errors';
import { commitChange } from './commit-change.ts';
import { closeTalk } from './completion.ts';
import type { Deps } from './deps.ts';
import { interactionMessage, priorityOf, statusOf } from './interaction-message.ts';
import { type InteractionChange, type InteractionRow, loadInteraction } from './interaction-store.ts';
import { nextStatus } from './lifecycle.ts';
import { expiryFaults, expiryInstant } from './request-faults.ts';
import { startTalk } from './starting.ts';

/**
 * Changes status, priority and expiry as the client's backend wants it. Decided on the row as it was read and saved only
 * on that row: whoever loses a race decides again.
 */
export async function updateInteraction(
  deps: Deps,
  request: UpdateInteractionRequest,
  requestId: string,
): Promise<Interaction> {
  const faults = expiryFaults(request.expirySeconds);
  if (faults.length > 0) throw invalidRequest(faults);
  for (let tries = 0; tries < changeTriesMax; tries += 1) {
    const row = await loadInteraction(deps.db, request.workspaceId, request.id);
    if (!row) throw notFound();
    const change = await decide(deps, row, request, requestId, new Date());
    if (Object.keys(change).length === 0) return interactionMessage(row, deps.linkKeys);
    const saved = await commitChange(deps, row, change);
    if (saved) return interactionMessage(saved, deps.linkKeys);
  }
  throw lostRace();
}

/** What the request changes in the row; throws when it may not. */
async function decide(
  deps: Deps,
  row: InteractionRow,
  request: UpdateInteractionRequest,
  requestId: string,
  now: Date,
): Promise<InteractionChange> {
  if (typeof request.ifVersion === 'number' && request.ifVersion !== row.version) throw preconditionFailed();
  const { expirySeconds } = request;
  const wanted = typeof expirySeconds === 'number' ? expiryInstant(expirySeconds, now) : undefined;
  // Clearing what is not set changes nothing, whatever the status.
  const expiresAt = wanted === null && row.expiresAt === null ? undefined : wanted;
  const next = nextStatus(row.status, { status: statusOf(request.status), expiresAt }, now);
  if ('refused' in next) throw new AppError('failed_precondition', next.type, next.refused);

  const priority = priorityOf(request.priority) ?? row.priority;
  return {
    ...(next.status !== row.status && (await entering(deps, next.status, row, requestId, now))),
    ...(priority !== row.priority && { priority }),
    ...(expiresAt !== undefined && expiresAt?.getTime() !== row.expiresAt?.getTime() && { expiresAt }),
  };
}

/** What an interaction's step into a status changes. */
async function entering(
  { customers, definitions, hasModel }: Deps,
  status: InteractionRow['status'],
  row: InteractionRow,
  requestId: string,
  now: Date,
): Promise<InteractionChange> {
  if (status === 'Completed') return closeTalk(row);
  if (status !== 'InProgress') return { status };
  const { workspaceId, customerId } = row;
  const bot = await definitions.of(row);
  const customer = await customers.getCustomer({ workspaceId, id: customerId }, { requestId });
  return startTalk(bot, row, customer, now, { hasModel });
}
