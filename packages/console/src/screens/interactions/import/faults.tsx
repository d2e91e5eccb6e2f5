import { type FileFault, faultText } from '@parley/bulk/faults';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { Section } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables/plain-table.tsx';
import type { Invited } from './invite.ts';

const shownMax = 100;

/** What is wrong in the file, by row. */
export function FaultTable({ faults }: { faults: FileFault[] }) {
  const { invitations: t } = useTexts();
  return (
    <Section title={t.faults(faults.length)}>
      <p className="px-4 pt-3">{t.faultsAbout}</p>
      <Rows
        label={t.faults(faults.length)}
        head={[t.row, t.column, t.fault]}
        rows={faults.map((fault) => [
          fault.row,
          <code key="column">{fault.column}</code>,
          faultText(fault, t.kinds),
        ])}
      />
    </Section>
  );
}

/** What the API has rejected, by row. */
export function RejectedTable({ rejected }: { rejected: Invited[] }) {
  const { invitations: t, interactions } = useTexts();
  return (
    <div role="alert" className="card">
      <p className="px-4 pt-3 font-medium text-bad">{t.rejected(rejected.length)}</p>
      <Rows
        label={t.rejected(rejected.length)}
        head={[t.row, interactions.customerId, t.fault]}
        rows={rejected.map(({ line: { row, item }, error }) => [row, item.customerId, error])}
      />
    </div>
  );
}

function Rows({ label, head, rows }: { label: string; head: string[]; rows: ReactNode[][] }) {
  const { invitations: t } = useTexts();
  return (
    <div role="region" aria-label={label} tabIndex={0} className="max-h-96 overflow-auto p-4">
      <PlainTable head={head} rows={rows.slice(0, shownMax)} className="break-words" />
      {rows.length > shownMax && <p className="pt-2 text-quiet">{t.onlyFirst(shownMax)}</p>}
    </div>
  );
}
