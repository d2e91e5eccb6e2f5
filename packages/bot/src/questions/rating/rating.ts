import { int } from '../../text/format-text.ts';
import { scaleBetween, scaleLabels } from '../parts/scale.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const options = {
  max: int(2, 10).meta({ default: 5, description: 'The highest rating; the lowest is 1.' }),
  labels: scaleLabels,
};

/** A number from 1, which is shown as stars on a short scale. */
export const rating = {
  ...scaleBetween<RuleOf<'rating', typeof options>>(({ max }) => ({ min: 1, max: max ?? 5 })),
  name: 'rating',
  title: { en: 'Rating', de: 'Bewertung' },
  options,
  docs: { options: '`max` (5), `labels`', value: 'int from 1' },
  figure: 'numbers',
} satisfies QuestionType<RuleOf<'rating', typeof options>, number, 'not-on-the-scale'>;
