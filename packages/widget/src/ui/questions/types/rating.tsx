import { onScale, Scale } from '../fields/scale.tsx';
import type { QuestionField } from '../question-field.ts';

export const rating: QuestionField = {
  ...onScale,
  Field: (props) => <Scale {...props} low={props.input.labels?.low} high={props.input.labels?.high} />,
};
