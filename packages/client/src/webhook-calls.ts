import type { CallOptions, ChangeOptions, CreateOptions, Send } from './call.ts';
import type { NewRecovery, NewWebhook, Operations, WebhookChange, WebhookOptionsChange } from './gen/api.ts';
import { readList } from './list.ts';

type DeliveryQuery = NonNullable<Operations['listDeliveries']['input']['query']>;
type AttemptQuery = NonNullable<Operations['listAttempts']['input']['query']>;

/** The calls about the webhooks of a workspace, and about what is sent to them. */
export function webhookCalls(send: Send, workspaceId: string) {
  const workspace = { workspaceId };
  const at = (webhookId: string) => ({ params: { workspaceId, webhookId } });
  const delivery = (webhookId: string, deliveryId: string) => ({
    params: { workspaceId, webhookId, deliveryId },
  });

  return {
    list: (options?: CallOptions) => readList(send, 'listWebhooks', { params: workspace }, options),
    get: (webhookId: string, options?: CallOptions) => send('getWebhook', at(webhookId), options),
    create: (body: NewWebhook, options?: CreateOptions) =>
      send('createWebhook', { params: workspace, body }, options),
    update: (webhookId: string, body: WebhookChange, options?: ChangeOptions) =>
      send('updateWebhook', { ...at(webhookId), body }, options),
    delete: (webhookId: string, options?: ChangeOptions) => send('deleteWebhook', at(webhookId), options),
    /** Makes another signing secret, shown this once. Sent once, whatever happens. */
    rotateSigningSecret: (
      webhookId: string,
      body?: Operations['rotateSigningSecret']['input']['body'],
      options?: CallOptions,
    ) => send('rotateSigningSecret', { ...at(webhookId), ...(body !== undefined && { body }) }, options),
    /** Header fields by their names only. */
    getOptions: (webhookId: string, options?: CallOptions) =>
      send('getWebhookOptions', at(webhookId), options),
    updateOptions: (webhookId: string, body: WebhookOptionsChange, options?: ChangeOptions) =>
      send('updateWebhookOptions', { ...at(webhookId), body }, options),
    getStats: (webhookId: string, options?: CallOptions) => send('getWebhookStats', at(webhookId), options),
    /** Sends a test event; its delivery shows what becomes of it. */
    sendTest: (webhookId: string, options?: CreateOptions) => send('sendTestEvent', at(webhookId), options),
    /** Makes due again, in the background, what was not delivered. */
    recover: (webhookId: string, body: NewRecovery, options?: CreateOptions) =>
      send('recoverDeliveries', { ...at(webhookId), body }, options),
    getRecovery: (webhookId: string, recoveryId: string, options?: CallOptions) =>
      send('getRecovery', { params: { workspaceId, webhookId, recoveryId } }, options),
    deliveries: {
      /** Newest first. */
      list: (webhookId: string, query: DeliveryQuery = {}, options?: CallOptions) =>
        readList(send, 'listDeliveries', { ...at(webhookId), query }, options),
      get: (webhookId: string, deliveryId: string, options?: CallOptions) =>
        send('getDelivery', delivery(webhookId, deliveryId), options),
      /** First to last. */
      listAttempts: (
        webhookId: string,
        deliveryId: string,
        query: AttemptQuery = {},
        options?: CallOptions,
      ) => readList(send, 'listAttempts', { ...delivery(webhookId, deliveryId), query }, options),
      /** Makes it due now, whatever became of it. */
      retry: (webhookId: string, deliveryId: string, options?: CallOptions) =>
        send('retryDelivery', delivery(webhookId, deliveryId), options),
    },
  };
}
