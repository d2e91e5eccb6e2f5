import type { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import type { Handlers } from '@parley/rpc/definition';
import { type Answer, current, only } from './answers.ts';
import { known } from './known.ts';

// The answers of the webhook service about webhooks.

const webhook = {
  id: known.webhookId,
  url: 'https://x.example/',
  isActive: false,
  event: '',
  events: ['InteractionCompleted'],
  version: 2,
};

export function fakeWebhooks(answer: Answer) {
  return {
    createWebhook: answer('createWebhook', () => ({ webhook, replayed: false })),
    getWebhook: answer('getWebhook', ({ id }) => only(id === known.webhookId, webhook)),
    listWebhooks: answer('listWebhooks', () => ({ webhooks: [webhook] })),
    updateWebhook: answer('updateWebhook', ({ isActive, ifVersion }) =>
      current({ ...webhook, isActive }, ifVersion),
    ),
    deleteWebhook: answer('deleteWebhook', ({ ifVersion }) => {
      current(webhook, ifVersion);
      return {};
    }),
    rotateSigningSecret: answer('rotateSigningSecret', () => ({ signingSecret: 'whsec_x' })),
  } satisfies Partial<Handlers<typeof WebhookServiceService>>;
}
