import { eventNames } from '@parley/contracts/event-names';
import { celExpressions } from '../expressions/cel.ts';
import { placeIn } from '../expressions/cel-faults.ts';
import type { CelBindings, CelValue } from '../expressions/cel-types.ts';
import { bodyCharsMax } from '../text/clean-text.ts';
import { conversationBytesMax } from '../plan/conversation-size.ts';
import type { LengthOf } from '../expressions/expression-cost.ts';
import { contextBytesMax } from '../validation/size-warning.ts';
import { newTurnBudget, turnUnitsMax } from '../bounds/turn-budget.ts';

const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'];
const priorities = ['Low', 'Medium', 'High'];
const fields = ['id', 'customerId', 'botId', 'botKey', 'type', 'status', 'priority'] as const;

export interface FilteredEvent {
  type: string;
  interaction: Record<(typeof fields)[number], string> & {
    isTest: boolean;
    context: ReadonlyMap<string, string>;
  };
  evaluation: ReadonlyMap<string, string>;
}

const expressions = celExpressions(
  {
    event: { type: 'string' },
    interaction: {
      ...(Object.fromEntries(fields.map((field) => [field, 'string'])) as Record<string, 'string'>),
      isTest: 'bool',
      context: 'map<string, string>',
    },
    evaluation: 'map<string, string>',
  },
  {
    // As in `webhookLimits` of `@parley/contracts/limits`, on which this package does not depend.
    charactersMax: 1_000,
    // Clients can save ever new ones. Each takes some 20 KB.
    programsMax: 2_000,
    names: `event.type, interaction.<${fields.join(', ')}, isTest>, interaction.context.<name> or evaluation.<key>`,
    // Events without an interaction have empty ones.
    values: {
      'event.type': eventNames,
      'interaction.status': [...statuses, ''],
      'interaction.priority': [...priorities, ''],
    },
  },
);

/** The longest text of an interaction besides its context: the id of a customer. */
const fieldCharsMax = 510;

/** The most characters of what a filter reads. */
const longest: LengthOf = (variable, field) => {
  if (variable !== 'evaluation') return field === 'context' ? contextBytesMax : fieldCharsMax;
  return field === undefined ? conversationBytesMax : bodyCharsMax;
};

/**
 * Returns why a text is no filter, with the position of the fault, or that it could take more work than one may,
 * whatever the event; undefined for a filter.
 */
export function filterFault(filter: string): string | undefined {
  const fault = expressions.fault(filter, 'condition');
  if (fault === undefined) {
    const units = filterUnits(filter);
    return units > turnUnitsMax ? expensive(units) : undefined;
  }
  // Without a position, the fault is about the whole text.
  return / character \d+/.test(fault) ? fault : `${fault.replace(/\.$/, '')}${placeIn(filter, 0)}.`;
}

function expensive(units: number): string {
  return (
    `The filter can take ${Math.ceil((100 * units) / turnUnitsMax)} % of the work that is allowed for an event. ` +
    'Use fewer or shorter conditions on long texts.'
  );
}

/** Returns the most units that a filter takes, whatever the event. A unit is about a nanosecond. */
export function filterUnits(filter: string): number {
  return expressions.units(filter, longest);
}

/**
 * Returns for each filter (a CEL expression) whether it lets the event pass. An error if it fails: its text has no
 * value of the event, so it can be stored. Each has the budget of a turn, which suffices for all that `filterFault`
 * accepts.
 */
export function filterResults(
  filters: Iterable<string>,
  { type, interaction, evaluation }: FilteredEvent,
): Map<string, boolean | Error> {
  const { context, ...others } = interaction;
  const bindings: CelBindings = {
    event: new Map([['type', type]]),
    interaction: new Map<string, CelValue | ReadonlyMap<string, CelValue>>([
      ...Object.entries(others),
      ['context', context],
    ]),
    evaluation,
  };
  return new Map(
    Array.from(filters, (filter) => [
      filter,
      resultOf(expressions.outcome(filter, bindings, newTurnBudget()), filter),
    ]),
  );
}

function resultOf(outcome: unknown, filter: string): boolean | Error {
  if (typeof outcome === 'boolean') return outcome;
  return outcome instanceof Error ? failureOf(outcome, filter) : new Error('it is neither true nor false');
}

/** Texts of the library end with values of the event, after a colon or in quotes, and then show the expression. */
function failureOf(error: Error, filter: string): Error {
  const [line = ''] = error.message.split('\n');
  const [reason = ''] = line.split(/[:"'\d]/);
  const { range: { start } = {} } = error as { range?: { start?: number } };
  if (start === undefined) return new Error(reason.trim());
  // A name may be named that is written there. A key in brackets can be a value of the event.
  const name = /\.\s*$/.test(filter.slice(0, start)) ? /^\w+/.exec(filter.slice(start))?.[0] : undefined;
  const isMissing = name !== undefined && line.slice(reason.length + 2) === name;
  return new Error(`${reason.trim()}${isMissing ? `: ${name}` : ''}${placeIn(filter, start)}`);
}
