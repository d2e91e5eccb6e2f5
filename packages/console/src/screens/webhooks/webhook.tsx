import type { Webhook, WebhookStats } from '@parley/client';
import { webhookLimits } from '@parley/contracts/limits';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { part } from '../../ui/part.tsx';
import { ScreenHead, Section } from '../../ui/states.tsx';
import { Time, useDuration, useNumbers } from '../../ui/time.tsx';
import { WebhookControls } from './controls.tsx';
import { DeliveryLog } from './deliveries.tsx';
import { HourBars } from './hours.tsx';
import { Recoveries } from './recoveries.tsx';
import { WebhookState } from './state.tsx';
import { eventsOf } from './wanted-events.ts';
import { QueryState } from '../../ui/loading.tsx';
import { statsQuery, webhookQuery } from '../../data/deliveries.ts';

const PortalLinks = part(() => import('./portal-links.tsx'), 'PortalLinks');

const route = getRouteApi('/w/$workspaceId/webhooks/$webhookId');

function ShareButton({ webhookId }: { webhookId: string }) {
  const { portal: t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.share}</Button>
      <Suspense>{isOpen && <PortalLinks webhookId={webhookId} close={() => setOpen(false)} />}</Suspense>
    </>
  );
}

export function WebhookScreen() {
  const { webhookId } = route.useParams();
  const { webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { data, error, refetch } = useQuery({ ...webhookQuery(workspace, webhookId), ...live });
  const { data: stats } = useQuery({ ...statsQuery(workspace, webhookId), ...live });
  if (!data) return <QueryState query={{ data, error, refetch }} />;
  return (
    <>
      <ScreenHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="break-all">{data.url}</span>
            <WebhookState webhook={data} stats={stats} />
          </span>
        }
      >
        <WebhookControls webhook={data} />
        {workspace.portalWebhooks === undefined && <ShareButton webhookId={webhookId} />}
        <Link
          to="/w/$workspaceId/webhooks/$webhookId/settings"
          params={{ workspaceId: workspace.id, webhookId }}
          className={buttonClass()}
        >
          {t.settings}
        </Link>
      </ScreenHead>
      {stats && <Trouble webhook={data} stats={stats} />}
      {stats && <Figures webhook={data} stats={stats} />}
      <Recoveries webhookId={webhookId} />
      <DeliveryLog webhookId={webhookId} />
    </>
  );
}

/** Says why a webhook gets nothing now, and until when. */
function Trouble({ webhook, stats }: { webhook: Webhook; stats: WebhookStats }) {
  const { webhooks: t } = useTexts();
  const { pauseReason, pausedUntil, inactiveReason, failingSince, disabledAt, lastFilterError } = stats;
  const { delayReason, delayedSince, waitingEvents } = stats;
  const { count } = useNumbers();
  const atMost = (value: number, most: number): string => `${count(value)}${value < most ? '' : '+'}`;
  const lines = [
    !webhook.isActive && inactiveReason && t.whyInactive[inactiveReason],
    pauseReason && pausedUntil && (
      <>
        {t.whyPaused[pauseReason]} <Time at={pausedUntil} isExact />
      </>
    ),
    failingSince && (
      <>
        {t.failingSince} <Time at={failingSince} />
        {disabledAt && (
          <>
            {'. '}
            {t.disabledAt} <Time at={disabledAt} />
          </>
        )}
      </>
    ),
    delayReason && delayedSince && (
      <>
        {t.whyDelayed[delayReason]}{' '}
        {waitingEvents === null
          ? t.eventsWaitSince
          : t.eventsWait(atMost(waitingEvents, webhookLimits.waitingEventsCountedMax))}{' '}
        <Time at={delayedSince} isExact />
      </>
    ),
    lastFilterError !== null && t.filterFails(lastFilterError),
  ].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <ul className="card mb-4 space-y-1 border-warn p-4">
      {lines.map((line, index) => (
        <li key={index}>{line}</li>
      ))}
    </ul>
  );
}

function Figures({ webhook, stats }: { webhook: Webhook; stats: WebhookStats }) {
  const { webhooks: t, common, names } = useTexts();
  const { count } = useNumbers();
  const duration = useDuration();
  const figures: [string, React.ReactNode][] = [
    [t.waiting, count(stats.pending)],
    [t.oldestDue, stats.oldestDueSeconds === 0 ? '–' : duration(stats.oldestDueSeconds)],
    [
      t.lastSuccess,
      stats.lastSuccessAt === null ? common.never : <Time key="success" at={stats.lastSuccessAt} />,
    ],
    [t.filtered, count(stats.filtered)],
    [
      t.events,
      eventsOf(webhook)
        .map((event) => names.events[event])
        .join(', '),
    ],
  ];
  return (
    <div className="mb-4 grid items-start gap-4 lg:grid-cols-2">
      <Section title={t.now}>
        <dl className="grid grid-cols-[auto_1fr] wrap-anywhere gap-x-6 gap-y-2 p-4">
          {figures.map(([name, value]) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-quiet">{name}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t.hours}>
        <HourBars hours={stats.hours} />
      </Section>
    </div>
  );
}
