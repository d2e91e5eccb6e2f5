import { type textOptions, type textRefusals, textUpTo } from '../parts/written-text.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

/** A text on one line. */
export const text = {
  ...textUpTo(500, false),
  name: 'text',
  title: { en: 'Short text', de: 'Kurzer Text' },
  effort: 'line',
} satisfies QuestionType<RuleOf<'text', typeof textOptions>, string, keyof typeof textRefusals>;
