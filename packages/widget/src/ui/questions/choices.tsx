import { useLanguage } from '../language/language-context.ts';
import { AnswerButton, AnswerButtons } from './answer-buttons.tsx';
import type { FieldProps } from './field-props.ts';

/** One of several choices, or yes and no. */
export function Choices({ input, draft, onAnswer, isBusy, aria }: FieldProps) {
  const { tag } = useLanguage();
  return (
    <AnswerButtons kind={input.type === 'yesNo' ? 'options pair' : 'options'} tag={tag} aria={aria}>
      {choicesOf(input).map(({ value, label }) => (
        <AnswerButton key={value} isChosen={draft === value} isBusy={isBusy} onPress={() => onAnswer(value)}>
          {label}
        </AnswerButton>
      ))}
    </AnswerButtons>
  );
}

function choicesOf({ type, choices = [], labels = {} }: FieldProps['input']) {
  if (type !== 'yesNo') return choices;
  return ['yes', 'no'].map((value) => ({ value, label: labels[value] ?? value }));
}
