import { all, any, compare, type Comparison, type Operand } from '../parts/expressions.ts';
import { endLabel, type Way } from '../parts/flow.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { calculate, isCalculation, variableOperand } from '../parts/variables.ts';
import type { Form, Question } from './names.ts';

const comparisons: Record<string, Comparison> = {
  is: 'equal',
  is_not: 'unequal',
  equal: 'equal',
  not_equal: 'unequal',
  on: 'equal',
  not_on: 'unequal',
  lower_than: 'less',
  lower_equal_than: 'atMost',
  greater_than: 'more',
  greater_equal_than: 'atLeast',
  earlier_than: 'less',
  earlier_than_or_on: 'atMost',
  later_than: 'more',
  later_than_or_on: 'atLeast',
  contains: 'contains',
  not_contains: 'lacks',
  begins_with: 'starts',
  ends_with: 'ends',
};

/** Returns the logic of hidden fields, which runs at the start. */
export function hiddenLogic(root: Source): Source[] {
  return root
    .at('logic')
    .items()
    .filter((one) => one.at('type').text() === 'hidden');
}

/** Adds the calculations of some logic, and then its jumps: the first whose condition holds is taken. */
export function addJumps(logic: readonly Source[], form: Form, setting: Setting): void {
  const { flow, report } = setting;
  const actions = logic.flatMap((one) => {
    one.at('type').text();
    one.at('ref').text();
    return one.at('actions').items();
  });
  const from = logic[0]?.at('ref').text();
  for (const action of actions)
    if (action.at('action').text() !== 'jump') addCalculation(action, form, setting);
  const ways: Way[] = [];
  for (const action of actions) {
    if (action.at('action').text() !== 'jump') continue;
    const to = labelOf(action, from, form, setting);
    if (to === undefined) continue;
    const condition = conditionOf(action.at('condition'), form);
    if (condition === undefined) {
      report.dropped(action, 'condition');
      continue;
    }
    report.converted(action, 'jump');
    if (condition === 'always') {
      flow.branch(ways, action);
      return flow.goTo(to, action);
    }
    ways.push({ anyOf: condition, to, source: action });
  }
  const [first] = logic;
  if (first !== undefined) flow.branch(ways, first);
}

/** A way from elsewhere to the first field of a group comes to the words of the group, as customers see them there. */
function labelOf(
  action: Source,
  from: string | undefined,
  form: Form,
  { report }: Setting,
): string | undefined {
  const to = action.at('details', 'to');
  const kind = to.at('type').text();
  const ref = to.at('value').text() ?? '';
  const group = form.groups.get(ref);
  const isEntered = group?.isFirst === true && form.groups.get(from ?? '')?.ref !== group.ref;
  const label = kind === 'field' ? `field:${isEntered ? group.ref : ref}` : `screen:${ref}`;
  if (form.labels.has(label)) return label;
  if (kind === 'thankyou') return endLabel;
  report.dropped(action, 'target', { name: ref });
  return undefined;
}

function addCalculation(action: Source, form: Form, { flow, report, names }: Setting): void {
  const how = action.at('action').text() ?? '';
  const target = action.at('details', 'target', 'value').text() ?? '';
  action.at('details', 'target', 'type').text();
  const variable = form.variableOf(target);
  const calculation = how === 'set' ? 'assign' : how;
  if (variable === undefined || !isCalculation(calculation))
    return report.dropped(action, 'calculation', { name: how || target });
  const by = amountOf(action.at('details', 'value'), form);
  const condition = conditionOf(action.at('condition'), form);
  const value = by === undefined ? undefined : calculate(variable, calculation, by);
  const when = condition === 'always' ? undefined : condition && any(condition);
  if (value === undefined || condition === undefined)
    return report.dropped(action, 'calculation', { name: how });
  const id = names.step(`${how}_${variable.key}`, 'set');
  flow.addIf(when, { id, kind: 'set', evaluation: { [variable.key]: value } }, action);
  report.converted(action, 'calculation', { name: variable.key }, id);
}

function amountOf(source: Source, form: Form): Operand | number | string | undefined {
  const value = source.at('value').number() ?? source.at('value').text();
  if (value === undefined || source.at('type').text() === 'constant') return value;
  return operandOf(source, form)?.operand;
}

type Side = { operand: Operand; question?: Question };

function operandOf(source: Source, form: Form): Side | undefined {
  const name = source.at('value').text() ?? '';
  switch (source.at('type').text()) {
    case 'field': {
      const question = form.questions.get(name);
      return question && { operand: question.operand, question };
    }
    case 'hidden': {
      const property = form.contextOf(name);
      return property === undefined
        ? undefined
        : { operand: { value: `context.${property}`, type: 'string', has: `has(context.${property})` } };
    }
    case 'variable': {
      const variable = form.variableOf(name);
      return variable && { operand: variableOperand(variable) };
    }
    default:
      return undefined;
  }
}

/** Returns alternatives of which one must hold, `always`, or undefined for what an expression cannot say. */
function conditionOf(condition: Source, form: Form): string[] | 'always' | undefined {
  const op = condition.at('op').text();
  if (op === undefined || op === 'always') {
    condition.at('vars').pass();
    for (const one of condition.at('vars').items()) for (const [, member] of one.members()) member.pass();
    return 'always';
  }
  if (op !== 'or') {
    const one = expressionOf(condition, form);
    return one === undefined ? undefined : [one];
  }
  const parts = condition
    .at('vars')
    .items()
    .map((one) => expressionOf(one, form));
  return any(parts) === undefined ? undefined : (parts as string[]);
}

function expressionOf(condition: Source, form: Form): string | undefined {
  const op = condition.at('op').text() ?? '';
  const vars = condition.at('vars').items();
  if (op === 'and') return all(vars.map((one) => expressionOf(one, form)));
  if (op === 'or') return any(vars.map((one) => expressionOf(one, form)));
  const [first, second] = vars;
  const how = comparisons[op];
  if (first === undefined || second === undefined || how === undefined) return undefined;
  const left = operandOf(first, form);
  if (left === undefined) return undefined;
  const right = rightOf(second, left, form);
  return right === undefined ? undefined : compare(how, left.operand, right);
}

function rightOf(source: Source, { operand, question }: Side, form: Form): string | Operand | undefined {
  const kind = source.at('type').text();
  const value = source.at('value');
  const literal = value.text() ?? value.number() ?? value.flag();
  if (kind === 'choice') return question?.values.get(String(literal));
  if (kind !== 'constant') return operandOf(source, form)?.operand;
  if (literal === undefined) return undefined;
  // Logic may name a choice by its label.
  const isChoice = operand.type !== 'double' && question !== undefined && question.values.size > 0;
  return (isChoice ? question.values.get(String(literal)) : undefined) ?? String(literal);
}
