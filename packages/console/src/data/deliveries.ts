import type { Attempt, Delivery } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import type { Workspace } from './workspace.tsx';

export const webhooksQuery = ({ id, client }: Workspace) =>
  queryOptions({
    queryKey: [id, 'webhooks'],
    queryFn: async ({ signal }) => (await client.webhooks.list({ signal })).data,
  });

export const webhookQuery = ({ id, client }: Workspace, webhookId: string) =>
  queryOptions({
    queryKey: [id, 'webhook', webhookId],
    queryFn: ({ signal }) => client.webhooks.get(webhookId, { signal }),
  });

export const webhookOptionsQuery = ({ id, client }: Workspace, webhookId: string) =>
  queryOptions({
    queryKey: [id, 'webhook', webhookId, 'options'],
    queryFn: ({ signal }) => client.webhooks.getOptions(webhookId, { signal }),
  });

/** They change only with a release. */
export const eventTypesQuery = ({ id, client }: Workspace) =>
  queryOptions({
    queryKey: [id, 'event-types'],
    queryFn: async ({ signal }) => (await client.webhooks.listEventTypes({ signal })).data,
    staleTime: Infinity,
  });

export const statsQuery = ({ id, client }: Workspace, webhookId: string) =>
  queryOptions({
    queryKey: [id, 'webhook', webhookId, 'stats'],
    queryFn: ({ signal }) => client.webhooks.getStats(webhookId, { signal }),
  });

/** Only the newest recoveries. */
export const recoveriesQuery = ({ id, client }: Workspace, webhookId: string) =>
  queryOptions({
    queryKey: [id, 'webhook', webhookId, 'recoveries'],
    queryFn: async ({ signal }) =>
      (await client.webhooks.listRecoveries(webhookId, { limit: 5 }, { signal })).data,
  });

/** The deliveries of events about one interaction, to all webhooks. There are few. */
export const interactionDeliveriesQuery = ({ id, client }: Workspace, interactionId: string) =>
  queryOptions({
    queryKey: [id, 'deliveries', 'of', interactionId],
    queryFn: async ({ signal }): Promise<Delivery[]> => {
      const all: Delivery[] = [];
      const pages = client.interactions.listDeliveries(interactionId, { limit: 50 }, { signal });
      for await (const delivery of pages) all.push(delivery);
      return all;
    },
  });

/** The attempts of a delivery, newest first. A delivery has few. */
export const attemptsQuery = ({ id, client }: Workspace, webhookId: string, delivery: Delivery) =>
  queryOptions({
    queryKey: [id, 'webhook', webhookId, 'attempts', delivery.id, delivery.attempts, delivery.state],
    queryFn: async ({ signal }): Promise<Attempt[]> => {
      const all: Attempt[] = [];
      const pages = client.webhooks.deliveries.listAttempts(
        webhookId,
        delivery.id,
        { limit: 20 },
        { signal },
      );
      for await (const attempt of pages) all.push(attempt);
      return all.toReversed();
    },
  });

export const deliveryBodyQuery = ({ id, client }: Workspace, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: [id, 'webhook', webhookId, 'body', deliveryId],
    queryFn: ({ signal }) => client.webhooks.deliveries.getBody(webhookId, deliveryId, { signal }),
    staleTime: 60_000,
  });
