import { isDeepStrictEqual } from 'node:util';
import type { DeliveryServiceService, WebhookOptions } from '@parley/contracts/webhook/v1/delivery';
import type { Handlers } from '@parley/rpc/definition';
import { invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import { type Db, orderings } from '../schema.ts';
import { headerFaults, inLowerCase, openHeaders, sealHeaders } from '../sending/rules/header-fields.ts';
import { openSecret, sealNew } from '../sending/rules/secrets.ts';
import { newPrivateKey, publicKeyOf } from '../sending/rules/signing.ts';
import { changeOptions, findOptions, type Options } from './options-store.ts';

interface Dependencies {
  db: Db;
  keys: Keyring;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/** Returns the handlers of the RPCs about a webhook's options. */
export function optionsHandlers({ db, keys, onDeliveries }: Dependencies) {
  const present = (id: string, { headers, privateKeys, ...options }: Options): WebhookOptions => ({
    ...options,
    headerNames: Object.keys(openHeaders(keys, id, headers)).toSorted(),
    publicKeys: privateKeys.map((sealed) => publicKeyOf(openSecret(keys, 'private-key', id, sealed))),
  });

  return {
    getWebhookOptions: async ({ workspaceId, id }) => present(id, await findOptions(db, workspaceId, id)),

    updateWebhookOptions: async (request) => {
      const { workspaceId, id, ifVersion: version, headers, rateLimit, ordering, isAsymmetric } = request;
      const faults = headerFaults(headers?.fields ?? {});
      if (faults.length > 0) throw invalidRequest(faults);
      const fields = headers && inLowerCase(headers.fields);
      const isSame = (sealed: string | null) => isDeepStrictEqual(fields, openHeaders(keys, id, sealed));
      const privateKey = sealNew(keys, 'private-key', id, newPrivateKey());
      const options = await changeOptions(db, { workspaceId, id, version }, privateKey, (before) => ({
        headers: !fields || isSame(before.headers) ? before.headers : sealHeaders(keys, id, fields),
        rateLimit: rateLimit ? rateLimit.rateLimit : before.rateLimit,
        ordering: orderings.find((one) => one === ordering) ?? before.ordering,
        isAsymmetric: isAsymmetric ?? before.isAsymmetric,
      }));
      onDeliveries([id]);
      return present(id, options);
    },
  } satisfies Partial<Handlers<DeliveryServiceService>>;
}
