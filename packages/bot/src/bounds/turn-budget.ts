/**
 * The most work of all expressions in one turn, in units of about a nanosecond. One turn holds the event loop of all
 * tenants for about 10 ms then.
 */
export const turnUnitsMax = 10_000_000;

/** The most steps that may run between two answers: a bot must not run for ever. */
export const stepsPerTurnMax = 100;

export type TurnBudget = { unitsLeft: number };

export function newTurnBudget(): TurnBudget {
  return { unitsLeft: turnUnitsMax };
}

/** Takes work from the budget. Returns false if it does not suffice, and from then on. */
export function spendUnits(budget: TurnBudget, units: number): boolean {
  budget.unitsLeft -= units;
  return budget.unitsLeft >= 0;
}
