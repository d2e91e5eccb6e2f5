import { detailCharactersMax } from '@parley/contracts/customer-details';
import { customerIdCharactersMax } from '@parley/contracts/limits';
import type { Fault } from '@parley/runtime/errors';
import { bindAnswers } from './open-conversation.ts';
import type { AnswerValue } from './answer-forms.ts';
import type { CelScope } from './cel.ts';
import type { CelBindings } from './cel-types.ts';
import { lengthMax } from './check-value.ts';
import { customerFields } from './conversation.ts';
import { lengthsIn } from './expression-cost.ts';
import { expressionsOf } from './expressions.ts';
import type { BotDefinition, InputRule } from './format.ts';
import { outputs } from './outputs.ts';
import { contextValueBytesMax } from './size-warning.ts';
import { outgoingTransitions } from './transitions.ts';
import { turnUnitsMax } from './turn-budget.ts';

/** The most UTF-16 units of a field of a customer: two for each character of the longest. */
const customerCharsMax = 2 * Math.max(customerIdCharactersMax, detailCharactersMax);
const urlCharsMax = 2048;

/** The work of expressions in a row, and the one that takes most of it. */
type Work = { units: number; most: { pointer: string; units: number } };

/**
 * Returns the fault of a definition whose expressions could exceed the budget of a turn, whatever the customer answers.
 * Its steps have no loop without a question.
 */
export function workFault(definition: BotDefinition, scope: CelScope): Fault | undefined {
  const { steps } = definition;
  const longest = lengthsIn(longestBindings(definition));
  const works = steps.map((step, index) =>
    expressionsOf(step).map(({ pointer, expression }) => ({
      pointer: `/steps/${index}${pointer}`,
      units: scope.units(expression, longest),
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
  const detail =
    `The expressions between two answers can take ${Math.ceil((100 * units) / turnUnitsMax)} % of the work that is ` +
    'allowed, most of it here. Use fewer or shorter ones, or a smaller maxLength of the answers that they read.';
  return { pointer: most.pointer, detail };
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

/** Returns a longest value for each name. */
function longestBindings({ steps, context = [] }: BotDefinition): CelBindings {
  const rules = new Map(
    steps.flatMap(outputs).flatMap(({ name, rule }) => (name === undefined ? [] : [[name, rule] as const])),
  );
  const fill = (names: readonly string[], chars: number) =>
    new Map(names.map((name) => [name, 'x'.repeat(chars)]));
  return {
    answers: bindAnswers(rules, (_name, rule) => longestAnswer(rule)),
    context: fill(
      context.map(({ name }) => name),
      contextValueBytesMax,
    ),
    customer: fill(customerFields, customerCharsMax),
  };
}

function longestAnswer(rule: InputRule): AnswerValue {
  switch (rule.type) {
    case 'text':
    case 'longText':
      return 'x'.repeat(lengthMax(rule));
    case 'choice':
      return 'x'.repeat(Math.max(...rule.choices.map(({ value }) => value.length)));
    case 'multiChoice':
      return rule.choices.map(({ value }) => value);
    case 'nps':
    case 'rating':
    case 'number':
      return 0;
    case 'yesNo':
      return true;
    case 'url':
      return 'x'.repeat(urlCharsMax);
    default:
      return 'x'.repeat(320);
  }
}
