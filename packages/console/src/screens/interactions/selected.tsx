import type { Interaction } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { CircleStop, Trash2, X } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { part } from '../../ui/part.tsx';
import { ProblemLine } from '../../ui/problem.tsx';
import { type Selection, mostSelected } from '../../ui/tables/selection.ts';
import { useNumbers } from '../../ui/time.tsx';
import type { BulkAction } from './run-bulk.ts';
import type { queryOf } from './filters.ts';
import { allMatching } from './matching.ts';
import { useMissingScope } from '../../ui/read-only.tsx';

const BulkDialog = part(() => import('./bulk.tsx'), 'BulkDialog');

interface Props {
  selection: Selection<Interaction>;
  query: ReturnType<typeof queryOf>;
  /** How many match the filters. Undefined until it is known. */
  total: number | undefined;
}

/** What can be done with the chosen interactions. Another filter is another bar. */
export function SelectedBar({ selection, query, total = 0 }: Props) {
  const { interactions: t, common } = useTexts();
  const { count: numberOf } = useNumbers();
  const [asks, setAsks] = useState<{ action: BulkAction; interactions: ReadonlyMap<string, string> }>();
  const missing = useMissingScope('interactions:write');
  const count = selection.names.size;
  const ask = (action: BulkAction): void => setAsks({ action, interactions: selection.names });
  return (
    <>
      {count > 0 && (
        <div
          role="region"
          aria-label={t.chosen}
          className="card sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 p-2 pl-4 shadow-lg"
        >
          <span role="status" className="mr-2 font-medium">
            {(count < mostSelected ? t.chosenCount : t.chosenMost)(numberOf(count))}
          </span>
          <ChooseAll {...{ selection, query, total }} />
          <Button reason={missing} onClick={() => ask('end')}>
            <CircleStop size={15} aria-hidden="true" />
            {t.changeTo.Expired}
          </Button>
          <Button kind="danger" reason={missing} onClick={() => ask('delete')}>
            <Trash2 size={15} aria-hidden="true" />
            {common.delete}
          </Button>
          <Button kind="quiet" onClick={() => selection.clear()}>
            <X size={15} aria-hidden="true" />
            {t.chooseNone}
          </Button>
        </div>
      )}
      <Suspense>
        {asks && (
          <BulkDialog {...asks} onDone={(ids) => selection.clear(ids)} close={() => setAsks(undefined)} />
        )}
      </Suspense>
    </>
  );
}

/** Chooses all interactions that match, including unseen ones. */
function ChooseAll({ selection, query, total }: Props & { total: number }) {
  const { interactions: t, invitations } = useTexts();
  const { client } = useWorkspace();
  const { count: numberOf } = useNumbers();
  const [known, setKnown] = useState(0);
  const abort = useRef<AbortController>(undefined);
  const most = Math.min(total, mostSelected);
  const found = useMutation({
    mutationFn: () => {
      abort.current = new AbortController();
      setKnown(0);
      return allMatching(client, query, { most, onProgress: setKnown, signal: abort.current.signal });
    },
    onSuccess: selection.add,
  });
  const stop = (): void => abort.current?.abort();
  useEffect(() => stop, []);
  if (selection.names.size >= most && !found.isPending) return null;
  if (found.isPending) {
    return (
      <span className="flex items-center gap-2">
        <progress aria-label={invitations.progress} max={most} value={known} className="progress h-3 w-32" />
        {invitations.doneOf(known, most)}
        <Button onClick={stop}>{t.bulkStop}</Button>
      </span>
    );
  }
  const words = total > most ? t.chooseNewest : t.chooseAll;
  return (
    <>
      {found.error && abort.current?.signal.aborted !== true && <ProblemLine error={found.error} />}
      <Button onClick={() => found.mutate()}>{words(numberOf(most), numberOf(total))}</Button>
    </>
  );
}
