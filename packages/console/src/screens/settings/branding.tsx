import type { Branding } from '@parley/client';
import { brandingLimits } from '@parley/contracts/limits';
import { Suspense, useEffect, useId, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import type { Run } from '../../preview/messages.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { part } from '../../ui/part.tsx';
import { Section, Skeleton } from '../../ui/states.tsx';
import { brandingChange, type BrandingFields, brandingFields, brandingOf } from './fields.ts';
import { SettingsForm, useSaving } from './settings-form.tsx';
import { sampleRun } from './sample-run.ts';

// The engine is larger than the rest of the screen.
const PreviewFrame = part(() => import('../../preview/frame.tsx'), 'PreviewFrame');

/** The pause in changes after which the preview shows them. */
const settledMs = 600;

/** How customers see the workspace, with the page that they see beside it. */
export function BrandingForm({ branding }: { branding: Branding }) {
  const { settings: t } = useTexts();
  const { client } = useWorkspace();
  const [fields, setFields] = useState(() => brandingFields(branding));
  const edited = brandingOf(fields);
  const change = brandingChange(branding, edited);
  const isChanged = Object.keys(change).length > 0;
  const saved = useSaving(
    'branding',
    () => client.branding.update(change),
    (data) => setFields(brandingFields(data)),
  );
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_25rem]">
      <SettingsForm title={t.branding} sending={saved} isChanged={isChanged}>
        <p className="text-quiet">{t.brandingAbout}</p>
        <BrandingFields fields={fields} set={(some) => setFields({ ...fields, ...some })} />
      </SettingsForm>
      <Section title={t.asCustomers}>
        <div className="p-3">
          <BrandingPreview branding={edited} />
        </div>
      </Section>
    </div>
  );
}

function BrandingFields({
  fields,
  set,
}: {
  fields: BrandingFields;
  set(some: Partial<BrandingFields>): void;
}) {
  const { settings: t } = useTexts();
  const { displayNameCharactersMax, endTextCharactersMax, privacyTextCharactersMax } = brandingLimits;
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <TextField
        label={t.displayName}
        value={fields.displayName}
        maxLength={displayNameCharactersMax}
        onChange={(displayName) => set({ displayName })}
      />
      <ColourField value={fields.accentColor} onChange={(accentColor) => set({ accentColor })} />
      <LogoField value={fields.logo} onChange={(logo) => set({ logo })} />
      <TextField
        label={t.privacyText}
        value={fields.privacyText}
        maxLength={privacyTextCharactersMax}
        onChange={(privacyText) => set({ privacyText })}
      />
      <TextField
        label={t.endText}
        value={fields.endText}
        maxLength={endTextCharactersMax}
        onChange={(endText) => set({ endText })}
      />
      <TextField
        label={t.endUrl}
        value={fields.endUrl}
        placeholder="https://"
        inputMode="url"
        onChange={(endUrl) => set({ endUrl })}
      />
      <TextField label={t.endLabel} value={fields.endLabel} onChange={(endLabel) => set({ endLabel })} />
    </div>
  );
}

/** A colour as text, with the browser's own choice beside it. */
function ColourField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { settings: t } = useTexts();
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField label={t.accentColor} value={value} placeholder="#1f5c4a" onChange={onChange} />
      </div>
      <input
        type="color"
        aria-label={t.chooseColour}
        className="h-9 w-11 cursor-pointer rounded-md border border-strong-line bg-panel p-1"
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#4f46e5'}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

function LogoField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { settings: t } = useTexts();
  const [isTooLarge, setTooLarge] = useState(false);
  const field = useId();
  const { logoBytesMax } = brandingLimits;
  const choose = (file: File | undefined): void => {
    if (!file) return;
    setTooLarge(file.size > logoBytesMax);
    if (file.size > logoBytesMax) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => typeof reader.result === 'string' && onChange(reader.result));
    reader.readAsDataURL(file);
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={field} className="text-xs font-medium text-quiet">
        {t.logo(logoBytesMax / 1024)}
      </label>
      <div className="flex items-center gap-2">
        <input
          id={field}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="min-w-0 flex-1 text-xs"
          onChange={({ target }) => choose(target.files?.[0])}
        />
        {value !== '' && (
          <Button isSmall onClick={() => onChange('')}>
            {t.removeLogo}
          </Button>
        )}
      </div>
      {isTooLarge && <p className="text-xs text-bad">{t.logoTooLarge(logoBytesMax / 1024)}</p>}
    </div>
  );
}

/** The page that customers see, with a short sample conversation. */
function BrandingPreview({ branding }: { branding: Branding }) {
  const { settings: t } = useTexts();
  const text = JSON.stringify(branding);
  const [shown, setShown] = useState<{ run: Run; branding: Branding; text: string }>();
  useEffect(() => {
    if (shown?.text === text) return;
    const show = (): void =>
      setShown({
        run: sampleRun(t.sampleName, t.sampleQuestion),
        branding: JSON.parse(text) as Branding,
        text,
      });
    const timer = setTimeout(show, shown ? settledMs : 0);
    return () => clearTimeout(timer);
  }, [text, shown, t]);
  return (
    <Suspense fallback={<Skeleton className="h-[32rem]" />}>
      {shown && <PreviewFrame key={shown.run.id} run={shown.run} branding={shown.branding} />}
    </Suspense>
  );
}
