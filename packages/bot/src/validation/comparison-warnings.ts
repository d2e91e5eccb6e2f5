import type { BotDefinition } from '../definition/format.ts';
import { expressionsOf } from '../definition/expressions.ts';
import type { CelExpressions } from '../expressions/cel.ts';
import { placeIn } from '../expressions/cel-faults.ts';
import { outputsOf } from '../plan/outputs.ts';
import { type InputRule, typeOf } from '../questions/types.ts';
import { type MessageFault, messages } from '../text/messages.ts';

/**
 * Returns a warning for each comparison of an answer that is chosen, or of a label of a model, with a text that is none
 * of its values: at most `most`. No fault: definitions of earlier releases have such comparisons.
 */
export function comparisonWarnings(
  { steps }: BotDefinition,
  expressions: CelExpressions,
  most: number,
): MessageFault[] {
  const rules = new Map(
    steps
      .flatMap(outputsOf)
      .flatMap(({ name, rule }): [string, InputRule][] =>
        name === undefined ? [] : [[`answers.${name}`, rule]],
      ),
  );
  const found: MessageFault[] = [];
  for (const [index, step] of steps.entries()) {
    for (const { pointer, expression } of expressionsOf(step)) {
      for (const { field, how, text, start } of expressions.comparedTexts(expression)) {
        if (found.length >= most) return found;
        const rule = rules.get(field);
        if (!rule || how !== '==' || mayBe(rule, text)) continue;
        const detail = messages.never(field, `${JSON.stringify(text)}${placeIn(expression, start)}`);
        found.push({ pointer: `/steps/${index}${pointer}`, detail });
      }
    }
  }
  return found;
}

function mayBe(rule: InputRule, text: string): boolean {
  const { effort, countableValues } = typeOf(rule);
  return effort !== 'press' || countableValues(rule).includes(text);
}
