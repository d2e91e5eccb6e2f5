import type { Path } from '@parley/bot/editing/json-edits';
import { useTexts } from '../../../../../texts/texts.tsx';
import { TextField } from '../../../../../ui/forms/field.tsx';
import { TemplateField } from '../text/template-field.tsx';
import { type Edit, useOutline } from './editing.tsx';
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
  const { steps: t } = useTexts();
  const { locale } = useOutline();
  const { text, tag, others } = wordingOf(value, locale);
  const whole = tag === undefined ? path : [...path, tag];
  const set = (next: string, isTyping = true): void =>
    edit(whole, next === '' && !isRequired && tag === undefined ? undefined : next, { isTyping });
  if (!hasValues) return <TextField label={label} value={text} onChange={(next) => set(next)} />;
  return (
    <div className="space-y-2">
      <TemplateField label={label} text={text} lang={locale} write={set} />
      {others.length > 0 && <p className="text-xs text-quiet">{t.alsoIn(others.join(', '))}</p>}
    </div>
  );
}

/** A text of the definition itself, such as the task of a model. */
export function TemplateControl({ label, value, path, edit, isRequired }: Omit<Props, 'hasValues'>) {
  const text = typeof value === 'string' ? value : '';
  const write = (next: string, isTyping: boolean): void =>
    edit(path, next === '' && !isRequired ? undefined : next, { isTyping });
  return <TemplateField label={label} text={text} write={write} />;
}
