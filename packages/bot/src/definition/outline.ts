import type { BotDefinition, Step } from './format.ts';
import { localText, shorten } from '../text/template.ts';
import { outgoingTransitions, reachable } from './transitions.ts';

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
  const ways = steps.map((step, index) => waysFrom(step, steps[index + 1]?.id));
  const reached = reachable(outgoingTransitions(steps.map(withoutDeadArms)), 0);
  return steps.map((step, index) => ({
    id: step.id,
    kind: step.kind,
    text: shorten(textOf(step, locale).replaceAll(/\s+/g, ' '), textCharsMax),
    from: steps.flatMap(({ id }, from) => (ways[from]?.some(({ to }) => to === step.id) ? [id] : [])),
    ways: ways[index] ?? [],
    isReached: reached.has(index),
  }));
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

function waysFrom(step: Step, following: string | undefined): OutlineStep['ways'] {
  const ways: OutlineStep['ways'] = [];
  const next = 'next' in step ? step.next : undefined;
  if (Array.isArray(next)) {
    for (const arm of next) {
      ways.push('if' in arm ? { to: arm.goto, when: `if ${arm.if}` } : { to: arm.else, when: 'else' });
    }
  } else if (next !== undefined) ways.push({ to: next, when: '' });
  else if (step.kind !== 'end' && following !== undefined) ways.push({ to: following, when: '' });
  if (step.kind === 'ask' && step.retry?.goto !== undefined) {
    ways.push({ to: step.retry.goto, when: 'without a valid answer' });
  }
  if (step.kind === 'llm') ways.push({ to: step.onError.goto, when: 'without an answer of the model' });
  if (step.when !== undefined && following !== undefined) {
    ways.push({ to: following, when: `unless ${step.when}` });
  }
  return ways;
}

function textOf(step: Step, locale: string): string {
  if (step.kind === 'llm') return `${step.mode}: ${step.prompt}`;
  if (step.kind === 'set') return Object.keys(step.evaluation).join(', ');
  return 'text' in step && step.text !== undefined ? localText(step.text, locale, locale) : '';
}
