import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { startOfDayIn, zoneOf } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Empty, Section, SkeletonLines } from '../../ui/states.tsx';
import { AuditFilters, type AuditSearch } from './audit-filters.tsx';
import { AuditRow } from './audit-row.tsx';
import { AccessHead } from './head.tsx';
import { namesIn } from './known-value.ts';

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
        <AuditFilters
          actors={namesIn(events, ({ actor }) => [actor])}
          targets={namesIn(events, ({ targets }) => targets)}
        />
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
    from: search.from && startOfDayIn(zoneOf(search), search.from).toISOString(),
    to: search.to && startOfDayIn(zoneOf(search), search.to, 1).toISOString(),
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
