import { instant, type Presence } from '@parley/client';

/** Somebody else, or another tab of the same person. */
export interface Other {
  /** Undefined: the person of this tab. */
  personId: string | undefined;
  since: Date;
}

/** Returns who has the editor open beside this tab, each once: the first to come in front, the person itself last. */
export function othersHere(
  presences: readonly Presence[],
  own: { presenceId: string; personId: string | undefined },
): Other[] {
  const since = new Map<string, Date>();
  for (const { id, personId, openedAt } of presences) {
    const at = instant(openedAt);
    const first = since.get(personId);
    if (id !== own.presenceId && (first === undefined || at < first)) since.set(personId, at);
  }
  const isOwn = (personId: string): boolean => personId === own.personId;
  return [...since]
    .toSorted(([one, at], [other, otherAt]) => Number(isOwn(one)) - Number(isOwn(other)) || +at - +otherAt)
    .map(([personId, at]) => ({ personId: isOwn(personId) ? undefined : personId, since: at }));
}

/** After so long, a tab that nobody looks at does not count as open. */
const hiddenMsMax = 4 * 60_000;

/** Returns whether nobody has looked at a page for so long that it does not count as open. */
export function isForgotten(hiddenAtMs: number | undefined, nowMs: number): boolean {
  return hiddenAtMs !== undefined && nowMs - hiddenAtMs > hiddenMsMax;
}
