import {
  all,
  any,
  compare,
  type Comparison,
  isSet,
  not,
  type Operand,
  quoted,
} from '../parts/expressions.ts';
import type { Way } from '../parts/flow.ts';
import type { Source } from '../parts/source.ts';
import { calculate, isCalculation, variableOperand } from '../parts/variables.ts';
import type { Question, Survey } from './survey.ts';

const comparisons: Record<string, Comparison> = {
  equals: 'equal',
  doesNotEqual: 'unequal',
  contains: 'contains',
  doesNotContain: 'lacks',
  startsWith: 'starts',
  doesNotStartWith: 'startsNot',
  endsWith: 'ends',
  doesNotEndWith: 'endsNot',
  isGreaterThan: 'more',
  isLessThan: 'less',
  isGreaterThanOrEqual: 'atLeast',
  isLessThanOrEqual: 'atMost',
  isBefore: 'less',
  isAfter: 'more',
};

/** Adds the calculations of a block, and then its jumps: the first whose condition holds is taken. */
export function addLogic(block: Source, survey: Survey): void {
  const { flow, report } = survey.setting;
  const ways: Way[] = [];
  for (const rule of block.at('logic').items()) {
    report.ignored([rule.at('id')]);
    if (rule.at('condition').value !== undefined) {
      ways.push(...oldWay(rule, block, survey));
      continue;
    }
    const condition = groupOf(rule.at('conditions'), survey);
    if (condition === undefined) {
      report.dropped(rule, 'condition');
      continue;
    }
    for (const action of rule.at('actions').items()) {
      report.ignored([action.at('id')]);
      const objective = action.at('objective').text() ?? '';
      if (objective === 'calculate') addCalculation(action, condition, survey);
      else if (objective.startsWith('jumpTo')) {
        const label = survey.labels.get(action.at('target').text() ?? '');
        if (label === undefined)
          report.dropped(action, 'target', { name: String(action.at('target').value) });
        else {
          ways.push({ anyOf: condition, to: label, source: action });
          report.converted(action, 'jump');
        }
      } else
        report.dropped(action, objective === 'requireAnswer' ? 'require-answer' : 'unknown', {
          name: objective,
        });
    }
  }
  if (ways.length > 0) flow.branch(ways, block);
  const fallback = block.at('logicFallback');
  const target = fallback.text();
  if (target === undefined) return;
  const label = survey.labels.get(target);
  if (label === undefined) return report.dropped(fallback, 'target', { name: target });
  report.converted(fallback, 'jump');
  flow.goTo(label, block);
}

const oldOperators: Record<string, string> = {
  submitted: 'isSubmitted',
  skipped: 'isSkipped',
  accepted: 'isAccepted',
  notEquals: 'doesNotEqual',
  lessThan: 'isLessThan',
  lessEqual: 'isLessThanOrEqual',
  greaterThan: 'isGreaterThan',
  greaterEqual: 'isGreaterThanOrEqual',
  includesAll: 'includesAllOf',
  includesOne: 'includesOneOf',
};

/** Returns the way of a rule of older surveys: one condition of its own question, and where it leads. */
function oldWay(rule: Source, block: Source, survey: Survey): Way[] {
  const { report } = survey.setting;
  const condition = rule.at('condition').text() ?? '';
  const question = survey.questions.get(block.at('id').text() ?? '');
  const target = rule.at('destination').text();
  const to = survey.labels.get(target ?? '');
  if (to === undefined) {
    report.dropped(rule, 'target', { name: String(target) });
    return [];
  }
  const operator = oldOperators[condition] ?? condition;
  const left = question && { operand: question.operand, question };
  const expression = left && (withoutRight(operator, left) ?? withValues(operator, left, rule.at('value')));
  if (expression === undefined) {
    report.dropped(rule, 'condition');
    return [];
  }
  report.converted(rule, 'jump');
  return [{ anyOf: [expression], to, source: rule }];
}

function addCalculation(action: Source, condition: string[], survey: Survey): void {
  const { flow, report, names } = survey.setting;
  const variable = survey.variables.get(action.at('variableId').text() ?? '');
  const operator = action.at('operator').text() ?? '';
  const by = amountOf(action.at('value'), survey);
  const value =
    variable && by !== undefined && isCalculation(operator) ? calculate(variable, operator, by) : undefined;
  if (variable === undefined || value === undefined)
    return report.dropped(action, 'calculation', { name: operator });
  const id = names.step(`${operator}_${variable.key}`, 'set');
  flow.addIf(any(condition), { id, kind: 'set', evaluation: { [variable.key]: value } }, action);
  report.converted(action, 'calculation', { name: variable.key }, id);
}

function amountOf(source: Source, survey: Survey): Operand | string | number | undefined {
  if (source.at('type').text() === 'static') return source.at('value').text() ?? source.at('value').number();
  return operandOf(source, survey)?.operand;
}

