import { type RawBuilder, sql } from 'kysely';

/**
 * Returns an SQL comment with the reason why a statement concerns all workspaces, or runs before the workspace is
 * known. `npm test` fails for all other statements that are not restricted to workspaces. The marked ones are listed in
 * docs/decisions/0013-scoped-statements.md.
 */
export function acrossWorkspaces(reason: string): RawBuilder<unknown> {
  return sql.raw(`/* across workspaces: ${reason} */`);
}
