import { brokenBy } from '@parley/bot/editing/losses';
import type { Reference } from '@parley/bot/editing/references';
import { definitionIn } from '../draft/begin.ts';

/** Returns what no longer works after a change of a text. Nothing of a text that is no definition. */
export function brokenBetween(before: string, after: string): Reference[] {
  const [old, next] = [definitionIn(before), definitionIn(after)];
  return old && next ? brokenBy(old, next) : [];
}
