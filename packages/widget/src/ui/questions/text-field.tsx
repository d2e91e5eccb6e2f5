import type { InputHTMLAttributes } from 'preact';
import type { Input } from './draft.ts';
import { useLanguage } from '../language/language-context.ts';
import type { FieldProps } from './field-props.ts';

/**
 * The browser's support for each type. Numbers are text, because number fields change with the wheel and lose invalid
 * input.
 */
const kinds: Partial<Record<Input['type'], InputHTMLAttributes>> = {
  email: { type: 'email', autocomplete: 'email', inputMode: 'email', placeholder: 'name@example.com' },
  phone: { type: 'tel', autocomplete: 'tel', inputMode: 'tel', placeholder: '+44 20 7946 0000' },
  url: { type: 'text', autocomplete: 'url', inputMode: 'url', placeholder: 'https://example.com' },
  number: { type: 'text', autocomplete: 'off', inputMode: 'decimal' },
  date: { type: 'date' },
  time: { type: 'time' },
};

/** The limit of the API in UTF-16 units, for a question without its own. */
const charsMax: Partial<Record<Input['type'], number>> = { email: 320, url: 2048 };
const answerCharsMax = 4000;

/** A field for typed answers. */
export function TextField({ input, draft, onDraft, isBusy, name, aria }: FieldProps) {
  const { say } = useLanguage();
  const shared = {
    ...aria,
    id: `${name}-field`,
    'aria-labelledby': `${aria['aria-labelledby']} ${name}-label`,
    class: 'text-field',
    value: String(draft),
    readOnly: isBusy,
    maxLength: input.maxLength ?? charsMax[input.type] ?? answerCharsMax,
    // An empty field with `auto` would be left to right in any language.
    dir: draft === '' ? undefined : ('auto' as const),
  };
  if (input.type === 'longText') {
    return (
      <textarea
        {...shared}
        enterkeyhint="enter"
        aria-keyshortcuts="Control+Enter"
        rows={3}
        placeholder={say('placeholder')}
        onInput={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return;
          // A click, like the one of the browser for Enter in a field of one line.
          event.currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.click();
        }}
      />
    );
  }
  const isMoment = input.type === 'date' || input.type === 'time';
  return (
    <input
      type="text"
      placeholder={input.type === 'text' ? say('placeholder') : undefined}
      {...kinds[input.type]}
      {...shared}
      enterkeyhint="send"
      {...(isMoment ? { min: input.min, max: input.max, dir: undefined } : {})}
      onInput={(event) => onDraft(event.currentTarget.value)}
    />
  );
}
