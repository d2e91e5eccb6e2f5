import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { filterFault } from '@parley/bot/event-filter';
import { inOrder, isEventName } from '@parley/contracts/event-names';
import type {
  DeliveryServiceService,
  UpdateWebhookOptionsRequest,
  WebhookOptions,
} from '@parley/contracts/webhook/v1/delivery';
import type { Handlers } from '@parley/rpc/definition';
import { invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import { isByPortal } from '../auditing.ts';
import { type Db, orderings, type Trx } from '../schema.ts';
import {
  headerFaults,
  inLowerCase,
  openHeadersIfPossible,
  sealHeaders,
} from '../sending/rules/header-fields.ts';
import { openIfPossible, sealNew, sealSecret } from '../sending/rules/secrets.ts';
import { newPrivateKey, publicKeyOf } from '../sending/rules/signing.ts';
import { type TargetPolicy, targetFault } from '../sending/target.ts';
import { changeOptions, findOptions, type Options } from './options-store.ts';
import { requireUnused } from './secret-token.ts';
import { lockWorkspace } from './store.ts';

interface Dependencies extends TargetPolicy {
  db: Db;
  keys: Keyring;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/** Returns a secret token that nobody knows: what a portal link moves to another server gets none of the company's. */
function randomToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns the secret token and the header fields after a change, encrypted. Unchanged values are the same text. */
async function secretsAfter(
  trx: Trx,
  keys: Keyring,
  before: Options,
  { workspaceId, id, url, secretToken, headers }: UpdateWebhookOptionsRequest,
): Promise<Pick<Options, 'secretToken' | 'headers'>> {
  const isKept = !isByPortal() || isSameOrigin(before.url, url);
  const tokenAfter = async (): Promise<string> => {
    if (typeof secretToken !== 'string') {
      return isKept ? before.secretToken : sealSecret(keys, 'secret-token', id, randomToken());
    }
    const isSame = secretToken === openIfPossible(keys, 'secret-token', id, before.secretToken);
    if (isSame) return before.secretToken;
    requireUnused(keys, await lockWorkspace(trx, workspaceId), secretToken);
    return sealSecret(keys, 'secret-token', id, secretToken);
  };
  const headersAfter = (): string | null => {
    if (!headers) return isKept ? before.headers : null;
    const fields = inLowerCase(headers.fields);
    const isSame = isDeepStrictEqual(fields, openHeadersIfPossible(keys, id, before.headers));
    return isSame ? before.headers : sealHeaders(keys, id, fields);
  };
  return { secretToken: await tokenAfter(), headers: headersAfter() };
}

function isSameOrigin(before: string, after: string | null | undefined): boolean {
  return typeof after !== 'string' || new URL(before).origin === new URL(after).origin;
}

export function optionsHandlers({ db, keys, onDeliveries, ...policy }: Dependencies) {
  const present = (id: string, stored: Options): WebhookOptions => {
    const { headers, privateKeys, url: _, secretToken: __, ...options } = stored;
    return {
      ...options,
      headerNames: Object.keys(openHeadersIfPossible(keys, id, headers) ?? {}).toSorted(),
      publicKeys: privateKeys
        .flatMap((sealed) => openIfPossible(keys, 'private-key', id, sealed) ?? [])
        .map(publicKeyOf),
    };
  };

  return {
    getWebhookOptions: async ({ workspaceId, id }) => present(id, await findOptions(db, workspaceId, id)),

    updateWebhookOptions: async (request) => {
      const { workspaceId, id, ifVersion: version, headers, rateLimit, ordering, isAsymmetric } = request;
      const { url, filter, isEnveloped } = request;
      const events = inOrder(request.events.filter(isEventName));
      const faults = headerFaults(headers?.fields ?? {});
      const urlFault = typeof url === 'string' ? targetFault(url, policy) : undefined;
      if (urlFault) faults.push({ pointer: '/url', detail: urlFault });
      const filterDetail = typeof filter?.filter === 'string' ? filterFault(filter.filter) : undefined;
      if (filterDetail) faults.push({ pointer: '/filter', detail: filterDetail });
      if (faults.length > 0) throw invalidRequest(faults);
      const privateKey = sealNew(keys, 'private-key', id, newPrivateKey());
      const options = await changeOptions(
        db,
        { workspaceId, id, version },
        privateKey,
        async (before, trx) => ({
          url: url ?? before.url,
          ...(await secretsAfter(trx, keys, before, request)),
          rateLimit: rateLimit ? rateLimit.rateLimit : before.rateLimit,
          ordering: orderings.find((one) => one === ordering) ?? before.ordering,
          isAsymmetric: isAsymmetric ?? before.isAsymmetric,
          events: events.length > 0 ? events : before.events,
          filter: filter ? (filter.filter ?? null) : before.filter,
          isEnveloped: isEnveloped ?? before.isEnveloped,
        }),
      );
      onDeliveries([id]);
      return present(id, options);
    },
  } satisfies Partial<Handlers<DeliveryServiceService>>;
}
