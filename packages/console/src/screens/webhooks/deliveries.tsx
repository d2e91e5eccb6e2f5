import type { DeliveredEvent, Delivery } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useLiveOptions } from '../../data/live.tsx';
import { useCursorList } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { startOfDayIn, zoneOf } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../../ui/classes.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { ZoneField } from '../../ui/forms/zone-field.tsx';
import { More, QueryState } from '../../ui/loading.tsx';
import { Section } from '../../ui/states.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';
import { TestMark } from '../interactions/status.tsx';
import { DeliveryDetails, DeliveryStateBadge } from './delivery/delivery.tsx';
import { eventNames } from '@parley/contracts/event-names';

const route = getRouteApi('/w/$workspaceId/webhooks/$webhookId');

const states = ['pending', 'succeeded', 'failed', 'skipped'] as const;
const events: DeliveredEvent[] = [...eventNames, 'Test'];

type Search = ReturnType<typeof route.useSearch>;

/** The deliveries of a webhook that match the filters of the address, newest first. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const { webhooks: t } = useTexts();
  const search = route.useSearch();
  const { list, rows: deliveries } = useLog(webhookId, search);
  return (
    <Section title={t.deliveries} aside={<Filters search={search} />}>
      {search.delivery !== undefined && <Chosen webhookId={webhookId} deliveryId={search.delivery} />}
      <QueryState query={list} />
      {deliveries?.length === 0 && <p className="p-4 text-quiet">{t.noDeliveries}</p>}
      <ul aria-busy={list.isFetching}>
        {deliveries?.map((delivery) => (
          <li key={delivery.id} className="border-b border-line last:border-0">
            <DeliveryRow delivery={delivery} isOpen={delivery.id === search.delivery} />
          </li>
        ))}
      </ul>
      <More list={list} className="p-4" />
    </Section>
  );
}

function useLog(webhookId: string, search: Search) {
  const { id, client } = useWorkspace();
  const live = useLiveOptions();
  const filters = {
    state: search.state as (typeof states)[number] | undefined,
    event: search.event as DeliveredEvent | undefined,
    interactionId: search.interaction,
    since: search.since && startOfDayIn(zoneOf(search), search.since).toISOString(),
    until: search.until && startOfDayIn(zoneOf(search), search.until, 1).toISOString(),
  };
  return useCursorList(
    [id, 'webhook', webhookId, 'deliveries', filters],
    (cursor, signal) =>
      client.webhooks.deliveries.list(webhookId, { ...filters, cursor, limit: 50 }, { signal }),
    live,
  );
}

function Filters({ search }: { search: Search }) {
  const { webhooks: t, common, names } = useTexts();
  const navigate = route.useNavigate();
  const set = (change: Partial<Search>): void => {
    void navigate({ search: { ...search, ...change }, replace: true });
  };
  const any = { value: '', label: common.any };
  return (
    <div role="group" aria-label={t.filters} className="flex flex-wrap items-end gap-2">
      <SelectField
        label={t.state}
        value={search.state ?? ''}
        options={[any, ...states.map((value) => ({ value, label: t.states[value] }))]}
        onChange={(state) => set({ state })}
      />
      <SelectField
        label={t.event}
        value={search.event ?? ''}
        options={[any, ...events.map((value) => ({ value, label: names.events[value] }))]}
        onChange={(event) => set({ event })}
      />
      <TextField
        type="date"
        label={common.from}
        value={search.since ?? ''}
        onChange={(since) => set({ since })}
      />
      <TextField
        type="date"
        label={common.to}
        value={search.until ?? ''}
        onChange={(until) => set({ until })}
      />
      {search.tz !== undefined && <ZoneField zone={search.tz} onChange={(tz) => set({ tz })} />}
    </div>
  );
}

function DeliveryRow({ delivery, isOpen }: { delivery: Delivery; isOpen: boolean }) {
  const { webhooks: t, names } = useTexts();
  const { webhookId, workspaceId } = route.useParams();
  const search = route.useSearch();
  const { count } = useNumbers();
  return (
    <>
      <Link
        to="/w/$workspaceId/webhooks/$webhookId"
        params={{ workspaceId, webhookId }}
        search={{ ...search, delivery: isOpen ? '' : delivery.id }}
        replace
        resetScroll={false}
        aria-expanded={isOpen}
        className={classes(
          'grid items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-raised',
          'sm:grid-cols-[8rem_minmax(0,1fr)_6rem_11rem]',
          isOpen && 'bg-raised',
        )}
      >
        <span>
          <DeliveryStateBadge delivery={delivery} />
        </span>
        <span className="truncate font-medium" title={delivery.event ?? undefined}>
          {delivery.event === null ? '–' : names.events[delivery.event]}{' '}
          <TestMark isTest={delivery.isTestInteraction} />
        </span>
        <span className="text-quiet tabular-nums">{t.attemptCount(count(delivery.attempts))}</span>
        <span className="text-quiet">
          <Time at={delivery.createdAt} />
        </span>
      </Link>
      {isOpen && <Details delivery={delivery} />}
    </>
  );
}

function Details({ delivery }: { delivery: Delivery }) {
  const { webhooks: t } = useTexts();
  const { portalWebhooks } = useWorkspace();
  const { webhookId, workspaceId } = route.useParams();
  return (
    <div className="space-y-2 border-t border-line px-4 py-3">
      {delivery.interactionId !== null && portalWebhooks === undefined && (
        <Link
          to="/w/$workspaceId/interactions/$interactionId"
          params={{ workspaceId, interactionId: delivery.interactionId }}
          className="link"
        >
          {t.toInteraction}
        </Link>
      )}
      <DeliveryDetails webhookId={webhookId} delivery={delivery} />
    </div>
  );
}

/** The delivery of the address, also if the list does not have it. */
function Chosen({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { id, client } = useWorkspace();
  const live = useLiveOptions();
  const { rows } = useLog(webhookId, route.useSearch());
  const isListed = rows?.some((one) => one.id === deliveryId) ?? true;
  const { data } = useQuery({
    queryKey: [id, 'webhook', webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) => client.webhooks.deliveries.get(webhookId, deliveryId, { signal }),
    enabled: !isListed,
    ...live,
  });
  if (!data || isListed) return null;
  return (
    <div className="border-b border-line">
      <DeliveryRow delivery={data} isOpen />
    </div>
  );
}