type Side = { operand: Operand; question?: Question; columns?: Map<string, string> };

function operandOf(source: Source, survey: Survey): Side | undefined {
  const id = source.at('value').text() ?? '';
  const type = source.at('type').text();
  if (type === 'variable') {
    const variable = survey.variables.get(id);
    return variable && { operand: variableOperand(variable) };
  }
  if (type === 'hiddenField') {
    const name = survey.hidden.get(id);
    return name === undefined
      ? undefined
      : { operand: { value: `context.${name}`, type: 'string', has: `has(context.${name})` } };
  }
  const question = type === 'element' || type === 'question' ? survey.questions.get(id) : undefined;
  if (question === undefined) return undefined;
  const row = source.at('meta', 'row').text();
  const { operand, rows, columns } = question;
  if (row === undefined || rows === undefined || columns === undefined) return { operand, question };
  const value = `${operand.value}.${rows[Number(row)] ?? ''}`;
  return rows[Number(row)] === undefined
    ? undefined
    : { operand: { value, type: 'string', has: `has(${value})` }, question, columns };
}

/** Returns alternatives of which one must hold, or undefined for what an expression cannot say. */
function groupOf(group: Source, survey: Survey): string[] | undefined {
  report(group, survey);
  const parts = group
    .at('conditions')
    .items()
    .map((one) => expressionOf(one, survey));
  const isAny = group.at('connector').text() === 'or';
  const whole = isAny ? any(parts) : all(parts);
  if (whole === undefined) return undefined;
  return isAny ? (parts as string[]) : [whole];
}

function report(condition: Source, survey: Survey): void {
  survey.setting.report.ignored([condition.at('id')]);
}

function expressionOf(condition: Source, survey: Survey): string | undefined {
  if (condition.at('conditions').value !== undefined) {
    const parts = groupOf(condition, survey);
    return parts && any(parts);
  }
  report(condition, survey);
  const left = operandOf(condition.at('leftOperand'), survey);
  const operator = condition.at('operator').text() ?? '';
  if (left === undefined) return undefined;
  const right = condition.at('rightOperand');
  return withoutRight(operator, left) ?? withRight(operator, left, right, survey);
}

function withoutRight(operator: string, { operand, question }: Side): string | undefined {
  switch (operator) {
    case 'isSubmitted':
    case 'isSet':
    case 'isNotEmpty':
      return isSet(operand);
    case 'isSkipped':
    case 'isNotSet':
    case 'isEmpty':
      return not(isSet(operand));
    case 'isAccepted':
      return operand.type === 'bool' ? operand.value : undefined;
    case 'isCompletelySubmitted':
      return question?.rows && `size(${operand.value}) == ${question.rows.length}`;
    case 'isPartiallySubmitted':
      return question?.rows && `size(${operand.value}) < ${question.rows.length}`;
    default:
      return undefined;
  }
}

function withRight(operator: string, left: Side, right: Source, survey: Survey): string | undefined {
  if (right.at('type').text() === 'static') return withValues(operator, left, right.at('value'));
  const how = comparisons[operator];
  const other = operandOf(right, survey)?.operand;
  return how === undefined || other === undefined ? undefined : compare(how, left.operand, other);
}

/** Compares with a value that the logic has, or with several. */
function withValues(operator: string, left: Side, source: Source): string | undefined {
  const { operand } = left;
  const how = comparisons[operator];
  const values = valuesOf(source, left);
  if (values === undefined) return undefined;
  const [value] = values;
  if (how !== undefined) {
    if (value === undefined || values.length !== 1) return undefined;
    if (operand.type !== 'list' || (how !== 'equal' && how !== 'unequal'))
      return compare(how, operand, value);
    const only = `(size(${operand.value}) == 1 && ${quoted(value)} in ${operand.value})`;
    return how === 'equal' ? only : not(only);
  }
  const each = values.map((one) => compare('equal', operand, one));
  switch (operator) {
    case 'equalsOneOf':
    case 'isAnyOf':
    case 'includesOneOf':
      return any(each);
    case 'includesAllOf':
      return all(each);
    case 'doesNotIncludeOneOf':
    case 'doesNotIncludeAllOf': {
      const one = any(each);
      return one === undefined ? undefined : not(one);
    }
    default:
      return undefined;
  }
}

/** Returns static values as answers have them: choices by their value. Undefined if one is no choice. */
function valuesOf(source: Source, { question, columns }: Side): string[] | undefined {
  const given = source.items().length > 0 ? source.items() : [source];
  const texts = given.map((one) => one.text() ?? one.number());
  const found = texts.map((one) => {
    if (one === undefined) return undefined;
    if (columns !== undefined) return columns.get(String(one)) ?? [...columns.values()][Number(one)];
    return question?.values === undefined ? String(one) : question.values.get(String(one));
  });
  return found.some((one) => one === undefined) ? undefined : (found as string[]);
}
