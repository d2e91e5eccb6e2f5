import { type Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json/json-pointer';
import { type Changes, changesBetween, type Fields, fieldsOf, listOf, stepsOf } from './changes.ts';
import { validateDefinition } from '../validation/definition.ts';

export interface BotDiff extends Changes {
  /** Whether the steps that both have are in another order. */
  isReordered: boolean;
  /** The conditions of the new definition that can no longer be true or evaluated, with their pointers. */
  conditions: Fault[];
}

/** Returns what differs between a valid definition and another one, which may have faults. */
export function diffBots(before: unknown, after: unknown): BotDiff {
  const changes = changesBetween(before, after);
  const lost = lostValues(stepsOf(before), after);
  // A warning says of these that they never hold.
  const others = faultyConditions(before, after).filter((fault) =>
    lost.every(({ pointer }) => pointer !== fault.pointer),
  );
  return {
    ...changes,
    isReordered: changes.steps.some(({ places }) => places !== undefined),
    conditions: [...others, ...lost],
  };
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
