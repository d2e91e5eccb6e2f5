import { isDeepStrictEqual } from 'node:util';
import type { DeliveryServiceService, WebhookOptions } from '@parley/contracts/webhook/v1/delivery';
import type { Handlers } from '@parley/rpc/definition';
import { invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import { headerFaults, inLowerCase, openHeaders, sealHeaders } from '../sending/header-fields.ts';
import { newSealedPrivateKey, openSecret } from '../sending/secrets.ts';
import { publicKeyOf } from '../sending/signing.ts';
import { changeOptions, findOptions, type Options, orderings } from './options-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  keys: Keyring;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/** What the RPCs about a webhook's options mean. */
export function optionsHandlers({
  db,
  keys,
  onDeliveries,
}: Dependencies): Pick<Handlers<DeliveryServiceService>, 'getWebhookOptions' | 'updateWebhookOptions'> {
  const shown = (id: string, { headers, privateKeys, ...options }: Options): WebhookOptions => ({
    ...options,
    headerNames: Object.keys(openHeaders(keys, id, headers)).toSorted(),
    publicKeys: privateKeys.map((sealed) => publicKeyOf(openSecret(keys, 'private-key', id, sealed))),
  });

  return {
    getWebhookOptions: async ({ workspaceId, id }) => shown(id, await findOptions(db, workspaceId, id)),

    updateWebhookOptions: async (request) => {
      const { workspaceId, id, ifVersion: version, headers, rateLimit, ordering, isAsymmetric } = request;
      const faults = headerFaults(headers?.fields ?? {});
      if (faults.length > 0) throw invalidRequest(faults);
      const fields = headers && inLowerCase(headers.fields);
      const isSame = (sealed: string | null) => isDeepStrictEqual(fields, openHeaders(keys, id, sealed));
      const privateKey = newSealedPrivateKey(keys, id);
      const options = await changeOptions(db, { workspaceId, id, version }, privateKey, (before) => ({
        headers: !fields || isSame(before.headers) ? before.headers : sealHeaders(keys, id, fields),
        rateLimit: rateLimit ? rateLimit.rateLimit : before.rateLimit,
        ordering: orderings.find((one) => one === ordering) ?? before.ordering,
        isAsymmetric: isAsymmetric ?? before.isAsymmetric,
      }));
      onDeliveries([id]);
      return shown(id, options);
    },
  };
}
