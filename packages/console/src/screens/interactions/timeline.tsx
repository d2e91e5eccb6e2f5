import { instant, type Delivery, type Interaction, type Webhook } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { interactionDeliveriesQuery, webhooksQuery } from '../../data/deliveries.ts';
import { historyOf } from '../../data/history.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryDetails } from '../webhooks/delivery/delivery.tsx';

interface Entry {
  at: Date;
  key: string;
  content: ReactNode;
}

/** What has happened with an interaction, from its creation over every attempt of a delivery to the end. */
export function Timeline({ interaction }: { interaction: Interaction }) {
  const { interactions: t } = useTexts();
  const { deliveries, error, retry } = useDeliveries(interaction.id);
  const entries = [
    ...useConversationEntries(interaction),
    ...deliveries.map(({ webhook, delivery }) => ({
      at: instant(delivery.createdAt),
      key: delivery.id,
      content: <DeliveryEntry webhook={webhook} delivery={delivery} />,
    })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return (
    <div className="space-y-3 p-4">
      {error && <Problem error={error} retry={retry} />}
      <ol aria-label={t.timeline} className="relative space-y-4 border-l-2 border-line pl-4">
        {entries.map(({ at, key, content }) => (
          <li key={key} className="relative">
            <span
              aria-hidden="true"
              className="absolute top-1.5 -left-[1.42rem] size-2.5 rounded-full border-2 border-panel bg-strong-line"
            />
            <div className="text-xs text-quiet">
              <Time at={at} isExact />
            </div>
            <div>{content}</div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function useConversationEntries(interaction: Interaction): Entry[] {
  const { interactions: t } = useTexts();
  const { createdAt, expiresAt, status } = interaction;
  const transcript = historyOf(interaction)?.transcript ?? [];
  const answers = transcript.filter(({ type }) => type === 'customer');
  const { startedAt, completedAt } = interaction.details ?? {};
  const entries: Entry[] = [{ at: instant(createdAt), key: 'created', content: t.happened.created }];
  const add = (key: string, at: Date | undefined, content: ReactNode): void => {
    if (at !== undefined) entries.push({ at, key, content });
  };
  add('started', startedAt ? instant(startedAt) : undefined, t.happened.started);
  const last = answers.at(-1);
  add('answers', last && new Date(last.timestamp * 1000), t.happened.answered(answers.length));
  add('completed', completedAt ? instant(completedAt) : undefined, t.happened.completed);
  if (expiresAt !== null && instant(expiresAt).getTime() <= Date.now() && status === 'Expired') {
    entries.push({ at: instant(expiresAt), key: 'expired', content: t.happened.expired });
  }
  return entries;
}

function DeliveryEntry({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { webhooks: t, names } = useTexts();
  const { id: workspaceId } = useWorkspace();
  return (
    <>
      <p>
        {t.deliveryOf(delivery.event === null ? '–' : names.events[delivery.event])}{' '}
        <Link
          to="/w/$workspaceId/webhooks/$webhookId"
          params={{ workspaceId, webhookId: webhook.id }}
          search={{ delivery: delivery.id }}
          className="link break-all"
        >
          {webhook.url}
        </Link>
      </p>
      <DeliveryDetails webhookId={webhook.id} delivery={delivery} />
    </>
  );
}

function useDeliveries(interactionId: string) {
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const {
    data: webhooks = [],
    error,
    refetch,
  } = useQuery({
    ...webhooksQuery(workspace),
    enabled: workspace.can('webhooks:read'),
  });
  const found = useQuery({
    ...interactionDeliveriesQuery(workspace, interactionId),
    enabled: workspace.can('webhooks:read'),
    ...live,
  });
  const deliveries = (found.data ?? []).flatMap((delivery) => {
    const webhook = webhooks.find(({ id }) => id === delivery.webhookId);
    return webhook ? [{ webhook, delivery }] : [];
  });
  return {
    deliveries,
    error: error ?? found.error,
    retry: () => void (error ? refetch() : found.refetch()),
  };
}
