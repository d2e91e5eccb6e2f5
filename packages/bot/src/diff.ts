import { type Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json-pointer';
import { validateDefinition } from './definition.ts';

/** A value that differs. It is absent where it does not exist. */
export interface ValueChange {
  /** Of the step or the bot, such as `text` or `next.0.if`. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** What differs between two definitions. */
export interface BotDiff {
  /** Of the bot itself, without its steps. */
  bot: ValueChange[];
  /** In the order of the new definition; removed ones at the end. */
  steps: { id: string; change: 'added' | 'removed' | 'changed'; values: ValueChange[] }[];
  /** Whether the steps that both have are in another order. */
  isReordered: boolean;
  /** The conditions of the new definition that can no longer be true or evaluated, with their pointers. */
  conditions: Fault[];
}

/** Returns what differs between a valid definition and another one, which may have faults. */
export function diffBots(before: unknown, after: unknown): BotDiff {
  const [old, young] = [stepsOf(before), stepsOf(after)];
  const steps: BotDiff['steps'] = [];
  for (const [id, step] of young) {
    const former = old.get(id);
    if (!former) steps.push({ id, change: 'added', values: [] });
    else {
      const values = changesIn(former, step);
      if (values.length > 0) steps.push({ id, change: 'changed', values });
    }
  }
  for (const id of old.keys()) if (!young.has(id)) steps.push({ id, change: 'removed', values: [] });
  const common = [...young.keys()].filter((id) => old.has(id));
  const formerly = [...old.keys()].filter((id) => young.has(id));
  return {
    bot: changesIn(withoutSteps(before), withoutSteps(after)),
    steps,
    isReordered: common.some((id, index) => id !== formerly[index]),
    conditions: [...faultyConditions(before, after), ...lostValues(old, after)],
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutSteps(definition: unknown): Fields {
  const { steps: _steps, $schema: _schema, ...rest } = fieldsOf(definition);
  return rest;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function stepsOf(definition: unknown): Map<string, Fields> {
  const steps = listOf(fieldsOf(definition)['steps']).map(fieldsOf);
  return new Map(steps.map((step) => [String(step['id']), step]));
}

function changesIn(before: unknown, after: unknown, path: readonly string[] = []): ValueChange[] {
  const isNested = (isFields(before) && isFields(after)) || (Array.isArray(before) && Array.isArray(after));
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

const conditionPointer = /^\/steps\/\d+\/(?:when|next\/\d+\/if)$/;

/** The faults in conditions that the old definition does not have. */
function faultyConditions(before: unknown, after: unknown): Fault[] {
  const known = new Set(faultsIn(before).map(({ detail }) => detail));
  return faultsIn(after).filter(
    ({ pointer, detail }) => conditionPointer.test(pointer) && !known.has(detail),
  );
}

function faultsIn(definition: unknown): Fault[] {
  const result = validateDefinition(definition);
  return 'faults' in result ? result.faults : result.warnings;
}

/** Conditions that compare an answer with a choice or label that it had before. */
function lostValues(old: ReadonlyMap<string, Fields>, after: unknown): Fault[] {
  const young = stepsOf(after);
  return conditionsOf(after).flatMap(({ pointer, expression }) =>
    comparisonsIn(expression).flatMap(({ name, value }) => {
      const isLost = valuesOf(old, name).has(value) && young.has(name) && !valuesOf(young, name).has(value);
      return isLost ? [{ pointer, detail: `"${value}" is no longer a value of answers.${name}` }] : [];
    }),
  );
}

function conditionsOf(definition: unknown): { pointer: string; expression: string }[] {
  return listOf(fieldsOf(definition)['steps']).flatMap((value, index) => {
    const { when, next } = fieldsOf(value);
    const arms = listOf(next).map((arm, at) => ({
      path: ['next', String(at), 'if'],
      value: fieldsOf(arm)['if'],
    }));
    return [{ path: ['when'], value: when }, ...arms].flatMap(({ path, value: expression }) =>
      typeof expression === 'string'
        ? [{ pointer: pointerTo(['steps', String(index), ...path]), expression }]
        : [],
    );
  });
}

/** Comparisons such as `answers.size == 's'` and `'ice' in answers.extras`. */
function comparisonsIn(expression: string): { name: string; value: string }[] {
  const direct = expression.matchAll(/answers\.(\w+)\s*[=!]=\s*(['"])(.*?)\2/g);
  const listed = expression.matchAll(/(['"])([^'"]*)\1\s+in\s+answers\.(\w+)/g);
  return [
    ...[...direct].map(([, name = '', , value = '']) => ({ name, value })),
    ...[...listed].map(([, , value = '', name = '']) => ({ name, value })),
  ];
}

/** The values that the answer of a step with choices or labels can have. */
function valuesOf(steps: ReadonlyMap<string, Fields>, name: string): Set<string> {
  const step = steps.get(name);
  const choices = listOf(fieldsOf(step?.['input'])['choices']).map((choice) => fieldsOf(choice)['value']);
  return new Set([...choices, ...listOf(step?.['labels'])].map(String));
}
