import type { Definition, Step } from '../../data/bots.ts';

/** What has become of a step, or of a field of the definition itself. */
export interface Change {
  kind: 'added' | 'removed' | 'changed' | 'moved';
  /** The id of the step, or the name of the field. */
  name: string;
  isStep: boolean;
  /** Where the step was, and where it is, from 1. */
  places?: [number, number];
  fields: { name: string; before: string | undefined; after: string | undefined }[];
}

/** Returns the differences of two definitions: fields of the bot first, then steps in the order of `after`. */
export function changesBetween(before: Definition, after: Definition): Change[] {
  const { steps: stepsBefore, ...bot } = before;
  const { steps: stepsAfter, ...botAfter } = after;
  const own = fieldsBetween(bot, botAfter).map(
    (field): Change => ({ kind: 'changed', name: field.name, isStep: false, fields: [field] }),
  );
  return [...own, ...stepChanges(stepsBefore, stepsAfter)];
}

function stepChanges(before: Step[], after: Step[]): Change[] {
  const former = new Map(before.map((step, index) => [step.id, { step, index }]));
  const kept = new Set(after.map(({ id }) => id));
  const order = before.filter(({ id }) => kept.has(id)).map(({ id }) => id);
  const orderAfter = after.filter(({ id }) => former.has(id)).map(({ id }) => id);
  const found = after.flatMap((step, index): Change[] => {
    const was = former.get(step.id);
    const fields = fieldsBetween(was?.step ?? {}, step);
    if (!was) return [{ kind: 'added', name: step.id, isStep: true, fields }];
    const places: [number, number] = [was.index + 1, index + 1];
    const isMoved = order.indexOf(step.id) !== orderAfter.indexOf(step.id);
    if (fields.length > 0) return [{ kind: 'changed', name: step.id, isStep: true, places, fields }];
    return isMoved ? [{ kind: 'moved', name: step.id, isStep: true, places, fields }] : [];
  });
  const removed = before
    .filter(({ id }) => !kept.has(id))
    .map(
      (step): Change => ({ kind: 'removed', name: step.id, isStep: true, fields: fieldsBetween(step, {}) }),
    );
  return [...found, ...removed];
}

function fieldsBetween(before: object, after: object): Change['fields'] {
  const [left, right] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [one, other] = [textOf(left?.[name]), textOf(right?.[name])];
    return one === other ? [] : [{ name, before: one, after: other }];
  });
}

function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
