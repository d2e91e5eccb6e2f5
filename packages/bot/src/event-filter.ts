import { celScope } from './cel.ts';
import type { CelValue } from './cel-types.ts';
import { newTurnBudget, type TurnBudget } from './turn-budget.ts';

export { newTurnBudget } from './turn-budget.ts';

const fields = ['id', 'customerId', 'botId', 'botKey', 'type', 'status', 'priority'] as const;

/** What a filter sees of an event. */
export interface FilteredEvent {
  /** The public name of the event. */
  type: string;
  interaction: Record<(typeof fields)[number], string> & { context: ReadonlyMap<string, string> };
  evaluation: ReadonlyMap<string, string>;
}

const scope = celScope(
  {
    event: { type: 'string' },
    interaction: {
      ...(Object.fromEntries(fields.map((field) => [field, 'string'])) as Record<string, 'string'>),
      context: 'map<string, string>',
    },
    evaluation: 'map<string, string>',
  },
  {
    // That of `webhookLimits` in `@parley/contracts/limits`, on which this package does not depend.
    charactersMax: 1_000,
    // Clients can save ever new ones.
    programsMax: 500,
    names: `event.type, interaction.<${fields.join(', ')}>, interaction.context.<name> or evaluation.<key>`,
  },
);

/** Returns why a text is no filter, with the position of the fault; undefined for a filter. */
export function filterFault(filter: string): string | undefined {
  const fault = scope.fault(filter, 'condition');
  if (fault === undefined || / character \d+/.test(fault)) return fault;
  // The other faults are about a name, or about the whole text.
  const [, name = ''] = /"(\w+)"/.exec(fault) ?? [];
  const offset = Math.max(0, filter.search(new RegExp(`\\b${name}\\b`)));
  return `${fault.replace(/\.$/, '')}, at character ${offset + 1}.`;
}

/**
 * Returns whether the filter (a CEL expression) lets the event pass. An error if it fails, or the budget, which filters
 * may share, does not suffice: its text has no value of the event, so it can be stored.
 */
export function passes(
  filter: string,
  { type, interaction, evaluation }: FilteredEvent,
  budget: TurnBudget = newTurnBudget(),
): boolean | Error {
  const { context, ...texts } = interaction;
  const result = scope.outcome(
    filter,
    {
      event: new Map([['type', type]]),
      interaction: new Map<string, CelValue | ReadonlyMap<string, CelValue>>([
        ...Object.entries(texts),
        ['context', context],
      ]),
      evaluation,
    },
    budget,
  );
  if (typeof result === 'boolean') return result;
  return result instanceof Error ? failureOf(result, filter) : new Error('it is neither true nor false');
}

/** Texts of the library end with values of the event, after a colon or in quotes, and then show the expression. */
function failureOf(error: Error, filter: string): Error {
  const [line = ''] = error.message.split('\n');
  const [reason = ''] = line.split(/[:"'\d]/);
  const name = line.slice(reason.length + 2);
  const detail = name !== '' && filter.includes(name) ? `: ${name}` : '';
  const { range } = error as { range?: { start?: number } };
  const place = typeof range?.start === 'number' ? `, at character ${range.start + 1}` : '';
  return new Error(`${reason.trim()}${detail}${place}`);
}
