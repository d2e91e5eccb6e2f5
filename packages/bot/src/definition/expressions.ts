import type { Step } from './format.ts';
import { armsOf } from './transitions.ts';

export type Expression = { pointer: string; expression: string; wanted: 'condition' | 'value' };

/** `when` comes first. */
export function expressionsOf(step: Step): Expression[] {
  const found: Expression[] = [];
  if (step.when !== undefined) found.push({ pointer: '/when', expression: step.when, wanted: 'condition' });
  if (step.kind === 'set') {
    for (const [key, expression] of Object.entries(step.evaluation)) {
      found.push({ pointer: `/evaluation/${key}`, expression, wanted: 'value' });
    }
  }
  armsOf(step).forEach((arm, index) => {
    if ('if' in arm) found.push({ pointer: `/next/${index}/if`, expression: arm.if, wanted: 'condition' });
  });
  return found;
}

/** Returns the characters of all expressions, which decide the memory of a plan. */
export function expressionCharacters(steps: readonly Step[]): number {
  let characters = 0;
  for (const step of steps) for (const { expression } of expressionsOf(step)) characters += expression.length;
  return characters;
}
