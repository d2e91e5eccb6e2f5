import { useLanguage, useTexts } from '../../../../texts/texts.tsx';
import { SelectField } from '../../../../ui/forms/field.tsx';
import { OneOf } from '../../../../ui/forms/one-of.tsx';
import { languagesIn } from '../definition.ts';
import { languageName } from '../steps/fields/languages.ts';
import { stepLabel } from '../steps/fields/outline.ts';
import { localeOf, textIn } from '../steps/fields/step-list.ts';
import { looks, type Trying } from './use-trying.ts';

interface Props {
  /** A valid definition. */
  definition: Record<string, unknown>;
  trying: Trying;
  locale: string | undefined;
  setLocale(locale: string): void;
}

/** Where the conversation begins, in which language, and as what it is shown. */
export function Choices({ definition, trying, locale, setLocale }: Props) {
  const { editor: t, steps: words } = useTexts();
  const { language } = useLanguage();
  const { look, setLook, from, begin } = trying;
  const own = localeOf(definition);
  const languages = languagesIn(definition);
  const steps = (definition['steps'] as Record<string, unknown>[]).map((step, index) => ({
    value: textIn(step, 'id'),
    label: stepLabel(words, step, index, own),
  }));
  // Of a step that was deleted, or renamed, the first one is left.
  const stepId = steps.some(({ value }) => value === from.stepId) ? from.stepId : undefined;
  return (
    <div className="space-y-3 px-3 pt-3">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-48">
          <SelectField
            label={t.tryFrom}
            className="w-full"
            value={stepId ?? ''}
            options={[{ value: '', label: t.tryFromStart }, ...steps]}
            onChange={(id) => begin({ stepId: id === '' ? undefined : id, isShown: false })}
          />
        </div>
        {languages.length > 1 && (
          <SelectField
            label={t.tryLanguage}
            value={locale ?? own}
            options={languages.map((one) => ({ value: one, label: languageName(one, language) }))}
            onChange={setLocale}
          />
        )}
      </div>
      <OneOf label={t.tryAs} values={looks} value={look} words={t.tryLooks} onChange={setLook} />
    </div>
  );
}
