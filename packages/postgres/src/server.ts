/** The oldest server that will do: `uuidv7()` came with it. */
const versionMin = 18;

/** Throws when a server's `server_version_num` (say 180004) is too old for us. */
export function requireVersion(serverVersionNumber: number): void {
  const major = Math.floor(serverVersionNumber / 10_000);
  if (major >= versionMin) return;
  throw new Error(`PostgreSQL ${versionMin} or newer is needed; this server is PostgreSQL ${major}`);
}

/** Throws when a database has another `server_encoding` than UTF-8, which cannot hold all that customers write. */
export function requireEncoding(encoding: string): void {
  if (encoding !== 'UTF8') throw new Error(`the database must be in UTF8; it is in ${encoding}`);
}
