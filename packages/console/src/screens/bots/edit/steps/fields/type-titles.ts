// First, because the other modules create schemas.
import '../../../../../no-evaluation.ts';
import { questionTypes } from '@parley/bot/question-types';
import type { Language } from '../../../../../texts/language.ts';
import { wordsOf } from '../../../../../ui/words.ts';

/** Returns how people choose a type of questions. One that this console does not know is named by its name. */
export function typeTitle(name: string, language: Language): string {
  return questionTypes.find((type) => type.name === name)?.title[language] ?? wordsOf(name);
}
