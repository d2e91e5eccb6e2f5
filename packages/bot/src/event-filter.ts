import { celScope } from './cel.ts';
import type { CelValue } from './cel-types.ts';
import { newTurnBudget } from './turn-budget.ts';

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
  return scope.fault(filter, 'condition');
}

/**
 * Returns whether the filter (a CEL expression) lets the event pass. An error if it fails, or takes too long: its text
 * has no value of the event, so it can be stored.
 */
export function passes(filter: string, { type, interaction, evaluation }: FilteredEvent): boolean | Error {
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
    newTurnBudget(),
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
