import { type Interaction, ParleyError, type WorkspaceClient } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useProblem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toast.tsx';

/** What is done with many interactions. */
export type BulkAction = 'end' | 'delete';

interface Failure {
  interaction: Interaction;
  error: Error;
}

/** What has been done so far. */
interface Progress {
  done: string[];
  failures: Failure[];
}

const nothing: Progress = { done: [], failures: [] };
const callsMax = 4;

interface Props {
  action: BulkAction;
  interactions: Interaction[];
  /** Called at the end with the ids of those with which it was done. */
  onDone(ids: string[]): void;
  close(): void;
}

/** Ends or deletes many interactions, after their number is typed. Lists those that failed. */
export function BulkDialog({ action, interactions, onDone, close }: Props) {
  const { interactions: t, common } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const [progress, setProgress] = useState(nothing);
  const stopped = useRef(false);
  const run = useMutation({
    mutationFn: () => runAll(client, action, interactions, setProgress, () => stopped.current),
    onSuccess: ({ done, failures }) => {
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
  const count = interactions.length;
  return (
    <Modal title={t.bulkTitle[action](count)} about={t.bulkAbout[action]} isOpen close={stop}>
      {run.isIdle && <Confirmation {...{ action, count, close }} run={() => run.mutate()} />}
      {!run.isIdle && (
        <div className="space-y-4">
          <Bar progress={progress} count={count} />
          {run.isSuccess && <Failures failures={progress.failures} />}
          <div className="flex justify-end">
            <Button onClick={stop}>{run.isPending ? t.bulkStop : common.close}</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}

/** Calls the API for each, some at a time. */
async function runAll(
  client: WorkspaceClient,
  action: BulkAction,
  interactions: Interaction[],
  onProgress: (progress: Progress) => void,
  isStopped: () => boolean,
): Promise<Progress> {
  let progress = nothing;
  const waiting = interactions.values();
  const work = async (): Promise<void> => {
    for (const interaction of waiting) {
      if (isStopped()) return;
      const error = await runOne(client, action, interaction.id);
      const { done, failures } = progress;
      progress = error
        ? { done, failures: [...failures, { interaction, error }] }
        : { done: [...done, interaction.id], failures };
      onProgress(progress);
    }
  };
  await Promise.all(Array.from({ length: callsMax }, work));
  return progress;
}

async function runOne(client: WorkspaceClient, action: BulkAction, id: string): Promise<Error | undefined> {
  try {
    if (action === 'end') await client.interactions.update(id, { status: 'Expired' });
    else await client.interactions.delete(id);
    return undefined;
  } catch (error) {
    // Somebody else has deleted it, or an answer was lost.
    if (action === 'delete' && error instanceof ParleyError && error.status === 404) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

interface ConfirmationProps {
  action: BulkAction;
  count: number;
  run(): void;
  close(): void;
}

function Confirmation({ action, count, run, close }: ConfirmationProps) {
  const { interactions: t, common } = useTexts();
  const [text, setText] = useState('');
  const isReady = text.trim() === String(count);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) run();
  };
  return (
    <form className="space-y-4" onSubmit={submit}>
      <TextField
        label={common.typeToConfirm(String(count))}
        value={text}
        onChange={setText}
        inputMode="numeric"
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{common.cancel}</Button>
        <Button type="submit" kind="danger" disabled={!isReady}>
          {t.bulkTitle[action](count).replace('?', '')}
        </Button>
      </div>
    </form>
  );
}

function Bar({ progress: { done, failures }, count }: { progress: Progress; count: number }) {
  const { invitations: t } = useTexts();
  const at = done.length + failures.length;
  return (
    <div>
      <progress aria-label={t.progress} max={count} value={at} className="h-3 w-full accent-accent" />
      <p role="status">{t.doneOf(at, count)}</p>
    </div>
  );
}

function Failures({ failures }: { failures: Failure[] }) {
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
        {failures.map(({ interaction: { id, customerId }, error }) => (
          <li key={id} className="break-words">
            <span className="font-medium">{customerId}</span>{' '}
            <span className="text-quiet">{words(error)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
