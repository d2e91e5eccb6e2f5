import { chosenIn, memberOf } from '../draft.ts';
import { type LoadedProps, type LoadedType, sayIn, type Words } from '../loaded-field.ts';
import { selectionHint, toggled } from './multi-choice.tsx';

const words: Words<'write'> = {
  en: { write: 'In your own words' },
  de: { write: 'In eigenen Worten' },
  fr: { write: 'Avec vos propres mots' },
  es: { write: 'En sus propias palabras' },
  ar: { write: 'بكلماتك أنت' },
};

const prefix = 'other=';

/** One or several choices, and a field for words of the customer's own. */
export const ownWords: LoadedType = {
  label: null,
  sentBy: 'wideButton',
  hasLines: false,
  isScale: false,
  Field: OwnWords,
  css: `
.own { display: block; margin-block-start: 8px; inline-size: 100%; }
.option input[type=radio] + .face::before { border-radius: 50%; }
`,
  readDraft(input, draft) {
    const { choices = [], minSelections = 1, maxSelections = 1 } = input;
    const chosen = choices.filter(({ value }) => chosenIn(draft).includes(value));
    const own = memberOf(draft, 'other')?.trim();
    const count = chosen.length + (own === undefined ? 0 : 1);
    const isAlone = chosen.some(({ exclusive }) => exclusive);
    if (own === '' || (count === 0 && minSelections > 0)) return { fault: 'empty' };
    if ((count < minSelections && !isAlone) || count > maxSelections) return { fault: 'invalid' };
    const values: unknown[] = [
      ...chosen.map(({ value }) => value),
      ...(own === undefined ? [] : [{ other: own }]),
    ];
    const labels = [...chosen.map(({ label }) => label), ...(own === undefined ? [] : [own])];
    return {
      answer: { value: isSeveral(input) ? values : values[0] },
      words: labels.join(', ') || '–',
    };
  },
  hintOf: (input, language) => (isSeveral(input) ? selectionHint(input, language) : ''),
};

function isSeveral({ maxSelections }: LoadedProps['input']): boolean {
  return maxSelections !== undefined;
}

function OwnWords({ input, draft, onDraft, isBusy, name, aria, language }: LoadedProps) {
  const { choices = [], other = { label: '', maxLength: 0 } } = input;
  const isOne = !isSeveral(input);
  const chosen = chosenIn(draft).filter((one) => one !== '');
  const own = memberOf(draft, 'other');
  const write = (text: string) => [
    ...chosen.filter((one) => !isOne && !one.startsWith(prefix)),
    prefix + text,
  ];
  const press = (value: string) => {
    if (isOne) return onDraft([value]);
    const marked = value.startsWith(prefix) ? `${prefix}${own ?? ''}` : value;
    onDraft(toggled(input, chosen, marked));
  };
  const { 'aria-required': _, ...tied } = aria;
  const all = [...choices, { value: prefix, label: other.label }];
  return (
    <>
      <div class="options" lang={language.tag} role={isOne ? 'radiogroup' : 'group'} {...tied}>
        {all.map(({ value, label }) => (
          <label class="option" key={value}>
            <input
              type={isOne ? 'radio' : 'checkbox'}
              name={name}
              checked={value === prefix ? own !== undefined : chosen.includes(value)}
              aria-disabled={isBusy}
              onChange={() => press(value)}
            />
            <span class="face" dir="auto">
              {label}
            </span>
          </label>
        ))}
      </div>
      {own !== undefined && (
        <input
          type="text"
          class="text-field own"
          value={own}
          maxLength={other.maxLength}
          readOnly={isBusy}
          dir={own === '' ? undefined : 'auto'}
          aria-label={`${other.label}: ${sayIn(words, language)('write')}`}
          aria-describedby={aria['aria-describedby']}
          aria-invalid={aria['aria-invalid']}
          enterkeyhint="send"
          placeholder={sayIn(words, language)('write')}
          onInput={(event) => onDraft(write(event.currentTarget.value))}
        />
      )}
    </>
  );
}
