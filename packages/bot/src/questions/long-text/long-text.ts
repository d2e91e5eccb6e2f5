import { bodyCharsMax } from '../../text/clean-text.ts';
import { type textOptions, type textRefusals, textUpTo } from '../parts/written-text.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

/** A text with lines. */
export const longText = {
  ...textUpTo(bodyCharsMax, true),
  name: 'longText',
  title: { en: 'Long text', de: 'Langer Text' },
  effort: 'text',
} satisfies QuestionType<RuleOf<'longText', typeof textOptions>, string, keyof typeof textRefusals>;
