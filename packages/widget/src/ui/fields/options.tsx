import { chosenIn } from '../draft.ts';
import { useLanguage } from '../language-context.ts';
import type { FieldProps } from './field.tsx';

/** One of several (radio buttons), or several of them (checkboxes). */
export function Options({ input, draft, onDraft, isBusy, name, aria }: FieldProps) {
  const { tag } = useLanguage();
  const isMany = input.type === 'multiChoice';
  const chosen = chosenIn(draft);
  const choose = (value: string) => {
    if (!isMany) onDraft(value);
    else onDraft(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  };
  const { 'aria-required': isRequired, ...tied } = aria;
  return (
    <div
      class={input.type === 'yesNo' ? 'options pair' : 'options'}
      lang={tag}
      {...tied}
      {...(isMany ? { role: 'group' } : { role: 'radiogroup', 'aria-required': isRequired })}
    >
      {choicesOf(input).map(({ value, label }) => (
        <label class="option" key={value}>
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={name}
            value={value}
            checked={chosen.includes(value)}
            aria-disabled={isBusy}
            onChange={() => choose(value)}
          />
          <span class="face" dir="auto">
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}

function choicesOf({ type, choices = [], labels = {} }: FieldProps['input']) {
  if (type !== 'yesNo') return choices;
  return ['yes', 'no'].map((value) => ({ value, label: labels[value] ?? value }));
}
