import { chosenIn } from './draft.ts';
import { useLanguage } from '../language/language-context.ts';
import type { FieldProps } from './field-props.ts';

/** Several of the choices, as checkboxes. */
export function Options({ input, draft, onDraft, isBusy, name, aria }: FieldProps) {
  const { tag } = useLanguage();
  const chosen = chosenIn(draft);
  const toggle = (value: string) =>
    onDraft(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  const { 'aria-required': _, ...tied } = aria;
  return (
    <div class="options" lang={tag} role="group" {...tied}>
      {input.choices?.map(({ value, label }) => (
        <label class="option" key={value}>
          <input
            type="checkbox"
            name={name}
            value={value}
            checked={chosen.includes(value)}
            aria-disabled={isBusy}
            onChange={() => toggle(value)}
          />
          <span class="face" dir="auto">
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}
