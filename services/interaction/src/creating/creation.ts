import {
  type CreateInteractionRequest,
  type CreateInteractionResponse,
  Interaction,
} from '@parley/contracts/interaction/v1/interaction';
import { idempotent, storedAnswer } from '@parley/postgres/idempotency';
import type { CallContext } from '@parley/rpc/context';
import { AppError, unavailable } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { countInteractions } from '../metrics.ts';
import type { Creation } from './creation-store.ts';
import { insertAllowed } from './offered.ts';
import { linkToken } from '../interactions/link-token.ts';
import { interactionMessage } from '../interactions/message.ts';
import { type Prepared, prepareAll } from './preparing.ts';

/** The default of the column. */
const firstLinkVersion = 1;

/** Attempts of a creation whose customer is anonymised meanwhile. */
export const creationAttempts = 5;

/** What must hold for a creation that is not a repetition. Each throws the error otherwise. */
interface Conditions {
  check?(): void;
  /** In the transaction of the creation. The request needs an Idempotency-Key. */
  within?(trx: Deps['db']): Promise<void>;
}

/**
 * Creates an interaction, and its customer if there is none. The customer is created first, outside of any transaction:
 * a fault in between leaves at most a customer without interactions. One transaction writes the row, its events and the
 * record of the Idempotency-Key. If the customer was anonymised after it was read, it is read again. A repeated key has
 * no effect. UNAVAILABLE if the customer is being anonymised.
 */
export async function createInteraction(
  deps: Deps,
  request: CreateInteractionRequest,
  call: CallContext,
  { check, within }: Conditions = {},
): Promise<CreateInteractionResponse> {
  const stored = await storedAnswer(deps.db, recordOf(request));
  if (stored) return answerOf(deps, stored, true);
  check?.();
  for (let attempt = 0; attempt < creationAttempts; attempt += 1) {
    const [prepared] = await prepareAll(deps, request, [request], call);
    const created = prepared && (await write(deps, request, prepared, within));
    if (created) return created;
  }
  throw beingAnonymised();
}

/** Returns the error of a creation whose customer is anonymised at each attempt. */
export function beingAnonymised(): AppError {
  return unavailable(outdated, 'The customer is being anonymised');
}

/** Rolls back a creation whose customer was anonymised after it was read. */
const outdated = new Error('the customer was anonymised meanwhile');

async function write(
  deps: Deps,
  request: CreateInteractionRequest,
  prepared: Prepared,
  within: Conditions['within'],
): Promise<CreateInteractionResponse | undefined> {
  let written: Creation | undefined;
  const effect = async (db: Deps['db']): Promise<Interaction> => {
    // Not earlier: a repeated key returns its interaction, whatever has become of the bot.
    if (prepared instanceof AppError) throw prepared;
    await within?.(db);
    const [row] = await insertAllowed(db, [prepared]);
    if (!row) throw outdated;
    if (row instanceof AppError) throw row;
    written = prepared;
    return withoutLink(interactionMessage(row, deps.linkKeys));
  };
  try {
    const { message, replayed } = await idempotent(deps.db, {
      ...recordOf(request),
      subject: request.customerId,
      resourceOf: ({ id }) => id,
      effect,
    });
    if (written) announce(deps, [written]);
    return answerOf(deps, message, replayed);
  } catch (error) {
    if (error === outdated) return undefined;
    throw error;
  }
}

/** Counts committed creations and what they began, and wakes what follows from them. */
export function announce({ relay, modelWorker, raising }: Deps, creations: readonly Creation[]): void {
  for (const { row } of creations) {
    countInteractions('created', row.type);
    // An import that is completed or expired is only a creation.
    if (row.botVersion !== null) countInteractions('started', row.type);
    if (row.botVersion !== null && row.status === 'Completed') countInteractions('completed', row.type);
  }
  if (creations.length > 0) relay.wake();
  if (creations.some(({ row }) => row.modelDueAt)) modelWorker.wake();
  if (creations.some(({ availability }) => availability?.isAnnouncing)) raising.wake();
}

function recordOf({ idempotency: key, workspaceId }: CreateInteractionRequest) {
  return { key, workspaceId, codec: Interaction };
}

function answerOf(deps: Deps, made: Interaction, replayed: boolean): CreateInteractionResponse {
  return { interaction: withLink(deps, made), replayed };
}

/** Returns a new interaction as it is stored for replays: the token of its link is derived and never stored. */
export function withoutLink(made: Interaction): Interaction {
  return { ...made, linkToken: '' };
}

/** Returns a stored interaction with the token of its first link. */
export function withLink({ linkKeys }: Deps, made: Interaction): Interaction {
  return { ...made, linkToken: linkToken(linkKeys, made.id, firstLinkVersion) };
}
