import { type CelExpressions, celExpressions } from '../expressions/cel.ts';
import type { CelType } from '../expressions/cel-types.ts';
import { customerFields } from './conversation.ts';

/**
 * Returns what a definition's expressions may name: answers by name and type (`order.size` is the field `size` of
 * `order`), context properties, the customer's fields, the answers with own words (`others`), and evaluation keys,
 * which are `undefined` if they could not be read. Checks and the engine share it.
 */
export function conversationExpressions(
  answers: Iterable<[name: string, type: CelType]>,
  context: readonly string[],
  others: readonly string[],
  evaluation: readonly string[] | undefined,
): CelExpressions {
  return celExpressions({
    answers: nested(answers),
    context: strings(context),
    customer: strings(customerFields),
    ...(others.length > 0 && { others: nested(others.map((name) => [name, 'string'])) }),
    evaluation: evaluation === undefined ? 'dyn' : strings(evaluation),
  });
}

function nested(
  answers: Iterable<[name: string, type: CelType]>,
): Record<string, CelType | Record<string, CelType>> {
  const names: Record<string, CelType | Record<string, CelType>> = {};
  for (const [name, type] of answers) {
    const [base = '', field] = name.split('.');
    const before = Object.hasOwn(names, base) ? names[base] : undefined;
    if (field === undefined) names[base] = type;
    else names[base] = { ...(typeof before === 'object' && before), [field]: type };
  }
  return names;
}

function strings(names: readonly string[]): Record<string, CelType> {
  return Object.fromEntries(names.map((name) => [name, 'string']));
}
