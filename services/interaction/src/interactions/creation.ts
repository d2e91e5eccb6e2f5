import {
  type CreateInteractionRequest,
  type CreateInteractionResponse,
  Interaction,
} from '@parley/contracts/interaction/v1/interaction';
import { idempotent, storedAnswer } from '@parley/postgres/idempotency';
import { AppError, invalidRequest, unavailable } from '@parley/runtime/errors';
import { v7 as uuidv7 } from 'uuid';
import { loadBot, loadBotByKey } from '../bots/store.ts';
import type { Deps } from '../deps.ts';
import { countInteractions } from '../metrics.ts';
import { eventsOfCreation } from './events.ts';
import { type Creation, insertInteraction, type NewInteraction } from './creation-store.ts';
import { linkToken } from './link-token.ts';
import { interactionMessage, priorityOf, statusOf } from './message.ts';
import { creationFaults, expiryInstant } from './request-faults.ts';
import { startConversation } from './starting.ts';

/** The default of the column. */
const firstLinkVersion = 1;

/** Attempts of a creation whose customer is anonymised meanwhile. */
const attemptsMax = 5;

/**
 * Creates an interaction, and its customer if there is none. The customer is created first, outside of any transaction:
 * a fault in between leaves at most a customer without details. One transaction writes the row, its events and the
 * record of the Idempotency-Key. If the customer was anonymised after it was read, it is read again. A repeated key has
 * no effect. UNAVAILABLE if the customer is being anonymised.
 */
export async function createInteraction(
  deps: Deps,
  request: CreateInteractionRequest,
  requestId: string,
): Promise<CreateInteractionResponse> {
  const stored = await storedAnswer(deps.db, recordOf(request));
  if (stored) return answerOf(deps, stored, true);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const created = await write(deps, request, await prepare(deps, request, requestId));
    if (created) return created;
  }
  throw unavailable(outdated, 'The customer is being anonymised');
}

/** Rolls back a creation whose customer was anonymised after it was read. */
const outdated = new Error('the customer was anonymised meanwhile');

async function write(
  deps: Deps,
  request: CreateInteractionRequest,
  prepared: Creation | AppError,
): Promise<CreateInteractionResponse | undefined> {
  let written: Creation | undefined;
  const effect = async (db: Deps['db']): Promise<Interaction> => {
    // Not earlier: a repeated key returns its interaction, whatever has become of the bot.
    if (prepared instanceof AppError) throw prepared;
    const row = await insertInteraction(db, prepared);
    if (!row) throw outdated;
    written = prepared;
    // The link's token is derived and never stored.
    return { ...interactionMessage(row, deps.linkKeys), linkToken: '' };
  };
  try {
    const { message, replayed } = await idempotent(deps.db, {
      ...recordOf(request),
      subject: request.customerId,
      resourceOf: ({ id }) => id,
      effect,
    });
    if (written) countCreation(written);
    if (written) deps.relay.wake();
    if (written?.row.modelDueAt) deps.modelWorker.wake();
    return answerOf(deps, message, replayed);
  } catch (error) {
    if (error === outdated) return undefined;
    throw error;
  }
}

/** Counts a creation, and what it began. An import that is completed or expired is only a creation. */
function countCreation({ row }: Creation): void {
  countInteractions('created', row.type);
  if (row.botVersion !== null) countInteractions('started', row.type);
  if (row.botVersion !== null && row.status === 'Completed') countInteractions('completed', row.type);
}

function recordOf({ idempotency: key, workspaceId }: CreateInteractionRequest) {
  return { key, workspaceId, codec: Interaction };
}

function answerOf({ linkKeys }: Deps, made: Interaction, replayed: boolean): CreateInteractionResponse {
  return { interaction: { ...made, linkToken: linkToken(linkKeys, made.id, firstLinkVersion) }, replayed };
}

/** Returns the row to insert, or the error of the request. */
async function prepare(
  { db, customers, definitions, compute, hasModel }: Deps,
  request: CreateInteractionRequest,
  requestId: string,
): Promise<Creation | AppError> {
  const { workspaceId, customerId, botId, botKey, context } = request;
  const bot =
    typeof botKey === 'string'
      ? await loadBotByKey(db, workspaceId, botKey)
      : await loadBot(db, workspaceId, botId);
  const faults = creationFaults(request, bot);
  if (!bot || faults.length > 0) return invalidRequest(faults);
  const customer = await customers.ensureCustomer({ workspaceId, id: customerId }, { requestId });

  const now = new Date();
  const draft: NewInteraction = {
    id: uuidv7(),
    workspaceId,
    customerId,
    botId: bot.id,
    botVersion: null,
    status: 'Draft',
    priority: priorityOf(request.priority) ?? 'Medium',
    type: bot.type,
    typeLabel: bot.typeLabel,
    context,
    expiresAt: expiryInstant(request.expirySeconds ?? 0, now),
    createdAt: now,
    state: null,
    transcript: null,
    evaluation: null,
    seq: 0,
    startedAt: null,
    completedAt: null,
    stallsAt: null,
  };
  const status = statusOf(request.status) ?? 'Draft';
  // Completed or Expired at creation is an import: no conversation, no event.
  const { version: customerVersion } = customer;
  if (status !== 'InProgress') {
    const row = { ...draft, status, completedAt: status === 'Completed' ? now : null };
    return { row, customerVersion, events: eventsOfCreation(row, undefined, now) };
  }
  const definition = await definitions.get(workspaceId, bot.id, bot.version);
  const started = await compute(() =>
    startConversation({ version: bot.version, definition }, draft, customer, now, { hasModel }),
  );
  return { row: { ...draft, ...started }, customerVersion, events: eventsOfCreation(draft, started, now) };
}
