import { hash } from 'node:crypto';

const names = new Map<string, string>();

/**
 * The name under which a statement is prepared: one per text, so that the server parses and plans it once per
 * connection. Texts must not vary with data (use `= any($1)`, not `in ($1, $2)`): the map would grow, as would the
 * server's memory; past a thousand texts it starts anew.
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
