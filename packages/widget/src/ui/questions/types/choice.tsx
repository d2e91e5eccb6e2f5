import { readWords } from '../draft.ts';
import { Choices, pressed } from '../fields/choices.tsx';
import type { QuestionField } from '../question-field.ts';

export const choice: QuestionField = {
  ...pressed,
  Field: (props) => <Choices {...props} choices={props.input.choices ?? []} isPair={false} />,
  readDraft: ({ choices }, draft) =>
    readWords(draft, (value) => ({
      answer: { value },
      words: choices?.find((one) => one.value === value)?.label ?? value,
    })),
};
