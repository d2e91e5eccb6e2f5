import type pg from 'pg';
import { requireOwnServerProcess } from './setup.ts';

/** The oldest supported server: the first with `security_invoker` views. */
const versionMin = 15;

/** Throws if the `server_version_num` (such as 180004) is older than the minimum. */
export function requireVersion(serverVersionNumber: number): void {
  const major = Math.floor(serverVersionNumber / 10_000);
  if (major >= versionMin) return;
  throw new Error(`PostgreSQL ${versionMin} or newer is needed; this server is PostgreSQL ${major}`);
}

/** Throws unless the `server_encoding` is UTF-8: other encodings cannot hold all customer text. */
export function requireEncoding(encoding: string): void {
  if (encoding !== 'UTF8') throw new Error(`the database must be in UTF8; it is in ${encoding}`);
}

/**
 * Throws unless the server can hold the schema of a service: it has a version and an encoding that services support,
 * the role has a schema, and no pooler shares processes of it between callers.
 */
export async function requireServer(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; schema: string | null }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       current_schema() as schema`,
  );
  for (const { version, encoding, schema } of rows) {
    requireVersion(version);
    requireEncoding(encoding);
    if (schema === null)
      throw new Error('the role has no schema: set its search_path to one that it may use');
  }
  await requireOwnServerProcess(client, url);
}
