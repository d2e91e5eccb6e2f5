import type { Reference } from '@parley/bot/editing/references';
import { renameFault, renameStep } from '@parley/bot/editing/renames';
import { brokenWithout, deleteStep } from '@parley/bot/editing/steps';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import { Modal } from '../../../../ui/forms/dialog.tsx';
import { TextField } from '../../../../ui/forms/field.tsx';
import { useEditing, useOutline } from './fields/editing.tsx';

interface Props {
  index: number;
  definition: Record<string, unknown>;
  close(): void;
  onDeleted(index: number): void;
}

/** Asks before a step is deleted, and says what refers to it. */
export function DeleteStep({ index, definition, close, onDeleted }: Props) {
  const { steps: t, common } = useTexts();
  const { change } = useEditing();
  return (
    <Modal title={t.remove(index + 1)} about={t.removeAbout} close={close}>
      <Uses broken={brokenWithout(definition, index)} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{common.cancel}</Button>
        <Button
          kind="danger"
          onClick={() => {
            change((text) => deleteStep(text, index), { isSure: true });
            close();
            onDeleted(index);
          }}
        >
          {t.removeAction}
        </Button>
      </div>
    </Modal>
  );
}

interface BreakProps {
  broken: readonly Reference[];
  close(): void;
  /** Makes the change. */
  run(): void;
}

/** Asks before a change that breaks what refers to something. */
export function BreakReferences({ broken, close, run }: BreakProps) {
  const { steps: t, common } = useTexts();
  return (
    <Modal title={t.breaksTitle} about={t.breaksAbout} close={close}>
      <Uses broken={broken} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{common.cancel}</Button>
        <Button
          kind="danger"
          onClick={() => {
            run();
            close();
          }}
        >
          {t.breaksAction}
        </Button>
      </div>
    </Modal>
  );
}

/** Which steps refer to something that would be gone, and how. */
function Uses({ broken }: Pick<BreakProps, 'broken'>) {
  const { steps: t } = useTexts();
  const { steps } = useOutline();
  const uses = new Set(broken.map(({ step, kind }) => `${steps[step]?.label ?? step + 1}: ${t.uses[kind]}`));
  if (uses.size === 0) return null;
  return (
    <div role="alert" className="mb-4">
      <p className="mb-1 font-medium text-bad">{t.removeBreaks}</p>
      <ul className="list-disc space-y-1 pl-5">
        {[...uses].map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </div>
  );
}

/** Renames a step, also where other steps refer to it. */
export function RenameStep({ index, definition, close }: Omit<Props, 'onDeleted'>) {
  const { steps: t, common } = useTexts();
  const { change } = useEditing();
  const { steps } = useOutline();
  const before = steps[index]?.id ?? '';
  const [id, setId] = useState(before);
  const fault = renameFault(definition, index, id);
  const isName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (fault !== undefined || !isName) return;
    change((text) => renameStep(text, index, id));
    close();
  };
  return (
    <Modal title={t.renameTitle} about={t.renameAbout} close={close}>
      <form onSubmit={submit} className="space-y-4">
        <TextField label={t.id} value={id} onChange={setId} spellCheck={false} required />
        {fault !== undefined && (
          <p role="alert" className="text-bad">
            {t.renameFaults[fault]}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close}>{common.cancel}</Button>
          <Button type="submit" kind="primary" disabled={fault !== undefined || !isName}>
            {t.renameAction}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
