import type { Webhook } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { statsQuery, webhooksQuery } from '../../data/deliveries.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Empty, ScreenHead, Skeleton, SkeletonLines } from '../../ui/states.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';
import { WebhookState } from './state.tsx';

/** All webhooks of the workspace, each with how it does. */
export function WebhookList() {
  const { webhooks: t, common } = useTexts();
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { data, error, refetch } = useQuery({ ...webhooksQuery(workspace), ...live });
  return (
    <>
      <ScreenHead title={t.title} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <SkeletonLines label={common.loading} />}
      {data?.length === 0 && (
        <Empty title={t.none}>
          <p>{t.noneHow}</p>
          <pre
            tabIndex={0}
            aria-label={t.example}
            className="overflow-x-auto rounded bg-raised p-3 text-left font-mono text-xs"
          >
            {`curl -u "$PARLEY_API_KEY:$PARLEY_API_SECRET" \\
  ${location.origin}/v1/workspaces/${workspace.id}/webhooks \\
  -d '{"url": "https://…", "secretToken": "…", "isActive": true}'`}
          </pre>
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

function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { webhooks: t, common } = useTexts();
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
        <p className="text-quiet">{webhook.event.split(',').join(', ')}</p>
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
