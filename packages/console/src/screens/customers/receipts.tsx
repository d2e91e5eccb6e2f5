import type { Erasure } from '@parley/client';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useLiveOptions } from '../../data/live.tsx';
import { useNameOf } from '../../data/people.ts';
import { useCursorList } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CustomerName } from '../../ui/customer-name.tsx';
import { More, QueryState } from '../../ui/loading.tsx';
import { saveFile } from '../../ui/forms/save-file.ts';
import { ScreenHead, Section } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/w/$workspaceId/receipts');

/** The erasures of the workspace, or of one customer, with their signed receipts. */
export function Receipts() {
  const { customers: t } = useTexts();
  const { customer } = route.useSearch();
  return (
    <>
      <ScreenHead title={t.receipts} />
      <p className="mb-4 max-w-prose text-quiet">{t.receiptsAbout}</p>
      <Section title={customer === undefined ? t.allReceipts : t.receiptsOf(customer)}>
        <ReceiptList customerId={customer} />
      </Section>
    </>
  );
}

export function ReceiptList({ customerId }: { customerId: string | undefined }) {
  const { customers: t } = useTexts();
  const { id, client } = useWorkspace();
  const { list, rows: erasures } = useCursorList(
    [id, 'erasures', customerId],
    (cursor, signal) => client.erasures.list({ customerId, cursor, limit: 50 }, { signal }),
    useLiveOptions(),
  );
  if (list.error || !erasures) return <QueryState query={list} count={2} />;
  if (erasures.length === 0) return <p className="p-4 text-quiet">{t.noReceipts}</p>;
  return (
    <>
      <ul>
        {erasures.map((erasure) => (
          <li key={erasure.id} className="border-b border-line p-4 last:border-0">
            <Receipt erasure={erasure} />
          </li>
        ))}
      </ul>
      <More list={list} className="p-4" />
    </>
  );
}

/**
 * Saves the erasure as JSON that people can read, with the signature that proves it. `parley erasure verify` compares
 * its fields with those that are signed, so the zone of its times stands beside them.
 */
function saveReceipt(erasure: Erasure): void {
  const text = JSON.stringify({ timeZone: 'UTC', data: erasure }, undefined, 2);
  saveFile(`receipt-${erasure.id}.json`, new Blob([text]));
}

function Receipt({ erasure }: { erasure: Erasure }) {
  const { customers: t } = useTexts();
  const nameOf = useNameOf();
  const { customerId, kind, requestedAt, completedAt, requestedBy, stores, receipt } = erasure;
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">
            <CustomerName id={customerId} />
          </span>
          <Badge tone={completedAt === null ? 'warn' : 'good'}>
            {completedAt === null ? t.running : t.done[kind]}
          </Badge>
        </p>
        <p className="text-quiet">
          <Time at={completedAt ?? requestedAt} isExact /> · {t.requestedBy(nameOf(requestedBy))}
        </p>
        <p className="text-quiet">
          {stores.map(({ store, removed }) => `${t.stores[store]}: ${removed}`).join(' · ')}
        </p>
      </div>
      {receipt !== null && (
        <Button isSmall onClick={() => saveReceipt(erasure)}>
          <Download size={13} aria-hidden="true" />
          {t.saveReceipt}
        </Button>
      )}
    </div>
  );
}
