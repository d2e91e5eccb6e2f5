import type { InputHTMLAttributes } from 'preact';
import type { FieldProps } from '../question-field.ts';

/** The limit of the API in UTF-16 units, for a question without its own. */
export const answerCharsMax = 4000;

export function TextField(props: FieldProps & { attributes: InputHTMLAttributes }) {
  return (
    <input
      type="text"
      {...sharedAttributes(props)}
      enterkeyhint="send"
      {...props.attributes}
      onInput={(event) => props.onDraft(event.currentTarget.value)}
    />
  );
}

/** Returns the attributes that fields of one line and of several have in common. */
export function sharedAttributes({ input, draft, isBusy, name, aria }: FieldProps) {
  return {
    ...aria,
    id: `${name}-field`,
    'aria-labelledby': `${aria['aria-labelledby']} ${name}-label`,
    class: 'text-field',
    value: String(draft),
    readOnly: isBusy,
    maxLength: input.maxLength ?? answerCharsMax,
    // An empty field with `auto` would be left to right in any language.
    dir: draft === '' ? undefined : ('auto' as const),
  };
}
