import { isJsonObject } from '@parley/runtime/json/json-object';

// Without the validator, which is large: the console shows changes before it has loaded that.

/** A value that differs. It is absent where it does not exist. */
export interface ValueChange {
  /** Of the step or the bot, such as `text` or `next.0.if`. */
  path: string;
  before?: unknown;
  after?: unknown;
}

export interface StepChange {
  id: string;
  change: 'added' | 'removed' | 'changed' | 'moved';
  /** Each member of a step that only one of the definitions has. Empty if the step has only moved. */
  values: ValueChange[];
  /** Where a step was and is, from 1, if its place among the steps of both definitions has changed. */
  places?: [before: number, after: number];
}

export interface Changes {
  /** Of the bot itself, without its steps. */
  bot: ValueChange[];
  /** In the order of the new definition; removed ones at the end. */
  steps: StepChange[];
}

/** Returns what differs between two definitions, which may have faults. */
export function changesBetween(before: unknown, after: unknown): Changes {
  const [old, young] = [stepsOf(before), stepsOf(after)];
  const [places, formerPlaces] = [[...young.keys()], [...old.keys()]];
  const common = places.filter((id) => old.has(id));
  const formerly = formerPlaces.filter((id) => young.has(id));
  const steps = [...young].flatMap(([id, step]): StepChange[] => {
    const former = old.get(id);
    if (!former) return [{ id, change: 'added', values: changesIn({}, step) }];
    const values = changesIn(former, step);
    const isMoved = common.indexOf(id) !== formerly.indexOf(id);
    if (!isMoved && values.length === 0) return [];
    const change = values.length > 0 ? 'changed' : 'moved';
    const moved = { places: [formerPlaces.indexOf(id) + 1, places.indexOf(id) + 1] as [number, number] };
    return [{ id, change, values, ...(isMoved && moved) }];
  });
  const removed = [...old].flatMap(([id, step]): StepChange[] =>
    young.has(id) ? [] : [{ id, change: 'removed', values: changesIn(step, {}) }],
  );
  return { bot: changesIn(withoutSteps(before), withoutSteps(after)), steps: [...steps, ...removed] };
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns no members unless the value is an object. */
export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function withoutSteps(definition: unknown): Fields {
  const { steps: _steps, $schema: _schema, ...rest } = fieldsOf(definition);
  return rest;
}

/** Returns no items unless the value is an array. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stepsOf(definition: unknown): Map<string, Fields> {
  const steps = listOf(fieldsOf(definition)['steps']).map(fieldsOf);
  // Marks of translations change only with texts.
  return new Map(steps.map(({ translated: _marks, ...step }) => [String(step['id']), step]));
}

function changesIn(before: unknown, after: unknown, path: readonly string[] = []): ValueChange[] {
  const isNested =
    (isJsonObject(before) && isJsonObject(after)) || (Array.isArray(before) && Array.isArray(after));
  if (isNested) {
    const [old, young] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    const names = new Set([...old.keys(), ...young.keys()]);
    return [...names].flatMap((name) => changesIn(old.get(name), young.get(name), [...path, name]));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [
    {
      path: path.join('.'),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    },
  ];
}
