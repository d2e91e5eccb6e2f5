import {
  type CreateInteractionsRequest,
  CreateInteractionsResponse,
  type CreationResult,
  Interaction,
} from '@parley/contracts/interaction/v1/interaction';
import { idempotent, saveParts, storedAnswer, storedParts } from '@parley/postgres/idempotency';
import type { CallContext } from '@parley/rpc/context';
import { AppError, notFound } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { announce, beingAnonymised, creationAttempts, withLink, withoutLink } from './creation.ts';
import type { Creation } from './creation-store.ts';
import { interactionMessage } from '../interactions/message.ts';
import { type Inserted, insertAllowed, insertEach } from './offered.ts';
import { prepareAll } from './preparing.ts';

/** An item: what to insert, then the interaction or its error. */
type Slot = Creation | Interaction | AppError;

/**
 * Creates interactions as single calls in this order would, and returns a result for each. With an Idempotency-Key, one
 * transaction writes the rows and the answer: its head has the errors, and each interaction is a part under its
 * customer, where removals find it. Without one, the rows join the batches of other calls, and an item that the
 * database rejects fails alone. Items whose customer was anonymised after it was read are prepared again.
 */
export async function createInteractions(
  deps: Deps,
  request: CreateInteractionsRequest,
  call: CallContext,
): Promise<CreateInteractionsResponse> {
  const { interactions: items } = request;
  const stored = await storedAnswer(deps.db, recordOf(request));
  if (stored) return replayOf(deps, request, stored);
  let slots: Slot[] = await prepareAll(deps, request, items, call);
  for (let attempt = 1; ; attempt += 1) {
    const written = await write(deps, request, slots);
    if (written.replayed) return replayOf(deps, request, written.replayed);
    slots = written.slots;
    const { outdated } = written;
    if (outdated.length === 0) return { results: slots.map(resultOf), replayed: false };
    // Under a key, the answer would be stored, and a retry could not do better.
    if (request.idempotency && attempt === creationAttempts) throw beingAnonymised();
    const again = attempt < creationAttempts ? outdated.flatMap((index) => items[index] ?? []) : [];
    const renewed = await prepareAll(deps, request, again, call);
    for (const [n, index] of outdated.entries()) slots[index] = renewed[n] ?? beingAnonymised();
  }
}

interface Written {
  slots: Slot[];
  /** The slots whose customer was anonymised since. With a key, nothing is written if there are any. */
  outdated: number[];
  /** The head of the answer that is stored under the key already. */
  replayed?: CreateInteractionsResponse;
}

async function write(deps: Deps, request: CreateInteractionsRequest, before: Slot[]): Promise<Written> {
  const { key, ...record } = recordOf(request);
  const creations = before.filter((slot) => isWaiting(slot));
  let slots = before;
  let made: Creation[] = [];
  const effect = async (db: Deps['db']): Promise<CreateInteractionsResponse> => {
    const rows = key ? await insertAllowed(db, creations) : await insertEach(db, creations);
    const byCreation = new Map<Slot, (typeof rows)[number]>(
      creations.map((creation, n) => [creation, rows[n]]),
    );
    slots = before.map((slot) => slotOf(deps, byCreation.get(slot)) ?? slot);
    made = creations.filter((_, n) => rows[n] && !(rows[n] instanceof AppError));
    if (key && slots.some(isWaiting)) throw isOutdated;
    if (key) await saveParts(db, { key, workspaceId: record.workspaceId }, partsOf(slots));
    return { results: slots.map((slot) => ({ error: resultOf(slot).error })), replayed: false };
  };
  const outdatedOf = (all: Slot[]): number[] =>
    all.flatMap((slot, index) => (isWaiting(slot) ? [index] : []));
  try {
    const { message, replayed } = await idempotent(deps.db, { key, ...record, subject: '', effect });
    if (replayed) return { slots, outdated: [], replayed: message };
  } catch (error) {
    if (error === isOutdated) return { slots: before, outdated: outdatedOf(slots) };
    throw error;
  }
  announce(deps, made);
  return { slots, outdated: outdatedOf(slots) };
}

/** Rolls back a call whose customers were anonymised after they were read. */
const isOutdated = new Error('customers were anonymised meanwhile');

function isWaiting(slot: Slot): slot is Creation {
  return 'row' in slot;
}

function isMade(slot: Slot): slot is Interaction {
  return !isWaiting(slot) && !(slot instanceof AppError);
}

function slotOf({ linkKeys }: Deps, row: Inserted): Slot | undefined {
  return row && !(row instanceof AppError) ? interactionMessage(row, linkKeys) : row;
}

function resultOf(slot: Slot): CreationResult {
  if (isMade(slot)) return { interaction: slot };
  const { code, type, message: detail, faults = [] } = slot instanceof AppError ? slot : beingAnonymised();
  const retryAt = faults.find((one) => one.retryAt)?.retryAt;
  return { error: { code, type, detail, faults, retryAt } };
}

// A key of its own: the answer to another kind of call has another form.
function keyOf({ idempotency }: CreateInteractionsRequest) {
  return idempotency && { ...idempotency, scope: `bulk ${idempotency.scope}` };
}

function recordOf(request: CreateInteractionsRequest) {
  return { key: keyOf(request), workspaceId: request.workspaceId, codec: CreateInteractionsResponse };
}

function partsOf(slots: readonly Slot[]) {
  return slots.flatMap((slot, part) => {
    if (!isMade(slot)) return [];
    const response = Buffer.from(Interaction.encode(withoutLink(slot)).finish());
    return [{ part, subject: slot.customerId, resourceId: slot.id, response }];
  });
}

/** Returns the stored answer. An interaction that was deleted since is not found. */
async function replayOf(
  deps: Deps,
  request: CreateInteractionsRequest,
  { results }: CreateInteractionsResponse,
): Promise<CreateInteractionsResponse> {
  const { workspaceId } = request;
  const key = keyOf(request);
  const parts = key ? await storedParts(deps.db, { key, workspaceId }, results.length) : undefined;
  const replayed = results.map(({ error }, index): CreationResult => {
    const part = parts?.get(index);
    if (error) return { error };
    return part ? { interaction: withLink(deps, Interaction.decode(part)) } : resultOf(notFound());
  });
  return { results: replayed, replayed: true };
}
