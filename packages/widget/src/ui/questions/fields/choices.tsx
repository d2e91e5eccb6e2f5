import type { ComponentChild } from 'preact';
import { useLanguage } from '../../language/language-context.ts';
import type { FieldProps, QuestionField } from '../question-field.ts';
import { AnswerButton, AnswerButtons } from './answer-buttons.tsx';

/** What types have in common whose answer is one press. */
export const pressed: Pick<QuestionField, 'label' | 'sentBy' | 'hasLines' | 'isScale' | 'hintOf'> = {
  label: null,
  sentBy: 'press',
  hasLines: false,
  isScale: false,
  hintOf: () => '',
};

/** Buttons for choices, one below the other, or in pairs. */
export function Choices(
  props: FieldProps & { choices: { value: string; label: string }[]; isPair: boolean },
): ComponentChild {
  const { choices, isPair, draft, onAnswer, isBusy, aria } = props;
  const { tag } = useLanguage();
  return (
    <AnswerButtons kind={isPair ? 'options pair' : 'options'} tag={tag} aria={aria}>
      {choices.map(({ value, label }) => (
        <AnswerButton key={value} isChosen={draft === value} isBusy={isBusy} onPress={() => onAnswer(value)}>
          {label}
        </AnswerButton>
      ))}
    </AnswerButtons>
  );
}
