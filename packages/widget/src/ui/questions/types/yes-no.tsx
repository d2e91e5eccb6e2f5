import { readWords } from '../draft.ts';
import { Choices, pressed } from '../fields/choices.tsx';
import type { FieldProps, QuestionField } from '../question-field.ts';

export const yesNo: QuestionField = {
  ...pressed,
  Field: YesNo,
  readDraft: ({ labels }, draft) =>
    readWords(draft, (word) => ({ answer: { value: word === 'yes' }, words: labels?.[word] ?? word })),
};

function YesNo(props: FieldProps) {
  const { labels } = props.input;
  const choices = ['yes', 'no'].map((value) => ({ value, label: labels?.[value] ?? value }));
  return <Choices {...props} choices={choices} isPair />;
}
