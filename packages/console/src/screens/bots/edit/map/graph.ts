import type { Step } from '@parley/bot/format';
import { stepsReached, type StepWay, waysFrom } from '@parley/bot/outline';
import { isJsonObject } from '@parley/runtime/json/json-object';
import type { Mark } from '../check.ts';
import { readWays, writeWays } from '../steps/conditions/ways.ts';
import { messageName } from '../steps/faults/advice.ts';
import { keysOf, textIn } from '../steps/fields/step-list.ts';

/** A way between two steps, which are named by their indexes. */
export interface Way extends Pick<StepWay, 'kind' | 'condition'> {
  from: number;
  to: number;
}

/** The ways of a list of steps, and which of the steps a conversation can come to. */
export interface Graph {
  ways: Way[];
  isReached: boolean[];
}

/** Reads steps that may have faults. A way to a step that does not exist is left out. */
export function graphOf(steps: readonly Record<string, unknown>[]): Graph {
  const keys = keysOf(steps);
  const sound = steps.map((step, index) => soundStep(step, keys[index] ?? ''));
  const places = new Map(keys.map((key, index) => [key, index]));
  const ways = sound.flatMap((step, from) =>
    waysFrom(step, keys[from + 1]).flatMap(({ to, kind, condition }): Way[] => {
      const place = places.get(to);
      return place === undefined ? [] : [{ from, to: place, kind, condition }];
    }),
  );
  const reached = stepsReached(sound);
  return { ways, isReached: steps.map((_, index) => reached.has(index)) };
}

/** Returns what a step says about its ways, under a key that no other step has. */
function soundStep(step: Record<string, unknown>, id: string): Step {
  const { kind, next, when } = step;
  const { arms, otherwise } = readWays(kind === 'end' ? undefined : next);
  const ways = writeWays(
    {
      arms: arms.map(({ condition, goto }) => ({ condition, goto: keyOf(goto) })),
      otherwise: otherwise === undefined ? undefined : keyOf(otherwise),
    },
    Array.isArray(next),
  );
  const sound = {
    id,
    kind,
    ...(ways !== undefined && { next: ways }),
    ...(typeof when === 'string' && { when }),
    ...(kind === 'ask' && { retry: { goto: gotoIn(step['retry']) } }),
    ...(kind === 'llm' && { onError: { goto: gotoIn(step['onError']) } }),
  };
  return sound as Step;
}

function gotoIn(value: unknown): string {
  return isJsonObject(value) ? keyOf(textIn(value, 'goto')) : '';
}

/** Returns the key of the first step with an id, to which ways lead; nothing for no id. */
function keyOf(id: string): string {
  return id === '' ? '' : (keysOf([{ id }])[0] ?? '');
}

/** Names the ways between two steps by their ids. */
export function wayKey(from: string, to: string): string {
  return `${from}/${to}`;
}

/** Returns the marks of a step that say something else than that no conversation comes to it. */
export function marksBesideReach(marks: readonly Mark[]): Mark[] {
  return marks.filter(({ message }) => !['noWay', 'neverTaken'].includes(messageName(message) ?? ''));
}
