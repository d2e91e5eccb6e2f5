/** Of statements, few large ones cost less: where so many results come within such a time, they are gathered. */
export const gatheringMs = 25;
const busyMin = 32;

/** How many results were recorded since a moment, by the clock of `performance`, and whether enough came before it for gathering. */
export interface Inflow {
  sinceMs: number;
  count: number;
  isBusy: boolean;
}

export const firstInflow: Inflow = { sinceMs: 0, count: 0, isBusy: false };

/** So many more were recorded by then. It is judged over no less than a gathering: a handful that comes at once is no crowd. */
export function recorded(inflow: Inflow, more: number, nowMs: number): Inflow {
  const count = inflow.count + more;
  const passedMs = nowMs - inflow.sinceMs;
  if (passedMs < gatheringMs) return { ...inflow, count };
  return { sinceMs: nowMs, count: 0, isBusy: (count * gatheringMs) / passedMs >= busyMin };
}
