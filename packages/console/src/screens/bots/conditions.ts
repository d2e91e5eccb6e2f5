// First, because the other modules create schemas.
import '../../no-evaluation.ts';
import { diffBots } from '@parley/bot/diff';
import type { Language } from '../../texts/language.ts';
import type { Texts } from '../../texts/texts.tsx';
import { conditionWords } from './edit/map/way-words.ts';
import { outlineOf } from './edit/steps/fields/outline.ts';
import { readSteps } from './edit/steps/fields/step-list.ts';
import { typeTitle } from './edit/steps/fields/type-titles.ts';

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

/** Returns the words for a value of a definition at a path of a step; undefined for a value that is words already. */
export type SayValue = (path: string, value: unknown) => string | undefined;

/** Returns what says the conditions, ways, kinds and types of a definition in words. */
export function valueWords(
  definition: unknown,
  words: Pick<Texts, 'steps' | 'editor'>,
  language: Language,
): SayValue {
  const { steps: t } = words;
  const list = readSteps(JSON.stringify(definition));
  const { steps, values } = list ? outlineOf(t, list) : { steps: [], values: [] };
  return (path, value) => {
    if (typeof value === 'boolean') return value ? t.yes : t.no;
    if (typeof value !== 'string') return undefined;
    const name = path.split('.').at(-1) ?? '';
    if (name === 'if' || name === 'when') return conditionWords(words, value, values);
    if (name === 'goto' || name === 'else') return steps.find(({ id }) => id === value)?.label;
    if (path === 'kind' || path === 'mode') return t.kinds[value];
    return path === 'input.type' ? typeTitle(value, language) : undefined;
  };
}
