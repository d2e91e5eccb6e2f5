import { apiTimestamp } from '@parley/contracts/interaction-resource';
import { AppError } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { refusedOffers } from '../metrics.ts';
import type { Status, Tables } from '../schema.ts';
import { type Contact, type Limits, retryAt } from './contact-policy.ts';
import { listContacts, lockContacts } from './contact-store.ts';

/** An offer in a workspace with a contact policy. */
export interface Offer {
  customerId: string;
  botId: string;
  offeredAt: Date;
  limits: Limits;
  /** It is allowed in any case, and counts for others. */
  isForced: boolean;
}

/** Returns whether an interaction of this status counts as offered. */
export function isOffered(status: Status): boolean {
  return status === 'Pending' || status === 'InProgress';
}

/** Returns when an interaction is offered that is available from then on. */
export function offeredFrom(availableFrom: Date | null, now: Date): Date {
  return availableFrom && availableFrom > now ? availableFrom : now;
}

interface Among {
  workspaceId: string;
  /** The id of an interaction that does not count. */
  except?: string;
}

/**
 * As `judgeOffers`, in the transaction that writes them: until its end, no other offer to these customers is decided.
 */
export async function decideOffers(
  trx: Kysely<Tables>,
  among: Among,
  offers: readonly Offer[],
  pointer?: string,
): Promise<(AppError | undefined)[]> {
  await lockContacts(trx, among.workspaceId, customersOf(offers));
  return judgeOffers(trx, among, offers, pointer);
}

/**
 * Judges offers of one workspace in their order, as if each had come alone: one that is allowed counts for those behind
 * it. Returns the error of each, or undefined. Others may offer meanwhile.
 */
export async function judgeOffers(
  db: Kysely<Tables>,
  among: Among,
  offers: readonly Offer[],
  pointer = '/customerId',
): Promise<(AppError | undefined)[]> {
  const [first] = offers;
  if (!first) return [];
  const contacts = await listContacts(db, among, customersOf(offers), first.limits);
  const now = new Date();
  return offers.map(({ customerId, botId, offeredAt, limits, isForced }) => {
    const known: Contact[] = contacts.get(customerId) ?? [];
    const allowedAt = isForced ? null : retryAt(limits, known, botId, now);
    if (allowedAt) return contactLimit(allowedAt, pointer);
    contacts.set(customerId, [...known, { botId, at: offeredAt }]);
    return undefined;
  });
}

function customersOf(offers: readonly Offer[]): string[] {
  return [...new Set(offers.map(({ customerId }) => customerId))];
}

function contactLimit(at: Date, pointer: string): AppError {
  refusedOffers.add({});
  const instant = apiTimestamp(at);
  const detail = `The contact policy allows no further interaction of this customer before ${instant} (UTC)`;
  const faults = [{ pointer, detail: `Is allowed again at ${instant} (UTC)`, retryAt: instant }];
  return new AppError('failed_precondition', 'contact-limit', detail, { faults });
}
