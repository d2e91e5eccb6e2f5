import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Empty, Section, SkeletonLines } from '../../ui/states.tsx';
import { startOfDay } from '../interactions/filters.ts';
import { AuditRow } from './audit-row.tsx';
import { AccessHead } from './head.tsx';

/** The filters of the address. `from` and `to` are days. */
export interface AuditSearch {
  actor?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
}

const route = getRouteApi('/w/$workspaceId/access/audit');

/** Who changed what, newest first. */
export function AuditLog() {
  const { audit: t, common } = useTexts();
  const { can } = useWorkspace();
  const search = route.useSearch();
  const list = useEvents(search);
  const events = list.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <AccessHead />
      {!can('audit:read') && <Empty title={common.missingScope('audit:read')} />}
      {can('audit:read') && (
        <AuditFilters actions={[...new Set(events?.map(({ action }) => action))].sort()} />
      )}
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isLoading && <SkeletonLines label={common.loading} />}
      {events?.length === 0 && !list.hasNextPage && <Empty title={t.none}>{t.noneHow}</Empty>}
      {events && events.length > 0 && (
        <Section title={t.title}>
          <ol>
            {events.map((event) => (
              <li key={event.id} className="border-b border-line p-4 last:border-0">
                <AuditRow event={event} />
              </li>
            ))}
          </ol>
        </Section>
      )}
      {list.hasNextPage && (
        <Button className="mt-4" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? common.working : common.more}
        </Button>
      )}
    </>
  );
}

function useEvents(search: AuditSearch) {
  const { id, client, can } = useWorkspace();
  const live = useLiveOptions();
  const query = {
    actor: search.actor,
    action: search.action,
    target: search.target,
    from: search.from && startOfDay(search.from).toISOString(),
    to: search.to && startOfDay(search.to, 1).toISOString(),
  };
  return useInfiniteQuery({
    queryKey: [id, 'audit', query],
    queryFn: ({ signal, pageParam }) =>
      client.audit.list({ ...query, cursor: pageParam, limit: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    enabled: can('audit:read'),
    ...live,
  });
}

/** The filters, each a parameter of the address. Known actions are proposed. */
function AuditFilters({ actions }: { actions: string[] }) {
  const { audit: t, common } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: AuditSearch): void => {
    void navigate({ search: { ...search, ...change }, replace: true });
  };
  return (
    <div role="group" aria-label={t.filters} className="mb-4 flex flex-wrap items-end gap-3">
      {(['action', 'actor', 'target'] as const).map((name) => (
        <FilterField
          key={`${name} ${search[name]}`}
          label={t[name]}
          value={search[name] ?? ''}
          proposals={name === 'action' ? actions : []}
          set={(value) => set({ [name]: value })}
        />
      ))}
      <TextField
        type="date"
        label={common.from}
        value={search.from ?? ''}
        onChange={(from) => set({ from })}
      />
      <TextField type="date" label={common.to} value={search.to ?? ''} onChange={(to) => set({ to })} />
      {Object.values(search).some((one) => one !== undefined) && (
        <Button kind="quiet" onClick={() => void navigate({ search: {} })}>
          <X size={15} aria-hidden="true" />
          {t.clearFilters}
        </Button>
      )}
    </div>
  );
}

interface FieldProps {
  label: string;
  value: string;
  proposals: string[];
  set(value: string): void;
}

function FilterField({ label, value, proposals, set }: FieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set(text.trim());
  };
  return (
    <form onSubmit={submit} onBlur={() => text !== value && set(text.trim())}>
      <TextField
        label={label}
        value={text}
        onChange={setText}
        list={id}
        className="w-44"
        spellCheck={false}
      />
      <datalist id={id}>
        {proposals.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </form>
  );
}
