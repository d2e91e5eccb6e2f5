import { Webhook, type WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { idempotent } from '@parley/postgres/idempotency';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { listMissingEvents, replaceBodies } from '../intake/event-store.ts';
import type { Tables } from '../schema.ts';
import { newSealedPrivateKey, openSecret, sealSecret } from '../sending/secrets.ts';
import { newSigningSecret } from '../sending/signing.ts';
import { type TargetPolicy, targetFault } from '../sending/target.ts';
import { inTransaction } from '../transaction.ts';
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
  db: Kysely<Tables>;
  keys: Keyring;
  webhooksPerWorkspace: number;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/** What each RPC about webhooks, and about the events that are kept for them, means. */
export function webhookHandlers({
  db,
  keys,
  webhooksPerWorkspace,
  onDeliveries,
  ...policy
}: Dependencies): Handlers<WebhookServiceService> {
  const newSecret = (webhookId: string): { signingSecret: string; row: { id: string; secret: string } } => {
    const signingSecret = newSigningSecret();
    const secret = sealSecret(keys, 'signing-secret', webhookId, signingSecret);
    return { signingSecret, row: { id: uuidv7(), secret } };
  };

  return {
    createWebhook: async ({ workspaceId, url, secretToken, isActive, idempotency }) => {
      const detail = targetFault(url, policy);
      if (detail) throw invalidRequest([{ pointer: '/url', detail }]);
      const id = uuidv7();
      const row = {
        id,
        workspaceId,
        url,
        isActive,
        event: 'InteractionCompleted',
        secretToken: sealSecret(keys, 'secret-token', id, secretToken),
        signingSecret: newSecret(id).row,
      };
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId,
        subject: id,
        codec: Webhook,
        effect: (on) =>
          inTransaction(on, async (trx) => {
            const others = await lockWorkspace(trx, workspaceId);
            if (others.length >= webhooksPerWorkspace) throw tooMany(webhooksPerWorkspace);
            const isInUse = others.some(
              (other) => openSecret(keys, 'secret-token', other.id, other.secretToken ?? '') === secretToken,
            );
            if (isInUse) throw secretTokenInUse();
            return insertWebhook(trx, row);
          }),
      });
      return { webhook: message, replayed };
    },

    getWebhook: ({ workspaceId, id }) => findWebhook(db, workspaceId, id),

    listWebhooks: async ({ workspaceId }) => ({ webhooks: await listWebhooks(db, workspaceId) }),

    updateWebhook: async ({ workspaceId, id, isActive, ifVersion: version }) => {
      if (!isActive) return deactivateWebhook(db, { workspaceId, id, version });
      // A caller that activates an active one wants it to be tried now, whatever the breaker says.
      const webhook = await activateWebhook(db, { workspaceId, id, version });
      onDeliveries([id]);
      return webhook;
    },

    deleteWebhook: async ({ workspaceId, id, ifVersion: version }) => {
      await deleteWebhook(db, { workspaceId, id, version });
      return {};
    },

    rotateSigningSecret: async ({ workspaceId, id, overlapSeconds }) => {
      const { signingSecret, row: secret } = newSecret(id);
      const privateKey = newSealedPrivateKey(keys, id);
      await addSigningSecret(db, { workspaceId, id }, { secret, privateKey }, overlapSeconds);
      return { signingSecret };
    },

    listMissingEvents: async ({ eventIds }) => ({ eventIds: await listMissingEvents(db, eventIds) }),

    replaceEventBodies: async ({ bodies, ...owner }) => {
      const last = new Map(bodies.map((one) => [one.eventId, one]));
      if (last.size > 0) await replaceBodies(db, owner, [...last.values()]);
      return {};
    },
  };
}

function tooMany(max: number): AppError {
  const message = `The workspace has as many webhooks as it may have: ${max}`;
  return new AppError('failed_precondition', 'too-many-webhooks', message);
}

function secretTokenInUse(): AppError {
  return new AppError(
    'already_exists',
    'secret-token-in-use',
    'A webhook with this secretToken exists already',
  );
}
