import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, useRef, useState } from 'react';
import { firstVersion, type Imported } from '@parley/bot-import';
import { countsOf, type EntryGroup, groupsOf } from '@parley/bot-import/report';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../../texts/texts.tsx';
import { Modal } from '../../../ui/forms/dialog.tsx';
import { FileField, TextField } from '../../../ui/forms/field.tsx';
import { ModalForm } from '../../../ui/forms/modal-form.tsx';
import { Foldable } from '../edit/steps/foldable.tsx';
import { faultWords, type ImportFault, readImport } from './read-import.ts';

/** Makes a draft of another product's export: shows what becomes of it first, and then opens the editor. */
export function ImportBot({ close }: { close(): void }) {
  const { botImport: t } = useTexts();
  const [imported, setImported] = useState<Imported>();
  const [fault, setFault] = useState<ImportFault>();
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const { created, made } = useCreation(imported && { ...imported.definition, key, name });
  const choose = async (file: Blob): Promise<void> => {
    const read = await readImport(file);
    setFault('fault' in read ? read.fault : undefined);
    if ('fault' in read) return setImported(undefined);
    setImported(read.imported);
    setName(read.imported.definition.name);
    setKey(read.imported.definition.key);
  };
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
            <TextField
              label={t.key}
              value={made?.key ?? key}
              onChange={setKey}
              required
              readOnly={made !== undefined}
              spellCheck={false}
            />
            <ImportReport imported={imported} />
            {created.error && made && <p role="status">{t.made}</p>}
          </>
        )}
      </ModalForm>
    </Modal>
  );
}

/**
 * Creates a bot with a draft, and opens it. `made`: the bot whose draft was not saved yet. The next try goes on with
 * it, so its key stays.
 */
function useCreation(definition: Imported['definition'] | undefined) {
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<{ id: string; key: string }>();
  const idempotencyKeys = useRef<Record<string, string>>({});
  const created = useMutation({
    mutationFn: async () => {
      if (definition === undefined) throw new Error('no file is chosen');
      const key = made?.key ?? definition.key;
      const first = firstVersion({ ...definition, key });
      // The answer may have been lost: the same call again returns the bot that exists.
      const idempotencyKey = (idempotencyKeys.current[JSON.stringify(first)] ??= crypto.randomUUID());
      const { id: botId } = made ?? (await client.bots.create(first, { idempotencyKey }));
      setMade({ id: botId, key });
      await client.bots.saveDraft(botId, { definition: { ...definition, key } });
      return botId;
    },
    onSettled: () => void cache.invalidateQueries({ queryKey: [id, 'bots'] }),
    onSuccess: (botId) =>
      navigate({ to: '/w/$workspaceId/bots/$botId/edit', params: { workspaceId: id, botId } }),
  });
  return { created, made };
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

/** What became of the file: how much, and each part with its place. */
function ImportReport({ imported }: { imported: Imported }) {
  const { botImport: t } = useTexts();
  const { language } = useLanguage();
  const { definition, report, faults } = imported;
  const counts = countsOf(report);
  const { converted, changed, dropped } = counts;
  return (
    <section aria-label={t.report} className="space-y-2">
      <p role="status">{t.counts({ steps: definition.steps.length, converted, changed, dropped })}</p>
      {faults.length > 0 && <p className="text-quiet">{t.faults(faults.length)}</p>}
      {changed + dropped === 0 && <p>{t.nothingLost}</p>}
      <div
        role="region"
        aria-label={t.report}
        tabIndex={0}
        className="card max-h-72 space-y-3 overflow-y-auto p-3"
      >
        {(['dropped', 'changed', 'converted'] as const)
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <Foldable
              key={outcome}
              words={`${t.outcomes[outcome]} (${counts[outcome]})`}
              isOpenFirst={outcome !== 'converted'}
            >
              <ul className="space-y-2">
                {groupsOf(report, [outcome], language).map((group) => (
                  <li key={group.words} className="break-words">
                    <Group group={group} />
                  </li>
                ))}
              </ul>
            </Foldable>
          ))}
      </div>
    </section>
  );
}

/** Parts with the same words, and the place of each. */
function Group({ group: { words, entries } }: { group: EntryGroup }) {
  const { botImport: t } = useTexts();
  const places = entries.map(({ pointer, stepId }, index) => (
    <code key={index} className="block font-mono text-xs break-all text-quiet">
      {stepId === undefined ? pointer : `${pointer} → ${stepId}`}
    </code>
  ));
  return (
    <>
      {words}
      {places.length > 1 ? <Foldable words={t.places(places.length)}>{places}</Foldable> : places}
    </>
  );
}
