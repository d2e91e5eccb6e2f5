import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBots } from '../data/bots.ts';
import { statsQuery, webhooksQuery } from '../data/deliveries.ts';
import { useLiveOptions } from '../data/live.tsx';
import { useWorkspace } from '../data/workspace.tsx';
import { daysAgoIn, startOfDayIn } from '../data/zone.ts';
import { useTexts } from '../texts/texts.tsx';
import { Problem } from '../ui/problem.tsx';
import { Empty, ScreenHead, Section, Skeleton, SkeletonLines } from '../ui/states.tsx';
import { useNumbers } from '../ui/time.tsx';
import { BotCard } from './bots/list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { queryOf, statuses } from './interactions/filters.ts';
import { WebhookState } from './webhooks/state.tsx';

export function Overview() {
  const { overview: t, bots: words, operator } = useTexts();
  const { name, can } = useWorkspace();
  const { data: bots, error, refetch } = useBots();
  return (
    <>
      <ScreenHead title={name} />
      <div className="grid gap-4">
        <FirstSteps />
        {can('interactions:read') && <WeekByStatus />}
        {can('webhooks:read') && <Webhooks />}
        <section aria-label={t.bots} className="grid gap-3">
          <h2 className="font-semibold">{t.bots}</h2>
          {!bots && error && <Problem error={error} retry={() => void refetch()} />}
          {!bots && !error && [1, 2, 3].map((one) => <Skeleton key={one} className="h-19" />)}
          {bots?.length === 0 && <Empty title={words.none}>{words.noneHow}</Empty>}
          {bots?.map((bot) => (
            <BotCard key={bot.id} bot={bot} />
          ))}
        </section>
        <p className="text-xs text-quiet print:hidden">
          {t.operators}{' '}
          <Link to="/operator" className="link underline">
            {operator.open}
          </Link>
        </p>
      </div>
    </>
  );
}

function WeekByStatus() {
  const { overview: t, interactions } = useTexts();
  const { id, client } = useWorkspace();
  const live = useLiveOptions();
  const { count } = useNumbers();
  // In UTC, so that everybody sees equal figures.
  const from = startOfDayIn('UTC', daysAgoIn('UTC', 6)).toISOString();
  // Tests count nowhere.
  const searchFor = (status: string) => ({ status, from, test: 'none' });
  const results = useQueries({
    queries: statuses.map((status) => ({
      queryKey: [id, 'interactions', 'count', status, from],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.interactions.list({ ...queryOf(searchFor(status)), pageSize: 1 }, { signal }),
      ...live,
    })),
  });
  const failed = results.find(({ error }) => error);
  return (
    <Section title={`${t.week} (UTC)`}>
      {failed?.error && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-b-lg bg-line sm:grid-cols-5">
        {statuses.map((status, index) => {
          const total = results[index]?.data?.meta.totalResults;
          return (
            <li
              key={status}
              className="relative bg-panel p-4 last:col-span-2 hover:bg-raised sm:last:col-span-1"
            >
              <Link
                to="/w/$workspaceId/interactions"
                params={{ workspaceId: id }}
                search={searchFor(status)}
                className="text-quiet after:absolute after:inset-0 after:content-[''] hover:underline"
              >
                {interactions.statuses[status]}
              </Link>
              <p className="mt-1 text-2xl font-semibold tabular-nums">
                {total === undefined ? <Skeleton className="h-8 w-16" /> : count(total)}
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Webhooks() {
  const { overview: t, webhooks: words, common } = useTexts();
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { count } = useNumbers();
  const { data: webhooks, error, refetch } = useQuery({ ...webhooksQuery(workspace), ...live });
  const stats = useQueries({
    queries: (webhooks ?? []).map(({ id }) => ({ ...statsQuery(workspace, id), ...live })),
  });
  return (
    <Section title={t.webhooks}>
      {!webhooks && error && <Problem error={error} retry={() => void refetch()} />}
      {!webhooks && !error && <SkeletonLines count={2} label={common.loading} />}
      {webhooks?.length === 0 && <p className="p-4 text-quiet">{words.none}</p>}
      <ul>
        {webhooks?.map((webhook, index) => {
          const own = stats[index]?.data;
          return (
            <li
              key={webhook.id}
              className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0 hover:bg-raised"
            >
              <Link
                to="/w/$workspaceId/webhooks/$webhookId"
                params={{ workspaceId: workspace.id, webhookId: webhook.id }}
                className="min-w-0 flex-1 break-all text-accent after:absolute after:inset-0 after:content-['']"
              >
                {webhook.url}
              </Link>
              {own && <span className="text-quiet">{words.waitingCount(count(own.pending))}</span>}
              <WebhookState webhook={webhook} stats={own} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
