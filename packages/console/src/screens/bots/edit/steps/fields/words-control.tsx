import type { Path } from '@parley/bot/editing/json-edits';
import { useLanguage, useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { TextField } from '../../../../../ui/forms/field.tsx';
import { TemplateField } from '../text/template-field.tsx';
import { stepAround } from '../places.ts';
import { type Edit, useEditing, useOutline } from './editing.tsx';
import { languageList } from './languages.ts';
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
  return (
    <div className="space-y-2">
      <TemplateField label={label} text={text} lang={locale} write={set} />
      {others.length > 0 && <Translated own={locale} others={others} />}
    </div>
  );
}

/** Says in which other languages a text is, and leads there. */
function Translated({ own, others }: { own: string; others: readonly string[] }) {
  const { steps: t } = useTexts();
  const { language } = useLanguage();
  const { toTranslations } = useEditing();
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
      {t.alsoIn(languageList([own], language), languageList(others, language))}
      <Button isSmall kind="quiet" onClick={({ currentTarget }) => toTranslations(stepAround(currentTarget))}>
        {t.toTranslations}
      </Button>
    </p>
  );
}

/** A text of the definition itself, such as the task of a model. */
export function TemplateControl({ label, value, path, edit, isRequired }: Omit<Props, 'hasValues'>) {
  const text = typeof value === 'string' ? value : '';
  const write = (next: string, isTyping: boolean): void =>
    edit(path, next === '' && !isRequired ? undefined : next, { isTyping });
  return <TemplateField label={label} text={text} write={write} />;
}
