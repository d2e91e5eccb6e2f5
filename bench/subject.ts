import type { Contents } from './seed.ts';

/** A server under test, and what a client of it needs to know. */
export interface Subject {
  name: string;
  port: number;
  contents: Contents;
  /** The header of the workspace's key. */
  authorization: string;
  /** The keyring that tokens of sessions are made with, `kid:base64(32 bytes)`. */
  sessionKeys: string;
  /** Microseconds of processor time that each of its processes has used so far. */
  times(): Record<string, number>;
}
