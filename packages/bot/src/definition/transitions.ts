import type { Next, Step } from './format.ts';

/** The steps that may follow one step, as indexes. */
export type Transitions = {
  /**
   * Without an answer of the customer. A chat has only these: the model may end it with its first reply, or
   * fail.
   */
  immediate: number[];
  afterAnswer: number[];
  /** Whether the step is the last in the list and continues with the next one. */
  runsPastEnd: boolean;
};

/** Returns the index of each id; the first of equal ids counts. */
export function stepIndexes(steps: readonly Step[]): Map<string, number> {
  const indexes = new Map<string, number>();
  steps.forEach((step, index) => {
    if (!indexes.has(step.id)) indexes.set(step.id, index);
  });
  return indexes;
}

/** Returns the ids in `next`, `retry.goto` and `onError.goto`, with their pointers inside the step. */
export function targetsOf(step: Step): { id: string; pointer: string }[] {
  const found = 'next' in step ? nextTargets(step.next) : [];
  if (step.kind === 'ask' && step.retry?.goto !== undefined) {
    found.push({ id: step.retry.goto, pointer: '/retry/goto' });
  }
  if (step.kind === 'llm') found.push({ id: step.onError.goto, pointer: '/onError/goto' });
  return found;
}

/** Returns no arms if `next` is an id. */
export function armsOf(step: Step): Exclude<Next, string> {
  return 'next' in step && Array.isArray(step.next) ? step.next : [];
}

/** Returns the transitions of every step. Targets that do not exist are left out. */
export function outgoingTransitions(steps: readonly Step[]): Transitions[] {
  const indexes = stepIndexes(steps);
  return steps.map((step, index) => {
    const follows = step.kind !== 'end' && (!('next' in step) || step.next === undefined);
    const skips = step.when !== undefined;
    const named = targetsOf(step).flatMap(({ id }) => indexes.get(id) ?? []);
    const last = index + 1 === steps.length;
    const own = follows && !last ? [...named, index + 1] : named;
    const past = skips && !last ? [index + 1] : [];
    return {
      immediate: step.kind === 'ask' ? past : [...own, ...past],
      afterAnswer: step.kind === 'ask' ? own : [],
      runsPastEnd: last && (follows || skips),
    };
  });
}

/** Returns every index that is reachable from `from`, including `from`. */
export function reachable(transitions: readonly Transitions[], from: number): Set<number> {
  const seen = new Set([from]);
  for (const index of seen) {
    const transition = transitions[index];
    for (const next of [...(transition?.immediate ?? []), ...(transition?.afterAnswer ?? [])]) seen.add(next);
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
