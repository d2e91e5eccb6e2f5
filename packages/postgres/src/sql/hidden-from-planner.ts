import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Hides a value from the planner, so that one plan serves all values and the server keeps it: for a visible limit, it
 * plans each time (docs/decisions/0009-pipelined-statements.md). The best plan must not depend on the value.
 */
export function hiddenFromPlanner<Value>(
  value: Value | Expression<Value>,
  type: 'bigint' | 'timestamptz' | 'uuid',
): RawBuilder<Value> {
  return sql<Value>`(select ${value}::${sql.raw(type)})`;
}

/** Equals any row of the query: one look-up for each row, however many rows the planner expects. */
export function anyRowOf(query: Expression<unknown>): RawBuilder<string> {
  return sql<string>`any(array(${query}))`;
}
