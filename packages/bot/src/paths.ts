import type { Next, Step } from './format.ts';

/** Where the talk may go from one step, as indexes into the steps. */
export type Ways = {
  /**
   * Without anything from the customer: from a step that does not ask, or past one that `when` leaves out. A chat is such a
   * step, since the model may end it with its first words, or fail.
   */
  passing: number[];
  /** After the customer's answer. */
  answered: number[];
  /** Whether the step can be the last in the list and yet be followed by the next. */
  runsOut: boolean;
};

/** Where each id stands; the first of equal ones. */
export function stepIndexes(steps: readonly Step[]): Map<string, number> {
  const indexes = new Map<string, number>();
  steps.forEach((step, index) => {
    if (!indexes.has(step.id)) indexes.set(step.id, index);
  });
  return indexes;
}

/** The ids that a step may go to by its `next`, `retry.goto` and `onError.goto`, each with its pointer inside the step. */
export function targets(step: Step): { id: string; pointer: string }[] {
  const found = 'next' in step ? nextTargets(step.next) : [];
  if (step.kind === 'ask' && step.retry?.goto !== undefined) {
    found.push({ id: step.retry.goto, pointer: '/retry/goto' });
  }
  if (step.kind === 'llm') found.push({ id: step.onError.goto, pointer: '/onError/goto' });
  return found;
}

/** The ways on from every step. Targets that do not exist are left out. */
export function waysOn(steps: readonly Step[]): Ways[] {
  const indexes = stepIndexes(steps);
  return steps.map((step, index) => {
    const follows = step.kind !== 'end' && (!('next' in step) || step.next === undefined);
    const skips = step.when !== undefined;
    const named = targets(step).flatMap(({ id }) => indexes.get(id) ?? []);
    const last = index + 1 === steps.length;
    const own = follows && !last ? [...named, index + 1] : named;
    const past = skips && !last ? [index + 1] : [];
    return {
      passing: step.kind === 'ask' ? past : [...own, ...past],
      answered: step.kind === 'ask' ? own : [],
      runsOut: last && (follows || skips),
    };
  });
}

/** Every index that can be reached from `from`, itself included. */
export function reachable(ways: readonly Ways[], from: number): Set<number> {
  const seen = new Set([from]);
  for (const index of seen) {
    const way = ways[index];
    for (const next of [...(way?.passing ?? []), ...(way?.answered ?? [])]) seen.add(next);
  }
  return seen;
}

function nextTargets(next: Next | undefined): { id: string; pointer: string }[] {
  if (next === undefined) return [];
  if (typeof next === 'string') return [{ id: next, pointer: '/next' }];
  return next.map((arm, index) =>
    'else' in arm
      ? { id: arm.else, pointer: `/next/${index}/else` }
      : { id: arm.goto, pointer: `/next/${index}/goto` },
  );
}
