import type { Changes, StepChange, ValueChange } from '@parley/bot/changes';
import type { Known, Replays } from '@parley/client';

export interface DifferenceRow extends Omit<StepChange, 'id'> {
  /** Undefined: the bot itself. */
  stepId: string | undefined;
  values: ValueChange[];
}

/** Returns what differs in two definitions: the bot itself, then its steps. */
export function differenceRows({ bot, steps }: Changes): DifferenceRow[] {
  const rows = steps.map(({ id, ...step }): DifferenceRow => ({ stepId: id, ...step }));
  return bot.length > 0 ? [{ stepId: undefined, change: 'changed', values: bot }, ...rows] : rows;
}

export function movedWords(before: number, after: number): string {
  return `from place ${before} to ${after}`;
}

type Course = Replays['differences'][number]['before'];

/** How a conversation ends without an end step. */
export interface EndWords {
  closed: string;
  stopped: Record<Known<NonNullable<Course['stopped']>['reason']>, string>;
}

/** Returns the steps of a conversation, and how it ends. */
export function wayOf({ stepIds, endStepId, stopped }: Course, words: EndWords): string[] {
  const why: Partial<Record<string, string>> = words.stopped;
  return [...stepIds, stopped ? (why[stopped.reason] ?? stopped.reason) : (endStepId ?? words.closed)];
}
