import type { BotDefinition, Step } from './format.ts';
import { localText, shorten } from '../text/template.ts';
import { outgoingTransitions, reachable } from './transitions.ts';

/** A way from a step to another one. */
export type StepWay = {
  /** The id of the other step. */
  to: string;
  /**
   * When it is taken. `next`: always. `if`, `else`: as the arm says. `skip`: the step is left out. `invalid`: the
   * customer has given no valid answer. `failed`: the model has given none.
   */
  kind: 'next' | 'if' | 'else' | 'skip' | 'invalid' | 'failed';
  /** The expression of `if`, and of a step that is left out unless it holds. Else empty. */
  condition: string;
};

export type OutlineStep = {
  id: string;
  kind: Step['kind'];
  /** What it says or does, in one line of at most 80 characters. */
  text: string;
  /** The ids of the steps that lead to it, in the order of the list; none for the first step. */
  from: string[];
  /** What follows, and when: empty for always. */
  ways: { to: string; when: string }[];
  isReached: boolean;
};

const textCharsMax = 80;

/** Returns the steps of a bot with the ways between them, in the order of the list. */
export function outlineOf({ steps, locale = 'en' }: Pick<BotDefinition, 'steps' | 'locale'>): OutlineStep[] {
  const ways = steps.map((step, index) =>
    waysFrom(step, steps[index + 1]?.id).map((way) => ({ to: way.to, when: whenWords(way) })),
  );
  const reached = stepsReached(steps);
  return steps.map((step, index) => ({
    id: step.id,
    kind: step.kind,
    text: shorten(textOf(step, locale).replaceAll(/\s+/g, ' '), textCharsMax),
    from: steps.flatMap(({ id }, from) => (ways[from]?.some(({ to }) => to === step.id) ? [id] : [])),
    ways: ways[index] ?? [],
    isReached: reached.has(index),
  }));
}

/** Returns the indexes of the steps to which some conversation can come. */
export function stepsReached(steps: readonly Step[]): Set<number> {
  return reachable(outgoingTransitions(steps.map(withoutDeadArms)), 0);
}

/** Returns the step without arms that are never taken: `false`, and arms that an earlier one leaves nothing. */
function withoutDeadArms(step: Step): Step {
  if (!('next' in step) || !Array.isArray(step.next)) return step;
  const conditions = step.next.map((arm) => ('if' in arm ? arm.if.trim() : 'true'));
  const always = conditions.indexOf('true');
  const next = step.next.filter(
    (_, index) =>
      index <= always &&
      conditions[index] !== 'false' &&
      conditions.indexOf(conditions[index] ?? '') === index,
  );
  return { ...step, next };
}

/** Returns the ways from a step. `following` is the id of the next step in the list. */
export function waysFrom(step: Step, following: string | undefined): StepWay[] {
  const ways: StepWay[] = [];
  const add = (to: string, kind: StepWay['kind'], condition = ''): void =>
    void ways.push({ to, kind, condition });
  const next = 'next' in step ? step.next : undefined;
  if (Array.isArray(next)) {
    for (const arm of next) {
      if ('if' in arm) add(arm.goto, 'if', arm.if);
      else add(arm.else, 'else');
    }
  } else if (next !== undefined) add(next, 'next');
  else if (step.kind !== 'end' && following !== undefined) add(following, 'next');
  if (step.kind === 'ask' && step.retry?.goto !== undefined) add(step.retry.goto, 'invalid');
  if (step.kind === 'llm') add(step.onError.goto, 'failed');
  if (step.when !== undefined && following !== undefined) add(following, 'skip', step.when);
  return ways;
}

function whenWords({ kind, condition }: StepWay): string {
  const words = {
    next: '',
    if: `if ${condition}`,
    else: 'else',
    skip: `unless ${condition}`,
    invalid: 'without a valid answer',
    failed: 'without an answer of the model',
  };
  return words[kind];
}

function textOf(step: Step, locale: string): string {
  if (step.kind === 'llm') return `${step.mode}: ${step.prompt}`;
  if (step.kind === 'set') return Object.keys(step.evaluation).join(', ');
  return 'text' in step && step.text !== undefined ? localText(step.text, locale, locale) : '';
}
