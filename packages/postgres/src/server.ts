/** The oldest supported server: the first with `uuidv7()`. */
const versionMin = 18;

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
