import { hash } from 'node:crypto';

/** Not an `lru-cache`: it is never full unless a text varies, and each statement reads it. */
const names = new Map<string, string>();

/**
 * Returns the name under which a connection prepares a statement: one per text, so that the server parses and plans it
 * once per connection. Texts must not vary with data (use `= any($1)`, not `in ($1, $2)`), because the map and the
 * server's memory would grow. After a thousand texts the map is cleared.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= 1_000) names.clear();
    name = hash('sha256', text, 'base64url').slice(0, 32);
    names.set(text, name);
  }
  return name;
}
