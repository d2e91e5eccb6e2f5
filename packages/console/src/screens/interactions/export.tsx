import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { saveFile } from '../../ui/forms/save-file.ts';
import { useToast } from '../../ui/toast.tsx';
import type { queryOf } from './filters.ts';
import { type ExportDays, exportPeriods, jsonLines } from './export-query.ts';

type Format = 'csv' | 'ndjson';

interface Props {
  query: ReturnType<typeof queryOf>;
  /** The time zone of the days. */
  zone: string;
  close(): void;
}

/** Saves what the list shows, narrowed by more days, as CSV or NDJSON. */
export function ExportDialog({ query, zone, close }: Props) {
  const { interactions: t, common } = useTexts();
  const { client } = useWorkspace();
  const toast = useToast();
  const hasBot = query.botId !== undefined;
  const [format, setFormat] = useState<Format>(hasBot ? 'csv' : 'ndjson');
  const [days, setDays] = useState<ExportDays>({ changedFrom: '', completedFrom: '', completedTo: '' });
  const saved = useMutation({
    mutationFn: async () => {
      const content = client.interactions.export({ ...query, ...exportPeriods(days, zone) });
      const blob =
        format === 'csv' ? await new Response(await content.csv()).blob() : await jsonLines(content);
      saveFile(`interactions.${format}`, blob);
    },
    onSuccess: () => {
      toast(t.exported);
      close();
    },
  });
  const day = (label: string, name: keyof ExportDays) => (
    <TextField
      type="date"
      label={label}
      value={days[name]}
      onChange={(value) => setDays({ ...days, [name]: value })}
    />
  );
  return (
    <Modal title={t.export} about={t.exportAbout} close={close}>
      <ModalForm
        sending={saved}
        action={t.exportSave}
        icon={<Download size={15} aria-hidden="true" />}
        close={close}
      >
        <SelectField
          label={t.exportFormat}
          value={format}
          options={[
            ...(hasBot ? [{ value: 'csv', label: t.exportFormats.csv }] : []),
            { value: 'ndjson', label: t.exportFormats.ndjson },
          ]}
          onChange={(value) => setFormat(value as Format)}
        />
        {!hasBot && <p className="text-quiet">{t.exportNeedsBot}</p>}
        <div className="flex flex-wrap gap-3">
          {day(t.changedFrom, 'changedFrom')}
          {day(t.completedFrom, 'completedFrom')}
          {day(t.completedTo, 'completedTo')}
        </div>
        <p className="text-quiet">
          {common.zone}: {zone}
        </p>
      </ModalForm>
    </Modal>
  );
}
