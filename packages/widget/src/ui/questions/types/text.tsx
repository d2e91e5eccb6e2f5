import { useLanguage } from '../../language/language-context.ts';
import { lengthHint, typedOnALine } from '../fields/typed.tsx';
import { TextField } from '../fields/text-field.tsx';
import type { FieldProps, QuestionField } from '../question-field.ts';

export const text: QuestionField = {
  ...typedOnALine('answerLabel'),
  Field: Line,
  hintOf: lengthHint,
};

function Line(props: FieldProps) {
  const { say } = useLanguage();
  return <TextField {...props} attributes={{ placeholder: say('placeholder') }} />;
}
