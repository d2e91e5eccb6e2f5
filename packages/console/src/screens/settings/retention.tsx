import type { Retention, RetentionPreview } from '@parley/client';
import { retentionLimits } from '@parley/contracts/limits';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { type RetentionFields, retentionFields, retentionNames, retentionOf } from './fields.ts';
import { SettingsForm, useSaving } from './settings-form.tsx';

/** How long interactions are kept. Before it is saved, the screen says how many would be deleted at once. */
export function RetentionForm({ retention }: { retention: Retention }) {
  const { settings: t, common } = useTexts();
  const { client } = useWorkspace();
  const [fields, setFields] = useState(() => retentionFields(retention));
  const [preview, setPreview] = useState<RetentionPreview>();
  const wanted = retentionOf(fields);
  const isChanged = retentionNames.some((name) => wanted[name] !== retention[name]);
  const counted = useMutation({ mutationFn: () => client.retention.preview(wanted), onSuccess: setPreview });
  const saved = useSaving(
    'retention',
    () => client.retention.update(wanted),
    (data) => setFields(retentionFields(data)),
  );
  return (
    <>
      <SettingsForm title={t.retention} sending={counted} isChanged={isChanged}>
        <p className="text-quiet">{t.retentionAbout}</p>
        <DaysFields fields={fields} setFields={setFields} />
      </SettingsForm>
      {preview && (
        <Confirm
          title={t.retentionTitle}
          about={t.wouldDelete(preview.interactions)}
          typed={preview.interactions > 0 ? String(preview.interactions) : undefined}
          action={common.save}
          isDangerous={preview.interactions > 0}
          close={() => setPreview(undefined)}
          run={() => saved.mutateAsync()}
        />
      )}
    </>
  );
}

function DaysFields({
  fields,
  setFields,
}: {
  fields: RetentionFields;
  setFields(fields: RetentionFields): void;
}) {
  const { settings: t } = useTexts();
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {retentionNames.map((name) => (
        <TextField
          key={name}
          label={t.days[name]}
          type="number"
          min={1}
          max={retentionLimits.daysMax}
          placeholder={t.forEver}
          value={fields[name]}
          onChange={(value) => setFields({ ...fields, [name]: value })}
        />
      ))}
    </div>
  );
}
