import { MomentField } from '../fields/moment-field.tsx';
import { boundsHint, typedOnALine } from '../fields/typed.tsx';
import type { QuestionField } from '../question-field.ts';

export const time: QuestionField = {
  ...typedOnALine('timeLabel'),
  Field: (props) => <MomentField type="time" {...props} />,
  hintOf: boundsHint,
};
