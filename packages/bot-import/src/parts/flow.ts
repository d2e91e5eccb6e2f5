import type { LocalText, Step } from '@parley/bot/format';
import { outlineOf } from '@parley/bot/outline';
import type { Report } from '../report/report.ts';
import { any, bare, expressionCharsMax } from './expressions.ts';
import type { Namer } from './names.ts';
import type { Source } from './source.ts';

/** A way on: alternatives of which one must hold, and the label where it leads. */
export type Way = { anyOf: string[]; to: string; source: Source };

type Arms = { anyOf: string[]; to: string }[];

type Placed = { step: Step; source: Source; to?: string; arms?: Arms };

/** The label of the end of a conversation that has no words. */
export const endLabel = 'end';

const armsMax = 19;

/** Builds the steps of a bot in their order, with ways to labels: places that may not have a step yet. */
export type Flow = {
  /** Gives the next step that is added a label. */
  mark(label: string): void;
  /** Adds a step, which continues with the next one that is added. */
  add(step: Step, source: Source): void;
  /** Removes the last step and returns it, if it is a text after which only the next step that is added can come. */
  takeText(): { id: string; text: LocalText } | undefined;
  /** Makes the conversation continue at a label. */
  goTo(label: string, source: Source): void;
  /** Makes it continue where the first of the ways leads that holds, else with the next step that is added. */
  branch(ways: readonly Way[], source: Source): void;
  /** Adds a step that is left out unless the condition holds, if the condition is not too long. */
  addIf(condition: string | undefined, step: Step, source: Source): void;
  /** Returns the steps, without those to which no way leads. */
  finish(locale: string): Step[];
};

export function newFlow(nameStep: Namer, report: Report): Flow {
  const placed: Placed[] = [];
  const places = new Map<string, number>();
  const aliases = new Map<string, string>();
  let pending: string[] = [];
  let isOpen = true;

  const put = (one: Placed): void => {
    for (const label of pending) places.set(label, placed.length);
    pending = [];
    placed.push(one);
    isOpen = one.step.kind !== 'end' && one.to === undefined;
  };
  /** Returns the last step if it continues here, and nothing else does. */
  const lastOpen = (): Placed | undefined => {
    const last = placed.at(-1);
    const isFree =
      isOpen && pending.length === 0 && last?.arms === undefined && last?.step.when === undefined;
    return isFree ? last : undefined;
  };
  const branchStep = (source: Source, arms: Arms, to?: string): Placed => ({
    step: { id: nameStep('way', 'way'), kind: 'branch', next: [{ else: endLabel }] },
    source,
    arms,
    ...(to !== undefined && { to }),
  });
  const armsOf = (ways: readonly Way[]): Arms =>
    ways.flatMap(({ anyOf, to, source }) =>
      shortConditions(anyOf, source, report).map((condition) => ({ anyOf: [condition], to })),
    );

  return {
    mark: (label) => void pending.push(label),
    add: (step, source) => put({ step, source }),
    takeText() {
      const last = lastOpen();
      if (last?.step.kind !== 'say') return undefined;
      // The next step takes its place, and with it its labels.
      placed.pop();
      return last.step;
    },
    goTo(label, source) {
      const last = placed.at(-1);
      if (last === undefined && pending.length === 0) placed.push(branchStep(source, [], label));
      else if (isOpen && last?.step.when === undefined && last !== undefined) last.to = label;
      else if (isOpen && last !== undefined) placed.push(branchStep(source, [], label));
      for (const one of pending) aliases.set(one, label);
      pending = [];
      isOpen = false;
    },
    branch(ways, source) {
      const arms = armsOf(ways);
      for (let from = 0; from < arms.length; from += armsMax) {
        const some = arms.slice(from, from + armsMax);
        const last = lastOpen();
        if (last !== undefined && last.step.kind !== 'branch') last.arms = some;
        else put(branchStep(source, some));
      }
    },
    addIf(condition, step, source) {
      if (condition === undefined) return put({ step, source });
      const [when] = shortConditions([condition], source, report);
      if (when !== undefined) put({ step: { ...step, when }, source });
    },
    finish(locale) {
      const end: Step = { id: nameStep('end', 'end'), kind: 'end' };
      return reached([...linked(placed, places, aliases, end.id), end], locale, (id) => {
        const one = placed.find(({ step }) => step.id === id);
        if (one !== undefined) report.dropped(one.source, 'unreached', { id });
      });
    },
  };
}

/** Returns the conditions of an expression's length: the alternatives together, else each that is short enough. */
function shortConditions(anyOf: readonly string[], source: Source, report: Report): string[] {
  const whole = any(anyOf);
  if (whole !== undefined && bare(whole).length <= expressionCharsMax) return [bare(whole)];
  const short = anyOf.map(bare).filter((condition) => condition.length <= expressionCharsMax);
  if (short.length < anyOf.length) report.dropped(source, 'condition-too-long');
  return short;
}

/** Returns the steps with the ids to which their labels lead. A label without a step leads to the end. */
function linked(
  placed: readonly Placed[],
  places: ReadonlyMap<string, number>,
  aliases: ReadonlyMap<string, string>,
  endId: string,
): Step[] {
  const idAt = (index: number): string => placed[index]?.step.id ?? endId;
  const idOf = (label: string): string => {
    let at = label;
    for (let left = aliases.size; left > 0 && !places.has(at); left -= 1) at = aliases.get(at) ?? at;
    return idAt(places.get(at) ?? placed.length);
  };
  return placed.map(({ step, to, arms }, index): Step => {
    const following = idAt(index + 1);
    const onward = to === undefined ? following : idOf(to);
    if (step.kind === 'end') return step;
    if (arms !== undefined && (arms.length > 0 || step.kind === 'branch')) {
      const next = arms.map(({ anyOf, to: label }) => ({ if: anyOf[0] ?? 'false', goto: idOf(label) }));
      return { ...step, next: [...next, { else: onward }] };
    }
    if (to === undefined || onward === following || step.kind === 'branch') return step;
    return { ...step, next: onward };
  });
}

/** Returns the steps to which a way leads, and reports the others. */
function reached(steps: Step[], locale: string, left: (id: string) => void): Step[] {
  const outline = outlineOf({ steps, locale });
  const lost = new Set(outline.filter(({ isReached }) => !isReached).map(({ id }) => id));
  for (const id of lost) left(id);
  return steps
    .filter(({ id }) => !lost.has(id))
    .map((step, index, kept) => withoutNeedlessNext(step, kept[index + 1]));
}

function withoutNeedlessNext(step: Step, following: Step | undefined): Step {
  if (!('next' in step) || step.kind === 'branch' || typeof step.next !== 'string') return step;
  if (step.next !== following?.id) return step;
  const { next: _next, ...rest } = step;
  return rest;
}
