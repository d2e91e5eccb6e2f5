import { useLanguage, useTexts } from '../../../../../texts/texts.tsx';
import { wordsOf } from '../../../../../ui/words.ts';
import type { Mark } from '../../check.ts';
import { adviceOf, fieldsOf, stepOf } from './advice.ts';
import { fieldWords } from '../fields/outline.ts';

/** Returns a function that says what to do about a fault. */
export function useAdvice(): (mark: Pick<Mark, 'message'>) => string {
  const { language } = useLanguage();
  return ({ message }) => adviceOf(message, language) ?? message;
}

/** Returns a function that says where a fault is in its card, and what to do about it. */
export function useMarkWords(): (mark: Mark) => string {
  const { steps: t } = useTexts();
  const advise = useAdvice();
  return (mark) => {
    const words = advise(mark);
    const names = stepOf(mark) === undefined ? { ...t.fields, ...t.bot } : t.fields;
    const place = fieldsOf(mark).map((field) =>
      /^\d+$/.test(field)
        ? String(Number(field) + 1)
        : Object.hasOwn(names, field)
          ? fieldWords({ fields: names }, field)
          : wordsOf(field),
    );
    return place.length === 0 ? words : t.at(place.join(', '), words);
  };
}
