import type { QuestionType, RuleOf } from '../question-type.ts';
import { scaleBetween, scaleLabels } from '../parts/scale.ts';

const options = { labels: scaleLabels };

/** How likely the customer is to recommend something, from 0 to 10. */
export const nps = {
  ...scaleBetween<RuleOf<'nps', typeof options>>(() => ({ min: 0, max: 10 })),
  name: 'nps',
  title: { en: 'Recommendation, 0 to 10 (NPS)', de: 'Weiterempfehlung, 0 bis 10 (NPS)' },
  options,
  docs: { options: '`labels` with `low` and `high`', value: 'int from 0 to 10' },
  figure: 'score',
} satisfies QuestionType<RuleOf<'nps', typeof options>, number, 'not-on-the-scale'>;
