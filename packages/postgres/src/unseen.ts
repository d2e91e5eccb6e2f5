import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * A value that the planner does not see, whatever it is: so one plan serves all values, and the server keeps it. Of a limit that
 * it sees, say, it makes a plan each time (docs/decisions/0009). The statement has to leave it no choice that depends on the value.
 */
export function unseen<Value>(value: Value, type: 'bigint' | 'timestamptz' | 'uuid'): RawBuilder<Value> {
  return sql<Value>`(select ${value}::${sql.raw(type)})`;
}

/** Equal to any of what the query finds: a look-up for each, however many the planner believes there are. */
export function oneOf(query: Expression<unknown>): RawBuilder<string> {
  return sql<string>`any(array(${query}))`;
}
