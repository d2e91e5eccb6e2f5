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
import { type queryOf, startOfDay } from './filters.ts';

type Format = 'csv' | 'ndjson';

/** The days of an export; empty: any. */
interface Days {
  changedFrom: string;
  completedFrom: string;
  completedTo: string;
}

interface Props {
  query: ReturnType<typeof queryOf>;
  close(): void;
}

/** Saves what the list shows, narrowed by more days, as CSV or NDJSON. */
export function ExportDialog({ query, close }: Props) {
  const { interactions: t } = useTexts();
  const { client } = useWorkspace();
  const toast = useToast();
  const hasBot = query.botId !== undefined;
  const [format, setFormat] = useState<Format>(hasBot ? 'csv' : 'ndjson');
  const [days, setDays] = useState<Days>({ changedFrom: '', completedFrom: '', completedTo: '' });
  const saved = useMutation({
    mutationFn: async () => {
      const content = client.interactions.export({ ...query, ...instantsOf(days) });
      const blob = format === 'csv' ? await new Response(await content.csv()).blob() : await linesOf(content);
      saveFile(`interactions.${format}`, blob);
    },
    onSuccess: () => {
      toast(t.exported);
      close();
    },
  });
  const day = (label: string, name: keyof Days) => (
    <TextField
      type="date"
      label={label}
      value={days[name]}
      onChange={(value) => setDays({ ...days, [name]: value })}
    />
  );
  return (
    <Modal title={t.export} about={t.exportAbout} isOpen close={close}>
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
      </ModalForm>
    </Modal>
  );
}

function instantsOf({ changedFrom, completedFrom, completedTo }: Days) {
  const at = (day: string, later = 0): string | undefined =>
    day === '' ? undefined : startOfDay(day, later).toISOString();
  return {
    updatedFrom: at(changedFrom),
    completedFrom: at(completedFrom),
    completedTo: at(completedTo, 1),
  };
}

async function linesOf(interactions: AsyncIterable<object>): Promise<Blob> {
  const lines: string[] = [];
  for await (const interaction of interactions) lines.push(`${JSON.stringify(interaction)}\n`);
  return new Blob(lines, { type: 'application/x-ndjson' });
}
