import type { Fault } from '@parley/runtime/errors';
import type { BotDefinition } from '../definition/format.ts';
import { expressionsOf } from '../definition/expressions.ts';
import type { CelExpressions } from '../expressions/cel.ts';
import { placeIn } from '../expressions/cel-faults.ts';
import { outputsOf } from '../plan/outputs.ts';
import { type InputRule, typeOf } from '../questions/types.ts';

/**
 * Returns a warning for each comparison of an answer that is chosen, or of a label of a model, with a text that is none
 * of its values. No fault: definitions of earlier releases have such comparisons.
 */
export function comparisonWarnings({ steps }: BotDefinition, expressions: CelExpressions): Fault[] {
  const rules = new Map(
    steps
      .flatMap(outputsOf)
      .flatMap(({ name, rule }): [string, InputRule][] =>
        name === undefined ? [] : [[`answers.${name}`, rule]],
      ),
  );
  return steps.flatMap((step, index) =>
    expressionsOf(step).flatMap(({ pointer, expression }) =>
      expressions.comparedTexts(expression).flatMap(({ field, how, text, start }) => {
        const rule = rules.get(field);
        if (!rule || how !== '==' || mayBe(rule, text)) return [];
        const detail = `${field} is never ${JSON.stringify(text)}${placeIn(expression, start)}.`;
        return [{ pointer: `/steps/${index}${pointer}`, detail }];
      }),
    ),
  );
}

function mayBe(rule: InputRule, text: string): boolean {
  const { effort, countableValues } = typeOf(rule);
  return effort !== 'press' || countableValues(rule).includes(text);
}
