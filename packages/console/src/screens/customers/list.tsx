import type { Customer } from '@parley/client';
import { otherDetails } from '@parley/contracts/customer-details';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useRows } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Personal } from '../../ui/hidden.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import { Empty, ScreenHead } from '../../ui/states.tsx';
import { columnsOf, DataTable } from '../../ui/tables/table.tsx';
import { useNumbers } from '../../ui/time.tsx';

const route = getRouteApi('/w/$workspaceId/customers');
const column = columnsOf<Customer>();
const queryMin = 2;

/** All customers, or customers whose id, name or e-mail address begins with the text of the address. */
export function CustomerList() {
  const { customers: t } = useTexts();
  const { id, client } = useWorkspace();
  const { q } = route.useSearch();
  const rows = useRows([id, 'customers', q], (page, signal) =>
    client.customers.list({ ...page, q }, { signal }),
  );
  const columns = useCustomerColumns();
  const { count } = useNumbers();
  return (
    <>
      <ScreenHead
        title={
          <>
            {t.title}{' '}
            {rows.total !== undefined && <span className="font-normal text-quiet">{count(rows.total)}</span>}
          </>
        }
      >
        <Link to="/w/$workspaceId/receipts" params={{ workspaceId: id }} className={buttonClass()}>
          {t.receipts}
        </Link>
      </ScreenHead>
      <div className="mb-4 flex max-w-sm flex-col">
        <Finder q={q} />
      </div>
      {rows.total === 0 ? (
        <Empty title={q === undefined ? t.none : t.noMatch}>
          {q === undefined ? t.noneHow : t.noMatchHow}
        </Empty>
      ) : (
        <DataTable name="customers" label={t.title} columns={columns} rows={rows} />
      )}
    </>
  );
}

/** Writes what is typed into the address, as soon as the API can look for it. Shows what another address has. */
function Finder({ q }: { q: string | undefined }) {
  const { customers: t } = useTexts();
  const navigate = route.useNavigate();
  const [text, setText] = useState(q ?? '');
  const wanted = useDeferredValue(text.trim());
  // What was written and has not come yet. An address that is not among it was opened by somebody.
  const written = useRef<(string | undefined)[]>([]);
  useEffect(() => {
    const next = wanted.length >= queryMin ? wanted : undefined;
    if (next === q) return;
    written.current.push(next);
    void navigate({ search: { q: next }, replace: true });
  }, [wanted]);
  useEffect(() => {
    const at = written.current.indexOf(q);
    written.current = at < 0 ? [] : written.current.slice(at + 1);
    if (at < 0) setText(q ?? '');
  }, [q]);
  return <TextField label={t.find} type="search" value={text} onChange={setText} placeholder={t.findHow} />;
}

function useCustomerColumns() {
  const { customers: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  return useMemo(
    () => [
      column('id', t.id, ({ id }) => (
        <RowLink to="/w/$workspaceId/customers/$customerId" params={{ workspaceId, customerId: id }}>
          {id}
        </RowLink>
      )),
      column(
        'name',
        t.name,
        ({ firstName, lastName }) => (
          <>
            <Personal text={firstName} /> <Personal text={lastName} />
          </>
        ),
        { isNarrow: true },
      ),
      ...otherDetails.map((name) =>
        column(name, t.details[name], (customer) => <Personal text={customer[name]} />),
      ),
    ],
    [t, workspaceId],
  );
}
