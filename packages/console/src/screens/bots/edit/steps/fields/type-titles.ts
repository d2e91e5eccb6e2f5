// First, because the other modules create schemas.
import '../../../../../no-evaluation.ts';
import { questionTypes } from '@parley/bot/question-types';
import type { Language } from '../../../../../texts/language.ts';
import { wordsOf } from '../../../../../ui/words.ts';

/** Returns how people choose a type of questions. One that this console does not know is named by its name. */
export function typeTitle(name: string, language: Language): string {
  return questionTypes.find((type) => type.name === name)?.title[language] ?? wordsOf(name);
}

/** Returns the words of the type of a rule; undefined for what is none. */
export function typeWords(input: unknown, language: Language): string | undefined {
  const type: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'type') : undefined;
  return typeof type === 'string' ? typeTitle(type, language) : undefined;
}
