import { webhookLimits } from '@parley/contracts/limits';
import { Webhook, type WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { isUniqueViolation } from '@parley/postgres/errors';
import { idempotent } from '@parley/postgres/idempotency';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, type Fault, invalidRequest, notFound } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Tables } from '../schema.ts';
import { newSealedPrivateKey, sealSecret } from '../sending/secrets.ts';
import { newSigningSecret } from '../sending/signing.ts';
import { type TargetPolicy, targetFault } from '../sending/target.ts';
import { changeExisting, existing } from './find-webhook.ts';
import { secretTokenFingerprint } from './fingerprint.ts';
import {
  activateWebhook,
  addSigningSecret,
  deactivateWebhook,
  deleteWebhook,
  findWebhook,
  insertWithin,
  listWebhooks,
  resetLane,
  stopListening,
} from './store.ts';

interface Dependencies extends TargetPolicy {
  db: Kysely<Tables>;
  keys: Keyring;
  /** Of secret tokens: see `fingerprintKey`. */
  fingerprintKey: Buffer;
  webhooksPerWorkspace: number;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

const { secretTokenCharactersMax, overlapSecondsMax } = webhookLimits;

/** What each RPC about webhooks means. */
export function webhookHandlers({
  db,
  keys,
  fingerprintKey,
  webhooksPerWorkspace,
  onDeliveries,
  ...policy
}: Dependencies): Omit<Handlers<WebhookServiceService>, 'listMissingEvents' | 'replaceEventBodies'> {
  const find = (workspaceId: string, id: string) => findWebhook(db, workspaceId, id);
  const newSecret = (webhookId: string): { signingSecret: string; row: { id: string; secret: string } } => {
    const signingSecret = newSigningSecret();
    const secret = sealSecret(keys, 'signing-secret', webhookId, signingSecret);
    return { signingSecret, row: { id: uuidv7(), secret } };
  };

  return {
    createWebhook: async ({ workspaceId, url, secretToken, isActive, idempotency }) => {
      const faults = creationFaults(url, secretToken, policy);
      if (faults.length > 0) throw invalidRequest(faults);
      const id = uuidv7();
      const row = {
        id,
        workspaceId,
        url,
        isActive,
        event: 'InteractionCompleted',
        secretToken: sealSecret(keys, 'secret-token', id, secretToken),
        secretTokenFingerprint: secretTokenFingerprint(fingerprintKey, workspaceId, secretToken),
        signingSecret: newSecret(id).row,
      };
      try {
        const { message, replayed } = await idempotent(db, {
          key: idempotency,
          workspaceId,
          subject: id,
          codec: Webhook,
          effect: async (trx) => {
            const webhook = await insertWithin(trx, row, webhooksPerWorkspace);
            if (!webhook) throw tooMany(webhooksPerWorkspace);
            return webhook;
          },
        });
        return { webhook: message, replayed };
      } catch (error) {
        if (!isUniqueViolation(error, 'webhook_secret_token_unique')) throw error;
        throw new AppError(
          'already_exists',
          'secret-token-in-use',
          'A webhook with this secretToken exists already',
          { cause: error },
        );
      }
    },

    getWebhook: (wanted) => existing(find, wanted),

    listWebhooks: async ({ workspaceId }) => ({ webhooks: await listWebhooks(db, workspaceId) }),

    updateWebhook: ({ isActive, ...wanted }) =>
      changeExisting(find, wanted, async (webhook) => {
        const read = { ...webhook, workspaceId: wanted.workspaceId };
        if (webhook.isActive !== isActive) {
          return isActive ? activateWebhook(db, read) : deactivateWebhook(db, read);
        }
        if (isActive) {
          // Who says so for an active one wants it to be tried now, whatever the breaker says.
          const lane = { workspaceId: read.workspaceId, webhookId: read.id };
          await db.transaction().execute((trx) => resetLane(trx, lane));
          onDeliveries([read.id]);
        } else await stopListening(db, read);
        return webhook;
      }),

    deleteWebhook: (wanted) =>
      changeExisting(find, wanted, async ({ version }) =>
        (await deleteWebhook(db, { ...wanted, version })) ? {} : undefined,
      ),

    rotateSigningSecret: async ({ workspaceId, id, overlapSeconds }) => {
      if (overlapSeconds < 0 || overlapSeconds > overlapSecondsMax) {
        const detail = `Must be between 0 and ${overlapSecondsMax}`;
        throw invalidRequest([{ pointer: '/overlapSeconds', detail }]);
      }
      const { signingSecret, row: secret } = newSecret(id);
      const privateKey = newSealedPrivateKey(keys, id);
      if (!(await addSigningSecret(db, { workspaceId, id }, { secret, privateKey }, overlapSeconds))) {
        throw notFound();
      }
      return { signingSecret };
    },
  };
}

function tooMany(max: number): AppError {
  const message = `The workspace has as many webhooks as it may have: ${max}`;
  return new AppError('failed_precondition', 'too-many-webhooks', message);
}

function creationFaults(url: string, secretToken: string, policy: TargetPolicy): Fault[] {
  const faults: Fault[] = [];
  const inUrl = targetFault(url, policy);
  if (inUrl) faults.push({ pointer: '/url', detail: inUrl });
  const length = [...secretToken].length;
  if (length < 1 || length > secretTokenCharactersMax) {
    faults.push({ pointer: '/secretToken', detail: `Must have 1 to ${secretTokenCharactersMax} characters` });
  }
  return faults;
}
