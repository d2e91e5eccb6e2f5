import { useTexts } from '../../../../../texts/texts.tsx';
import { wordsOf } from '../../../../../ui/words.ts';
import type { Mark } from '../../check.ts';
import { adviceOf, fieldsOf } from './advice.ts';
import { fieldWords } from '../fields/outline.ts';

/** Returns a function that says where a fault is in its step, and what to do about it. */
export function useMarkWords(): (mark: Mark) => string {
  const { steps: t } = useTexts();
  return (mark) => {
    const found = adviceOf(mark.message);
    const words = found ? t.advice[found.advice](found.name) : mark.message;
    const place = fieldsOf(mark).map((field) =>
      /^\d+$/.test(field)
        ? String(Number(field) + 1)
        : Object.hasOwn(t.fields, field)
          ? fieldWords(t, field)
          : wordsOf(field),
    );
    return place.length === 0 ? words : t.at(place.join(', '), words);
  };
}
