import type { Fault } from '@parley/runtime/errors';
import type { BotDefinition } from './format.ts';
import { outlineOf } from './outline.ts';

/** Returns a warning for each step that is named, but that no path from the start reaches. */
export function pathWarnings(definition: BotDefinition): Fault[] {
  return outlineOf(definition).flatMap(({ id, from, isReached }, index) => {
    const detail = `No path from the start reaches the step "${id}": the arms that lead to it (${from.join(', ')}) are never taken.`;
    return isReached ? [] : [{ pointer: `/steps/${index}`, detail }];
  });
}
