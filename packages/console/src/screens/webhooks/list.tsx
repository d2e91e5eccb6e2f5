import type { Webhook } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useLiveOptions } from '../../data/live.tsx';
import { mayNotChoose, useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { part } from '../../ui/part.tsx';
import { Empty, ScreenHead, Skeleton } from '../../ui/states.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';
import { WebhookState } from './state.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { eventsOf } from './wanted-events.ts';
import { QueryState } from '../../ui/loading.tsx';
import { statsQuery, webhooksQuery } from '../../data/deliveries.ts';
import { useMissingScope } from '../../ui/read-only.tsx';

const CreateWebhook = part(() => import('./create.tsx'), 'CreateWebhook');

export function WebhookList() {
  const { webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { data, error, refetch } = useQuery({ ...webhooksQuery(workspace), ...live });
  return (
    <>
      <ScreenHead title={t.title}>
        <CreateButton />
      </ScreenHead>
      <QueryState query={{ data, error, refetch }} />
      {data?.length === 0 && (
        <Empty title={t.none}>
          <p>{t.noneHow}</p>
        </Empty>
      )}
      <ul className="grid gap-3">
        {data?.map((webhook) => (
          <li key={webhook.id}>
            <WebhookCard webhook={webhook} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Opens the form of a new webhook. Some links of the portal have none. */
function CreateButton() {
  const { webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const missing = useMissingScope('webhooks:write');
  const [isCreating, setCreating] = useOpening('webhook');
  if (mayNotChoose(workspace)) return null;
  return (
    <>
      <Button kind="primary" reason={missing} onClick={() => setCreating(true)}>
        {t.create}
      </Button>
      <Suspense>{isCreating && <CreateWebhook close={() => setCreating(false)} />}</Suspense>
    </>
  );
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { webhooks: t, common, names } = useTexts();
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { count } = useNumbers();
  const { data: stats } = useQuery({ ...statsQuery(workspace, webhook.id), ...live });
  return (
    <div className="card relative flex flex-wrap items-center gap-x-6 gap-y-2 p-4 hover:bg-raised">
      <div className="min-w-0 flex-1 basis-64">
        <Link
          to="/w/$workspaceId/webhooks/$webhookId"
          params={{ workspaceId: workspace.id, webhookId: webhook.id }}
          className="font-medium break-all text-accent after:absolute after:inset-0 after:content-[''] hover:underline"
        >
          {webhook.url}
        </Link>
        <p className="text-quiet">
          {eventsOf(webhook)
            .map((event) => names.events[event])
            .join(', ')}
        </p>
      </div>
      <WebhookState webhook={webhook} stats={stats} />
      {stats ? (
        <dl className="flex gap-6">
          <div>
            <dt className="text-xs text-quiet">{t.waiting}</dt>
            <dd className="tabular-nums">{count(stats.pending)}</dd>
          </div>
          <div>
            <dt className="text-xs text-quiet">{t.lastSuccess}</dt>
            <dd>{stats.lastSuccessAt === null ? common.never : <Time at={stats.lastSuccessAt} />}</dd>
          </div>
        </dl>
      ) : (
        <Skeleton className="h-8 w-40" />
      )}
    </div>
  );
}
