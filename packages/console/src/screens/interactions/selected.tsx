import type { Interaction } from '@parley/client';
import { CircleStop, Trash2, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { whenOnline } from '../../data/online.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/button.tsx';
import { type Selection, mostSelected } from '../../ui/selection.ts';
import type { BulkAction } from './bulk.tsx';

const BulkDialog = lazy(
  whenOnline(() => import('./bulk.tsx').then((loaded) => ({ default: loaded.BulkDialog }))),
);

/** What can be done with the chosen interactions. */
export function SelectedBar({ selection }: { selection: Selection<Interaction> }) {
  const { interactions: t, common } = useTexts();
  const { can } = useWorkspace();
  const [asks, setAsks] = useState<{ action: BulkAction; interactions: Interaction[] }>();
  const missing = can('interactions:write') ? undefined : common.missingScope('interactions:write');
  const count = selection.rows.size;
  const ask = (action: BulkAction): void => setAsks({ action, interactions: [...selection.rows.values()] });
  return (
    <>
      {count > 0 && (
        <div
          role="region"
          aria-label={t.chosen}
          className="card sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 p-2 pl-4 shadow-lg"
        >
          <span role="status" className="mr-2 font-medium">
            {count < mostSelected ? t.chosenCount(count) : t.chosenMost(count)}
          </span>
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
