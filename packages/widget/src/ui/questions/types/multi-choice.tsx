import { useLanguage } from '../../language/language-context.ts';
import type { WidgetLanguage } from '../../language/language.ts';
import { chosenIn, type Input } from '../draft.ts';
import type { FieldProps, QuestionField } from '../question-field.ts';

/** Several of the choices. A selection is sent as a value. */
export const multiChoice: QuestionField = {
  label: null,
  sentBy: 'wideButton',
  hasLines: false,
  isScale: false,
  Field: Options,
  readDraft({ minSelections = 1, maxSelections = Infinity, choices = [] }, draft) {
    const chosen = chosenIn(draft);
    if (chosen.length === 0 && minSelections > 0) return { fault: 'empty' };
    const isAlone = choices.some(({ value, exclusive }) => exclusive && chosen.includes(value));
    if ((chosen.length < minSelections && !isAlone) || chosen.length > maxSelections)
      return { fault: 'invalid' };
    const value = choices.filter((choice) => chosen.includes(choice.value));
    return {
      answer: { value: value.map((choice) => choice.value) },
      words: value.map((choice) => choice.label).join(', ') || '–',
    };
  },
  hintOf: selectionHint,
};

function Options({ input, draft, onDraft, isBusy, name, aria }: FieldProps) {
  const { tag } = useLanguage();
  const chosen = chosenIn(draft);
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
            onChange={() => onDraft(toggled(input, chosen, value))}
          />
          <span class="face" dir="auto">
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}

/** Returns the selection after a press. An exclusive choice is alone in it. */
export function toggled({ choices = [] }: Input, chosen: readonly string[], value: string): string[] {
  if (chosen.includes(value)) return chosen.filter((one) => one !== value);
  const isExclusive = (one: string) => choices.some((choice) => choice.value === one && choice.exclusive);
  return isExclusive(value) ? [value] : [...chosen.filter((one) => !isExclusive(one)), value];
}

export function selectionHint(
  { minSelections = 1, maxSelections, choices = [] }: Input,
  { say }: Pick<WidgetLanguage, 'say'>,
): string {
  const max = maxSelections ?? choices.length;
  if (minSelections === max) return say('chooseExactly', { min: minSelections });
  // If no selection is valid, too, "one or more" would be wrong.
  if (max >= choices.length && minSelections > 0)
    return minSelections > 1 ? say('chooseAtLeast', { min: minSelections }) : say('chooseAny');
  return minSelections > 1 ? say('chooseFromTo', { min: minSelections, max }) : say('chooseUpTo', { max });
}
