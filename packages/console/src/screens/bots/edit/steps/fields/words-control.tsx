import type { Path } from '@parley/bot/editing/json-edits';
import { X } from 'lucide-react';
import { useId, useMemo } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { TextField } from '../../../../../ui/forms/field.tsx';
import { type Edit, useOutline } from './editing.tsx';
import { textOffers } from '../offers/offers.ts';
import { useOffers } from '../offers/offered-field.tsx';
import {
  isInsertable,
  placeholdersIn,
  withFallback,
  withoutPlaceholder,
  withPlaceholder,
} from './placeholders.ts';
import { SettledField } from './small-controls.tsx';
import { wordingOf } from './step-list.ts';

interface Props {
  label: string;
  value: unknown;
  path: Path;
  edit: Edit;
  isRequired: boolean;
  /** Whether the text may name values. */
  hasValues: boolean;
}

/** A text in the language of the bot. Its other languages stay. */
export function WordsControl({ label, value, path, edit, isRequired, hasValues }: Props) {
  const { locale } = useOutline();
  const { text, tag, others } = wordingOf(value, locale);
  const whole = tag === undefined ? path : [...path, tag];
  const set = (next: string, isTyping = true): void =>
    edit(whole, next === '' && !isRequired && tag === undefined ? undefined : next, { isTyping });
  if (!hasValues) return <TextField label={label} value={text} onChange={(next) => set(next)} />;
  return <Templated {...{ label, text, others, set }} />;
}

/** A text of the definition itself, such as the task of a model. */
export function TemplateControl({ label, value, path, edit, isRequired }: Omit<Props, 'hasValues'>) {
  const set = (next: string, isTyping = true): void =>
    edit(path, next === '' && !isRequired ? undefined : next, { isTyping });
  return <Templated label={label} text={typeof value === 'string' ? value : ''} others={[]} set={set} />;
}

interface TemplatedProps {
  label: string;
  text: string;
  others: string[];
  set(next: string, isTyping?: boolean): void;
}

function Templated({ label, text, others, set }: TemplatedProps) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const id = useId();
  const offersAt = useMemo(() => textOffers(values.filter(isInsertable)), [values]);
  const { field, props, list } = useOffers<HTMLTextAreaElement>({ text, offersAt, write: set });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
        <label htmlFor={id} className="flex-1 text-xs font-medium text-quiet">
          {label}
        </label>
        <InsertValue
          insert={(name) => {
            set(withPlaceholder(text, field.current?.selectionStart ?? text.length, name), false);
          }}
        />
      </div>
      <div className="relative">
        <textarea
          {...props}
          ref={field}
          id={id}
          data-first
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          className="field h-auto w-full py-2 field-sizing-content"
          value={text}
        />
        {list}
      </div>
      <Chips text={text} set={set} />
      {others.length > 0 && <p className="text-xs text-quiet">{t.alsoIn(others.join(', '))}</p>}
    </div>
  );
}

function InsertValue({ insert }: { insert(name: string): void }) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const insertable = values.filter(isInsertable);
  return (
    <select
      aria-label={t.placeholder}
      className="field h-7 max-w-44 pr-7 text-xs"
      value=""
      onChange={({ target }) => insert(target.value)}
    >
      <option value="">{t.placeholder}</option>
      {insertable.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The values that a text names, each with what is shown if it is missing. */
function Chips({ text, set }: Pick<TemplatedProps, 'text' | 'set'>) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const named = placeholdersIn(text);
  if (named.length === 0) return null;
  const wordsFor = (name: string): string => values.find((value) => value.name === name)?.label ?? name;
  return (
    <ul aria-label={t.values} className="space-y-2">
      {named.map((one, index) => {
        const words = wordsFor(one.name);
        return (
          <li key={index} className="flex flex-wrap items-end gap-2">
            <span className="max-w-full rounded-full bg-accent-soft px-2.5 py-1 text-xs font-medium break-words text-accent">
              {words}
            </span>
            <span className="min-w-0 flex-1 basis-40">
              <SettledField
                label={t.fallback(words)}
                value={one.fallback}
                isLive
                onChange={(fallback) => set(withFallback(text, one, fallback))}
              />
            </span>
            <Button
              isSmall
              kind="quiet"
              aria-label={t.removeValue(words)}
              onClick={() => set(withoutPlaceholder(text, one), false)}
            >
              <X size={14} aria-hidden="true" />
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
