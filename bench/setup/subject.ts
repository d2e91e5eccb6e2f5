import type { Contents } from './seed.ts';
import type { SessionKeys } from './sessions.ts';

export interface Subject {
  name: string;
  port: number;
  contents: Contents;
  authorization: string;
  sessionKeys: SessionKeys;
  /** How many interactions its calls create. Then measurements are for each of them, not for a call. */
  itemsPerCall?: number;
  /** Returns the microseconds of processor time that each of its processes has used so far. */
  times(): Record<string, number>;
}
