import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, useRef, useState } from 'react';
import { firstVersion, type Imported } from '@parley/bot-import';
import { countsOf, lostGroups } from '@parley/bot-import/report';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../../texts/texts.tsx';
import { Modal } from '../../../ui/forms/dialog.tsx';
import { FileField, TextField } from '../../../ui/forms/field.tsx';
import { ModalForm } from '../../../ui/forms/modal-form.tsx';
import { PlainTable } from '../../../ui/tables/plain-table.tsx';
import { faultWords, type ImportFault, readImport } from './read-import.ts';

/** Makes a draft of another product's export: shows what becomes of it first, and then opens the editor. */
export function ImportBot({ close }: { close(): void }) {
  const { botImport: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [imported, setImported] = useState<Imported>();
  const [fault, setFault] = useState<ImportFault>();
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const choose = async (file: Blob): Promise<void> => {
    const read = await readImport(file);
    setFault('fault' in read ? read.fault : undefined);
    if ('fault' in read) return setImported(undefined);
    setImported(read.imported);
    setName(read.imported.definition.name);
    setKey(read.imported.definition.key);
  };
  const created = useMutation({
    mutationFn: async () => {
      if (imported === undefined) throw new Error('no file is chosen');
      const definition = { ...imported.definition, key, name };
      const bot = await client.bots.create(firstVersion(definition));
      await client.bots.saveDraft(bot.id, { definition });
      return bot;
    },
    onSuccess: async (bot) => {
      void cache.invalidateQueries({ queryKey: [id, 'bots'] });
      await navigate({ to: '/w/$workspaceId/bots/$botId/edit', params: { workspaceId: id, botId: bot.id } });
    },
  });
  return (
    <Modal title={t.title} about={t.about} close={close}>
      <ModalForm sending={created} action={t.create} isReady={imported !== undefined} close={close}>
        <DropField choose={(file) => void choose(file)} />
        {fault && (
          <p role="alert" className="text-bad">
            {faultWords(fault, t)}
          </p>
        )}
        {imported && (
          <>
            <TextField label={t.name} value={name} onChange={setName} required />
            <TextField label={t.key} value={key} onChange={setKey} required spellCheck={false} />
            <ImportReport imported={imported} />
          </>
        )}
      </ModalForm>
    </Modal>
  );
}

/** A file can be chosen, or dropped on the field. */
function DropField({ choose }: { choose(file: Blob): void }) {
  const { botImport: t } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    // The field shows the name of the file.
    if (field.current) field.current.files = event.dataTransfer.files;
    const [file] = event.dataTransfer.files;
    if (file) choose(file);
  };
  return (
    <div
      className="flex flex-col gap-1 rounded-md border border-dashed border-strong-line p-4"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <FileField ref={field} label={t.file} accept=".json,application/json" choose={choose} />
      <p className="text-xs text-quiet">{t.drop}</p>
    </div>
  );
}

/** What became of the file: how much, and what is not in the bot as it was. */
function ImportReport({ imported }: { imported: Imported }) {
  const { botImport: t } = useTexts();
  const { language } = useLanguage();
  const { definition, report, faults } = imported;
  const { converted, changed, dropped } = countsOf(report);
  const rows = lostGroups(report, language).map(({ first, words, count }) => [
    t.outcomes[first.outcome],
    <span key="what">
      {words}
      {count > 1 && ` (${t.times(count)})`}
      <code className="block font-mono text-xs break-all text-quiet">
        {first.stepId === undefined ? first.pointer : `${first.pointer} → ${first.stepId}`}
      </code>
    </span>,
  ]);
  return (
    <section aria-label={t.report} className="space-y-2">
      <p role="status">{t.counts({ steps: definition.steps.length, converted, changed, dropped })}</p>
      {faults.length > 0 && <p className="text-quiet">{t.faults(faults.length)}</p>}
      {rows.length === 0 && <p>{t.nothingLost}</p>}
      {rows.length > 0 && (
        <div role="region" aria-label={t.report} tabIndex={0} className="card max-h-72 overflow-y-auto p-3">
          <PlainTable head={[t.outcome, t.what]} rows={rows} className="align-top break-words" />
        </div>
      )}
    </section>
  );
}
