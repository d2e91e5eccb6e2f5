import { useLanguage } from '../../language/language-context.ts';
import { lengthHint, typedOnALine } from '../fields/typed.tsx';
import { sharedAttributes } from '../fields/text-field.tsx';
import type { FieldProps, QuestionField } from '../question-field.ts';

export const longText: QuestionField = {
  ...typedOnALine('answerLabel'),
  sentBy: 'wideButton',
  hasLines: true,
  Field: Lines,
  hintOf: lengthHint,
};

function Lines(props: FieldProps) {
  const { say } = useLanguage();
  return (
    <textarea
      {...sharedAttributes(props)}
      enterkeyhint="enter"
      aria-keyshortcuts="Control+Enter"
      rows={3}
      placeholder={say('placeholder')}
      onInput={(event) => props.onDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
        // A click, like the one of the browser for Enter in a field of one line.
        event.currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.click();
      }}
    />
  );
}
