import type { Contents } from './seed.ts';

/** A server under test, with the data for a client of it. */
export interface Subject {
  name: string;
  port: number;
  contents: Contents;
  /** The header of the workspace's key. */
  authorization: string;
  /** The keyring of session tokens, `kid:base64(32 bytes)`. */
  sessionKeys: string;
  /** How many interactions its calls create. Then measurements are for each of them, not for a call. */
  itemsPerCall?: number;
  /** Returns the microseconds of processor time that each of its processes has used so far. */
  times(): Record<string, number>;
}
