import { questionTypes } from '@parley/bot/question-types';

type QuestionType = (typeof questionTypes)[number];

/** Returns the names of the types with a property, grouped by it and in words: `strings` → `text, email and url`. */
export function typesBy<Property extends 'valueForm' | 'figure'>(
  property: Property,
): Map<QuestionType[Property], string> {
  const groups = Map.groupBy(questionTypes, (type) => type[property]);
  return new Map([...groups].map(([value, types]) => [value, inWords(types.map(({ name }) => name))]));
}

function inWords(names: string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
