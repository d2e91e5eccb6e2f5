import type { LoadedProps, LoadedType, Words } from '../loaded-field.ts';
import { sayIn } from '../loaded-field.ts';

const words: Words<'read'> = {
  en: { read: 'Read the full text' },
  de: { read: 'Den ganzen Text lesen' },
  fr: { read: 'Lire le texte complet' },
  es: { read: 'Leer el texto completo' },
  ar: { read: 'اقرأ النص الكامل' },
};

/** A box to tick beside the text, and a link to its full form. */
export const consent: LoadedType = {
  label: null,
  sentBy: 'wideButton',
  hasLines: false,
  isScale: false,
  Field: Consent,
  css: `
.terms { display: inline-block; min-block-size: 24px; padding-block: 10px; color: var(--ink); text-underline-offset: 3px; }
`,
  readDraft({ label = '', required }, draft) {
    if (draft === 'yes') return { answer: { value: true }, words: label };
    return required ? { fault: 'empty' } : { answer: { value: false }, words: `✗ ${label}` };
  },
  hintOf: () => '',
};

function Consent({ input, draft, onDraft, isBusy, name, aria, language }: LoadedProps) {
  const isGiven = draft === 'yes';
  const { label, url } = input;
  return (
    <div class="options" lang={language.tag} role="group" aria-labelledby={aria['aria-labelledby']}>
      <label class="option">
        <input
          type="checkbox"
          name={name}
          checked={isGiven}
          aria-required={aria['aria-required']}
          aria-invalid={aria['aria-invalid']}
          aria-describedby={aria['aria-describedby']}
          aria-disabled={isBusy}
          onChange={() => onDraft(isGiven ? '' : 'yes')}
        />
        <span class="face" dir="auto">
          {label}
        </span>
      </label>
      {url !== undefined && (
        <a class="terms" href={url} target="_blank" rel="noopener noreferrer">
          {sayIn(words, language)('read')}
        </a>
      )}
    </div>
  );
}
