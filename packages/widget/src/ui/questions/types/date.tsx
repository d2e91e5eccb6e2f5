import { MomentField } from '../fields/moment-field.tsx';
import { boundsHint, typedOnALine } from '../fields/typed.tsx';
import type { QuestionField } from '../question-field.ts';

export const date: QuestionField = {
  ...typedOnALine('dateLabel'),
  Field: (props) => <MomentField type="date" {...props} />,
  hintOf: boundsHint,
};
