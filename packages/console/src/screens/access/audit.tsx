import { getRouteApi } from '@tanstack/react-router';
import { useLiveOptions } from '../../data/live.tsx';
import { useCursorList } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { startOfDayIn, zoneOf } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { More, QueryState } from '../../ui/loading.tsx';
import { Empty, Section } from '../../ui/states.tsx';
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
  const { list, rows: events } = useEvents(search);
  return (
    <>
      <AccessHead />
      {!can('audit:read') && <Empty title={common.missingScope('audit:read')} />}
      {can('audit:read') && (
        <>
          <AuditFilters
            actors={namesIn(events, ({ actor }) => [actor])}
            targets={namesIn(events, ({ targets }) => targets)}
          />
          <QueryState query={list} />
        </>
      )}
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
      <More list={list} className="mt-4" />
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
  return useCursorList(
    [id, 'audit', query],
    (cursor, signal) => client.audit.list({ ...query, cursor, limit: 50 }, { signal }),
    { enabled: can('audit:read'), ...live },
  );
}
