// First, because the other modules create schemas.
import '../../no-evaluation.ts';
import { diffBots } from '@parley/bot/diff';

/** A condition of the newer definition that can no longer be true or evaluated. */
export interface LostCondition {
  /** The place in the definition, a JSON Pointer (RFC 6901). */
  pointer: string;
  detail: string;
}

/** Returns the conditions that hold in the older of two definitions, and no longer in the newer one. */
export function lostConditions(before: unknown, after: unknown): LostCondition[] {
  return diffBots(before, after).conditions;
}
