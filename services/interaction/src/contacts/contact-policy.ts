import type { ContactLimit, ContactPolicy } from '@parley/contracts/interaction/v1/contact';

/** The limits of a workspace: null for none. */
export interface Limits {
  anyBot: ContactLimit | null;
  sameBot: ContactLimit | null;
}

/** When a customer was offered an interaction, and of which bot. */
export interface Contact {
  botId: string;
  at: Date;
}

const dayMs = 86_400_000;

export function limitsOf({ anyBot, sameBot }: Partial<ContactPolicy>): Limits {
  return { anyBot: anyBot ?? null, sameBot: sameBot ?? null };
}

export function isLimiting({ anyBot, sameBot }: Limits): boolean {
  return anyBot !== null || sameBot !== null;
}

/** Returns the number of days whose contacts count. */
export function daysCounted({ anyBot, sameBot }: Limits): number {
  return Math.max(anyBot?.days ?? 0, sameBot?.days ?? 0);
}

/**
 * Returns from when the customer may be offered an interaction of the bot; null for now. `contacts` has the
 * contacts of the days that count, in any order. Without a bot, only the limit of all bots counts.
 */
export function retryAt(
  { anyBot, sameBot }: Limits,
  contacts: readonly Contact[],
  botId: string | undefined,
  now: Date,
): Date | null {
  const ofBot = contacts.filter((one) => one.botId === botId);
  const ends = [endOf(anyBot, contacts, now), botId === undefined ? null : endOf(sameBot, ofBot, now)];
  const latestMs = Math.max(...ends.map((at) => at?.getTime() ?? 0));
  return latestMs > 0 ? new Date(latestMs) : null;
}

/** Returns when so many contacts are in the past that the limit allows another one; null for now. */
function endOf(limit: ContactLimit | null, contacts: readonly Contact[], now: Date): Date | null {
  if (!limit) return null;
  const endsMs = contacts
    .map(({ at }) => at.getTime() + limit.days * dayMs)
    .filter((endMs) => endMs > now.getTime())
    .toSorted((one, other) => other - one);
  const endMs = endsMs[limit.count - 1];
  return endMs === undefined ? null : new Date(endMs);
}
