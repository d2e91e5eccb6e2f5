import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ModalForm, type Sending } from '../../ui/forms/modal-form.tsx';
import { Problem, useProblem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type BulkAction, type BulkFailure, type Progress, runAll } from './run-bulk.ts';

const failuresShown = 100;

interface Props {
  action: BulkAction;
  interactions: ReadonlyMap<string, string>;
  /** Called at the end with the ids of the interactions with which it was done. */
  onDone(ids: string[]): void;
  close(): void;
}

/** Ends or deletes many interactions, after their number is typed. Shows the progress, and lists the failures. */
export function BulkDialog({ action, interactions, onDone, close }: Props) {
  const { interactions: t, common, invitations } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const [progress] = useState<Progress>({ done: [], failures: [] });
  const [handled, setHandled] = useState(0);
  const stopped = useRef(false);
  const run = useMutation({
    mutationFn: () => runAll(client, action, interactions, progress, setHandled, () => stopped.current),
    onSuccess: () => {
      const { done, failures } = progress;
      for (const name of ['interactions', 'interaction'])
        void cache.invalidateQueries({ queryKey: [workspaceId, name] });
      onDone(done);
      if (failures.length > 0) return;
      toast(t.bulkDone[action](done.length));
      close();
    },
  });
  const stop = (): void => {
    stopped.current = true;
    if (!run.isPending) close();
  };
  const count = interactions.size;
  return (
    <Modal title={t.bulkTitle[action](count)} about={t.bulkAbout[action]} close={stop}>
      {run.isIdle && <Confirmation {...{ action, count, run, close }} />}
      {!run.isIdle && (
        <div className="space-y-4">
          <Bar handled={handled} count={count} />
          {run.error && <Problem error={run.error} />}
          {run.isSuccess && <Failures failures={progress.failures} />}
          <div className="flex justify-end gap-2">
            {run.isError && <Button onClick={() => run.mutate()}>{invitations.goOn}</Button>}
            <Button onClick={stop}>{run.isPending ? t.bulkStop : common.close}</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}

interface ConfirmationProps {
  action: BulkAction;
  count: number;
  run: Sending;
  close(): void;
}

function Confirmation({ action, count, run, close }: ConfirmationProps) {
  const { interactions: t, common } = useTexts();
  const [text, setText] = useState('');
  return (
    <ModalForm
      sending={run}
      action={t.bulkTitle[action](count).replace('?', '')}
      kind="danger"
      isReady={text.trim() === String(count)}
      close={close}
    >
      <TextField
        label={common.typeToConfirm(String(count))}
        value={text}
        onChange={setText}
        inputMode="numeric"
      />
    </ModalForm>
  );
}

function Bar({ handled, count }: { handled: number; count: number }) {
  const { invitations: t } = useTexts();
  return (
    <div>
      <progress aria-label={t.progress} max={count} value={handled} className="h-3 w-full accent-accent" />
      <p role="status">{t.doneOf(handled, count)}</p>
    </div>
  );
}

function Failures({ failures }: { failures: BulkFailure[] }) {
  const { interactions: t } = useTexts();
  const words = useProblem();
  if (failures.length === 0) return null;
  return (
    <div role="alert">
      <p className="mb-2 font-medium text-bad">{t.bulkFailed(failures.length)}</p>
      <ul
        tabIndex={0}
        aria-label={t.bulkFailed(failures.length)}
        className="max-h-64 space-y-1 overflow-y-auto"
      >
        {failures.slice(0, failuresShown).map(({ id, name, error }) => (
          <li key={id} className="break-words">
            <span className="font-medium">{name}</span> <span className="text-quiet">{words(error)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
