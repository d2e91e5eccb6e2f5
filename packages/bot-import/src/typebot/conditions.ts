import { all, compare, type Comparison, isSet, not } from '../parts/expressions.ts';
import type { Source } from '../parts/source.ts';
import { operandOf, type Typebot, valueOf } from './bot.ts';

const comparisons: Record<string, Comparison> = {
  'Equal to': 'equal',
  'Not equal': 'unequal',
  Contains: 'contains',
  'Does not contain': 'lacks',
  'Greater than': 'more',
  'Greater or equal to': 'atLeast',
  'Less than': 'less',
  'Less or equal to': 'atMost',
  'Starts with': 'starts',
  'Ends with': 'ends',
};

/** Returns alternatives of which one must hold, or undefined for what an expression cannot say. */
export function conditionOf(content: Source, bot: Typebot): string[] | undefined {
  const comparing = content.at('comparisons').items();
  const isAny = content.at('logicalOperator').text() === 'OR';
  const parts = comparing.map((one) => comparisonOf(one, bot));
  if (!isAny) {
    const whole = all(parts);
    return whole === undefined ? undefined : [whole];
  }
  const known = parts.filter((part) => part !== undefined);
  comparing.forEach((one, index) => {
    if (parts[index] === undefined && known.length > 0) bot.setting.report.dropped(one, 'condition');
  });
  return known.length === 0 ? undefined : known;
}

function comparisonOf(source: Source, bot: Typebot): string | undefined {
  bot.setting.report.ignored([source.at('id')]);
  const role = bot.roles.get(source.at('variableId').text() ?? '');
  const operand = operandOf(role);
  const operator = source.at('comparisonOperator').text() ?? '';
  const text = source.at('value').text() ?? '';
  if (role === undefined || operand === undefined) return undefined;
  if (operator === 'Is set') return isSet(operand);
  if (operator === 'Is empty') return not(isSet(operand));
  const how = comparisons[operator];
  if (how === undefined) return undefined;
  const named = /^\{\{([^{}]+)\}\}$/.exec(text.trim())?.[1];
  if (named !== undefined) {
    const other = operandOf(bot.byName.get(named.trim()));
    return other && compare(how, operand, other, { ignoresCase: true });
  }
  if (text.includes('{{')) return undefined;
  const isExact = how === 'equal' || how === 'unequal' || operand.type === 'list';
  const value = isExact ? valueOf(role, text) : text;
  return value === undefined ? undefined : compare(how, operand, value, { ignoresCase: true });
}
