import { fieldsOf, stepsOf, type ValueChange } from '@parley/bot/changes';
import { localText } from '@parley/bot/template';
import type { DifferenceRow } from '@parley/report/difference';
import { withoutPlaceholders, wordsOf } from '../../ui/words.ts';

/** Returns what a step says, in a language; undefined for one that says nothing. */
export function stepText(definition: unknown, stepId: string, language: string): string | undefined {
  const text = stepsOf(definition).get(stepId)?.['text'];
  const { locale } = fieldsOf(definition);
  const wordings = typeof text === 'string' ? text : fieldsOf(text);
  if (typeof wordings !== 'string' && !Object.values(wordings).some((one) => typeof one === 'string'))
    return undefined;
  const own = typeof locale === 'string' ? locale : 'en';
  return withoutPlaceholders(localText(wordings as Parameters<typeof localText>[0], language, own));
}

/** Returns the words for a place in a definition, by its JSON Pointer: what its step says, and where in the step. */
export function pointerWords(
  definition: unknown,
  pointer: string,
  words: Readonly<Record<string, string>>,
  language: string,
): string {
  const [, list, index = '', ...inside] = pointer.split('/');
  const [id] = [...stepsOf(definition).keys()].slice(Number(index));
  if (list !== 'steps' || id === undefined) return pointer;
  return [stepText(definition, id, language) ?? id, placeWords(inside.join('.'), words)].join(' · ');
}

/** Returns changes with the members of a value that only one definition has, each for itself, and without its id. */
export function eachValue(values: readonly ValueChange[]): ValueChange[] {
  return values.flatMap((change) => {
    const { path, before, after } = change;
    if (path === 'id') return [];
    const [side, value] = before === undefined ? (['after', after] as const) : (['before', before] as const);
    const isWhole = before === undefined || after === undefined;
    if (!isWhole || typeof value !== 'object' || value === null || Object.keys(value).length === 0)
      return [change];
    return eachValue(
      Object.entries(value).map(([name, inner]: [string, unknown]) => ({
        path: `${path}.${name}`,
        [side]: inner,
      })),
    );
  });
}

/** Returns the rows without what the rows of another definition change to the same. */
export function ownRows(rows: readonly DifferenceRow[], others: readonly DifferenceRow[]): DifferenceRow[] {
  return rows.flatMap((row) => {
    const other = others.find(({ stepId }) => stepId === row.stepId);
    if (!other) return [row];
    const shared = new Set(other.values.map((value) => JSON.stringify(value)));
    const values = row.values.filter((value) => !shared.has(JSON.stringify(value)));
    const { places, ...rest } = row;
    const moved = places && JSON.stringify(places) !== JSON.stringify(other.places) ? { places } : undefined;
    return values.length > 0 || moved ? [{ ...rest, ...moved, values }] : [];
  });
}

/**
 * Returns the words for the place of a value in a step, such as `Choice 2, label` for `input.choices.1.label`. Names
 * without an entry in `words` are split into words.
 */
export function placeWords(path: string, words: Readonly<Record<string, string>>): string {
  const said: string[] = [];
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part) && said.length > 0) said.push(`${said.pop()} ${Number(part) + 1}`);
    // The place of an answer's options is the question itself.
    else if (part !== 'input') said.push(Object.hasOwn(words, part) ? (words[part] ?? part) : wordsOf(part));
  }
  const whole = said.join(', ') || (words['input'] ?? path);
  return whole.charAt(0).toLocaleUpperCase() + whole.slice(1);
}
