import { detailCharactersMax } from '@parley/contracts/customer-details';
import { customerIdCharactersMax } from '@parley/contracts/limits';
import { bindNames } from '../engine/open-conversation.ts';
import { typeOf } from '../questions/types.ts';
import type { CelExpressions } from '../expressions/cel.ts';
import type { CelBindings } from '../expressions/cel-types.ts';
import { customerFields } from '../plan/conversation.ts';
import { bodyCharsMax } from '../text/clean-text.ts';
import { lengthsIn } from '../expressions/expression-cost.ts';
import { expressionsOf } from '../definition/expressions.ts';
import type { BotDefinition } from '../definition/format.ts';
import { outputsOf } from '../plan/outputs.ts';
import { contextValueBytesMax } from './size-warning.ts';
import { outgoingTransitions } from '../definition/transitions.ts';
import { turnUnitsMax } from '../bounds/turn-budget.ts';
import { type MessageFault, messages } from '../text/messages.ts';

/** The most UTF-16 units of a field of a customer: two for each character of the longest. */
const customerCharsMax = 2 * Math.max(customerIdCharactersMax, detailCharactersMax);

/** The work of expressions in a row, and the one that takes most of it. */
type Work = { units: number; most: { pointer: string; units: number } };

/**
 * Returns the fault of a definition whose expressions could exceed the budget of a turn, whatever the customer answers.
 * Its steps have no loop without a question.
 */
export function workFault(definition: BotDefinition, expressions: CelExpressions): MessageFault | undefined {
  const { steps } = definition;
  const longest = lengthsIn(longestBindings(definition));
  const works = steps.map((step, index) =>
    expressionsOf(step).map(({ pointer, expression }) => ({
      pointer: `/steps/${index}${pointer}`,
      units: expressions.units(expression, longest),
    })),
  );
  const transitions = outgoingTransitions(steps);
  const known = new Map<number, Work>();
  /** The most work from a step until the next answer. */
  const from = (index: number): Work => {
    const before = known.get(index);
    if (before !== undefined) return before;
    const own = works[index] ?? [];
    // The arms of a question come after its answer.
    const now = steps[index]?.kind === 'ask' ? own.filter(({ pointer }) => pointer.endsWith('/when')) : own;
    const work = joined(now, (transitions[index]?.immediate ?? []).map(from));
    known.set(index, work);
    return work;
  };
  const afterAnswers = steps.flatMap(({ kind }, index) =>
    kind === 'ask' ? [joined(works[index] ?? [], (transitions[index]?.afterAnswer ?? []).map(from))] : [],
  );
  const { units, most } = heaviest([...afterAnswers, ...steps.map((_step, index) => from(index))]);
  if (units <= turnUnitsMax) return undefined;
  const percent = Math.ceil((100 * units) / turnUnitsMax);
  return { pointer: most.pointer, detail: messages.work(percent) };
}

/** Returns the work of expressions and of the heaviest path behind them. */
function joined(own: Work['most'][], behind: Work[]): Work {
  const next = heaviest(behind);
  let { units, most } = next;
  for (const one of own) {
    units += one.units;
    if (one.units > most.units) most = one;
  }
  return { units, most };
}

function heaviest(works: Work[]): Work {
  const none: Work = { units: 0, most: { pointer: '', units: 0 } };
  return works.reduce((most, work) => (work.units > most.units ? work : most), none);
}

function longestBindings({ steps, context = [], evaluation = {} }: BotDefinition): CelBindings {
  const rules = new Map(
    steps.flatMap(outputsOf).flatMap(({ name, rule }) => (name === undefined ? [] : [[name, rule] as const])),
  );
  const fill = (names: readonly string[], chars: number) =>
    new Map(names.map((name) => [name, 'x'.repeat(chars)]));
  return {
    answers: bindNames(rules, (_name, rule) => {
      const { celValue, longestValue } = typeOf(rule);
      return celValue(rule, longestValue(rule));
    }),
    others: bindNames(rules, (_name, rule) => 'x'.repeat(typeOf(rule).ownWordsMax(rule)) || undefined),
    context: fill(
      context.map(({ name }) => name),
      contextValueBytesMax,
    ),
    customer: fill(customerFields, customerCharsMax),
    evaluation: fill(Object.keys(evaluation), bodyCharsMax),
  };
}
