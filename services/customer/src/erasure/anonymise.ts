import type {
  AnonymiseCustomerRequest,
  AnonymiseCustomerResponse,
  DeleteAnonymousCustomersRequest,
  DeleteAnonymousCustomersResponse,
  DeleteCustomerRequest,
  DeleteCustomerResponse,
} from '@parley/contracts/customer/v1/customer';
import { openLinkLimits } from '@parley/contracts/limits';
import { AppError, requireExisting } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { type Begun, beginAnonymisation, isAnonymised } from './anonymisation-store.ts';
import { beginDeletion, listAnonymous } from './deletion-store.ts';
import type { RunEnds } from './run-ends.ts';
import type { Tables } from '../schema.ts';

export interface Anonymisers {
  db: Kysely<Tables>;
  runEnds: RunEnds;
  wakeRemoval: () => void;
}

/** How often a call looks for a run that another replica has ended. */
const lookAgainMs = 1_000;

/**
 * Begins to remove a customer's details from every store, or joins an anonymisation that is under way. Resolves when a
 * run that began after the call is done, after `waitSeconds`, if given, or when the signal aborts. The removal does
 * not depend on the call: a record of the details exists from the first step to the last, so any replica continues
 * after a crash. NOT_FOUND when there is no such customer, ABORTED when its version is not `ifVersion`. Rejects with
 * the failure of a peer: then the removal is retried.
 */
export async function anonymise(
  anonymisers: Anonymisers,
  { workspaceId, id, ifVersion = null, waitSeconds, requestedBy }: AnonymiseCustomerRequest,
  signal: AbortSignal,
): Promise<AnonymiseCustomerResponse> {
  const begun = requireExisting(
    await beginAnonymisation(anonymisers.db, workspaceId, id, { ifVersion, requestedBy }),
  );
  const isDone = await waitForRounds(anonymisers, begun, waitSeconds, signal);
  return { erasureId: begun.erasureId, continues: !isDone };
}

/**
 * Deletes a customer with all that every store has about it. Waits and resumes as `anonymise` does. NOT_FOUND when
 * there is no such customer, ABORTED when its version is not `ifVersion`, UNAVAILABLE while an earlier one of this id
 * is being deleted.
 */
export async function deleteCustomer(
  anonymisers: Anonymisers,
  { workspaceId, id: customerId, ifVersion = null, waitSeconds, requestedBy }: DeleteCustomerRequest,
  signal: AbortSignal,
): Promise<DeleteCustomerResponse> {
  const begun = requireExisting(
    await beginDeletion(anonymisers.db, { workspaceId, customerId }, { ifVersion, requestedBy }),
  );
  const isDone = await waitForRounds(anonymisers, begun, waitSeconds, signal);
  return { erasureId: begun.erasureId, continues: !isDone };
}

/**
 * Begins the deletions of some customers of open links, which then continue without the call. A customer that another
 * call deletes meanwhile is not counted.
 */
export async function deleteAnonymousCustomers(
  { db, wakeRemoval }: Anonymisers,
  { workspaceId, requestedBy }: DeleteAnonymousCustomersRequest,
): Promise<DeleteAnonymousCustomersResponse> {
  const { deletedAtOnceMax } = openLinkLimits;
  const ids = await listAnonymous(db, workspaceId, deletedAtOnceMax + 1);
  let deleted = 0;
  for (const customerId of ids.slice(0, deletedAtOnceMax)) {
    const begun = await beginDeletion(db, { workspaceId, customerId }, { ifVersion: null, requestedBy });
    if (begun) deleted += 1;
  }
  wakeRemoval();
  return { deleted, hasMore: ids.length > deletedAtOnceMax };
}

function isBusy(failure: unknown): boolean {
  return failure instanceof AppError && ['resource_exhausted', 'deadline_exceeded'].includes(failure.code);
}

/** Returns whether the runs that began after the call are done, once they are or the call must not wait longer. */
async function waitForRounds(
  { db, runEnds, wakeRemoval }: Anonymisers,
  begun: Begun,
  waitSeconds: number | null | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const waitMs = (waitSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const endsAtMs = performance.now() + waitMs;
  // Before the removal starts, and before each look: no end is missed.
  const nextEnd = () => {
    const leftMs = Math.max(0, endsAtMs - performance.now());
    return runEnds.next(begun.erasureId, Math.min(leftMs, lookAgainMs), signal);
  };
  let ending = nextEnd();
  wakeRemoval();
  for (;;) {
    const { failure } = await ending;
    // A page that had to wait for other work of the workspace is retried.
    if (failure && !isBusy(failure)) throw failure;
    ending = nextEnd();
    if (await isAnonymised(db, begun)) return true;
    if (signal.aborted || performance.now() >= endsAtMs) return false;
  }
}
