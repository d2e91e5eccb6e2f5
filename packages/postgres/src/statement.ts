import { hash } from 'node:crypto';

/** Properties of a statement, derived from its text. */
export interface Statement {
  /** The name under which a connection prepares it. */
  name: string;
  /**
   * Whether it cannot wait for another transaction's row: a `select` from tables, without a lock and without a
   * function of the server (`pg_sleep`, `pg_advisory_lock`). It changes nothing and can share a connection with
   * others.
   */
  isPlainRead: boolean;
}

const statements = new Map<string, Statement>();

/**
 * One name per text, so that the server parses and plans it once per connection. Texts must not vary with
 * data (use `= any($1)`, not `in ($1, $2)`), because the map and the server's memory would grow. After a
 * thousand texts the map is cleared.
 */
export function statementOf(text: string): Statement {
  let statement = statements.get(text);
  if (!statement) {
    if (statements.size >= 1_000) statements.clear();
    const name = hash('sha256', text, 'base64url').slice(0, 32);
    statement = { name, isPlainRead: isPlainRead(text) };
    statements.set(text, statement);
  }
  return statement;
}

const mayWaitOrChange =
  /\bfor\s+(no\s+key\s+|key\s+)?(update|share)\b|\bpg_\w+\s*\(|\b(nextval|setval)\s*\(|\binto\b|;/i;

function isPlainRead(text: string): boolean {
  // Without a table, it is there for what its function does.
  const callsOnly = text.includes('(') && !/\bfrom\b/i.test(text);
  return /^\s*select\b/i.test(text) && !callsOnly && !mayWaitOrChange.test(text);
}
