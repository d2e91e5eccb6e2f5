import { changesBetween } from '@parley/audit/rows';
import { filterFault } from '@parley/bot/event-filter';
import {
  type CreateWebhookRequest,
  type CreateWebhookResponse,
  Webhook,
  type WebhookServiceService,
} from '@parley/contracts/webhook/v1/webhook';
import { inOrder, isEventName } from '@parley/contracts/event-names';
import { idempotent } from '@parley/postgres/idempotency';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import { v7 as uuidv7 } from 'uuid';
import { auditWebhook, isByPortal, shownUrl } from '../auditing.ts';
import type { Bodies } from '../intake/bodies.ts';
import { redactEvents } from '../intake/redact-events.ts';
import { removeEvents } from '../intake/remove-events.ts';
import { listUndelivered, type Reading } from '../intake/undelivered.ts';
import type { Db, Trx } from '../schema.ts';
import { sealNew, sealSecret } from '../sending/rules/secrets.ts';
import { newPrivateKey, newSigningSecret } from '../sending/rules/signing.ts';
import { type TargetPolicy, targetFault } from '../sending/target.ts';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import { type Wanted, wantedByDefault } from '../subscriptions/subscription-store.ts';
import { requireUnused } from './secret-token.ts';
import {
  activateWebhook,
  addSigningSecret,
  deactivateWebhook,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWorkspace,
} from './store.ts';

interface Dependencies extends TargetPolicy {
  db: Db;
  keys: Keyring;
  webhooksPerWorkspace: number;
  interactions: Bodies;
  reading: Reading;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

export function webhookHandlers(dependencies: Dependencies): Handlers<WebhookServiceService> {
  const { db, keys, onDeliveries } = dependencies;
  return {
    createWebhook: (request) => createWebhook(dependencies, request),

    getWebhook: ({ workspaceId, id }) => findWebhook(db, { workspaceId, webhookId: id }),

    listWebhooks: async ({ workspaceId, webhookIds }) => {
      const all = await listWebhooks(db, workspaceId);
      return { webhooks: webhookIds.length > 0 ? all.filter(({ id }) => webhookIds.includes(id)) : all };
    },

    updateWebhook: async ({ workspaceId, id, isActive, ifVersion: version, isLimited }) => {
      if (!isActive) return deactivateWebhook(db, { workspaceId, id, version }, isByPortal());
      // Activating an active webhook resets its breaker and retries at once.
      const webhook = await activateWebhook(db, { workspaceId, id, version }, isLimited ?? false);
      onDeliveries([id]);
      return webhook;
    },

    deleteWebhook: async ({ workspaceId, id, ifVersion: version }) => {
      await deleteWebhook(db, { workspaceId, id, version });
      return {};
    },

    rotateSigningSecret: async ({ workspaceId, id, overlapSeconds }) => {
      const signingSecret = newSigningSecret();
      const secret = sealNew(keys, 'signing-secret', id, signingSecret);
      const privateKey = sealNew(keys, 'private-key', id, newPrivateKey());
      await addSigningSecret(db, { workspaceId, id }, { secret, privateKey }, overlapSeconds);
      return { signingSecret };
    },

    redactEvents: async (request, { requestId }) => ({
      eventsRemoved: await redactEvents(dependencies, request, requestId),
    }),

    removeEvents: async (request) => ({ eventsRemoved: await removeEvents(dependencies, request) }),

    listUndelivered: (request, { requestId }) =>
      listUndelivered(db, dependencies.reading, request, requestId),
  };
}

async function createWebhook(
  { db, keys, webhooksPerWorkspace, ...policy }: Dependencies,
  { workspaceId, url, secretToken, isActive, idempotency, ...chosen }: CreateWebhookRequest,
): Promise<CreateWebhookResponse> {
  const wanted = wantedOf(chosen);
  const details = {
    url: targetFault(url, policy),
    filter: wanted.filter === null ? undefined : filterFault(wanted.filter),
  };
  const faults = Object.entries(details).flatMap(([name, detail]) =>
    detail ? [{ pointer: `/${name}`, detail }] : [],
  );
  if (faults.length > 0) throw invalidRequest(faults);
  const id = uuidv7();
  const row = {
    id,
    workspaceId,
    url,
    isActive,
    ...wanted,
    secretToken: sealSecret(keys, 'secret-token', id, secretToken),
    signingSecret: sealNew(keys, 'signing-secret', id, newSigningSecret()),
  };
  const insert = async (trx: Trx): Promise<Webhook> => {
    const others = await lockWorkspace(trx, workspaceId);
    if (others.length >= webhooksPerWorkspace) {
      const message = `The workspace has reached its limit of ${webhooksPerWorkspace} webhooks`;
      throw new AppError('failed_precondition', 'too-many-webhooks', message);
    }
    requireUnused(keys, others, secretToken);
    const webhook = await insertWebhook(trx, row);
    const { events, filter, isEnveloped: envelope } = wanted;
    const options = { ...(filter !== null && { filter }), ...(envelope && { envelope }) };
    const changes = changesBetween({}, { url: shownUrl(url), events, isActive, ...options });
    await auditWebhook(trx, row, 'webhook.created', { changes });
    return webhook;
  };
  const { message, replayed } = await idempotent(db, {
    key: idempotency,
    workspaceId,
    subject: id,
    codec: Webhook,
    effect: (on) => inTransaction(on, insert),
  });
  return { webhook: message, replayed };
}

function wantedOf({
  events: names,
  filter,
  isEnveloped,
}: Pick<CreateWebhookRequest, 'events' | 'filter' | 'isEnveloped'>): Wanted {
  const events = names.length > 0 ? inOrder(names.filter(isEventName)) : wantedByDefault.events;
  return { events, filter: filter ?? null, isEnveloped: isEnveloped ?? false };
}
