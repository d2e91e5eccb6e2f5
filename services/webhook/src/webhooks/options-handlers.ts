import { isDeepStrictEqual } from 'node:util';
import { webhookLimits } from '@parley/contracts/limits';
import type {
  DeliveryServiceService,
  RateLimit,
  UpdateWebhookOptionsRequest,
  WebhookOptions,
} from '@parley/contracts/webhook/v1/delivery';
import type { Handlers } from '@parley/rpc/definition';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import { headerFaults, inLowerCase, openHeaders, sealHeaders } from '../sending/header-fields.ts';
import { newSealedPrivateKey, openSecret } from '../sending/secrets.ts';
import { publicKeyOf } from '../sending/signing.ts';
import { changeExisting, existing } from './find-webhook.ts';
import { changeOptions, findOptions, type Options } from './options-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  keys: Keyring;
  /** Called after a commit that changed the lanes of these webhooks. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

const orderings = ['none', 'perCustomer', 'strict'] as const;
const { perSecondMin, perSecondMax, burstMax } = webhookLimits;

/** What the RPCs about a webhook's options mean. */
export function optionsHandlers({
  db,
  keys,
  onDeliveries,
}: Dependencies): Pick<Handlers<DeliveryServiceService>, 'getWebhookOptions' | 'updateWebhookOptions'> {
  const find = (workspaceId: string, id: string) => findOptions(db, workspaceId, id);
  const shown = (id: string, options: Options): WebhookOptions => ({
    headerNames: Object.keys(openHeaders(keys, id, options.headers)).toSorted(),
    rateLimit: options.rateLimit,
    ordering: options.ordering,
    isAsymmetric: options.isAsymmetric,
    publicKeys: options.privateKeys.map((sealed) => publicKeyOf(openSecret(keys, 'private-key', id, sealed))),
    version: options.version,
  });

  return {
    getWebhookOptions: async (wanted) => shown(wanted.id, await existing(find, wanted)),

    updateWebhookOptions: async (wanted) => {
      const { workspaceId, id } = wanted;
      const named = namedBy(wanted);
      const changed = await changeExisting(find, wanted, async (options) => {
        const before = { ...options, headers: openHeaders(keys, id, options.headers) };
        const { headers, ...change } = differing(named, before);
        if (!headers && Object.keys(change).length === 0) return options;
        return changeOptions(
          db,
          { workspaceId, id, version: options.version },
          {
            ...change,
            headers: headers && sealHeaders(keys, id, headers),
            privateKey: newSealedPrivateKey(keys, id),
          },
        );
      });
      onDeliveries([id]);
      return shown(id, changed);
    },
  };
}

type Wanted = Pick<UpdateWebhookOptionsRequest, 'headers' | 'rateLimit' | 'ordering' | 'isAsymmetric'>;

/** Options as a caller names them: header fields open, by names in lower case. */
interface Named extends Pick<Options, 'rateLimit' | 'ordering' | 'isAsymmetric'> {
  headers: Readonly<Record<string, string>>;
}

/** What is wanted, checked; throws with all faults at once. */
function namedBy({ headers, rateLimit, ordering, isAsymmetric }: Wanted): Partial<Named> {
  const wantedOrdering = orderings.find((one) => one === ordering);
  const faults = [
    ...headerFaults(headers?.fields ?? {}),
    ...(rateLimit?.rateLimit ? rateFaults(rateLimit.rateLimit) : []),
  ];
  if (typeof ordering === 'string' && !wantedOrdering) {
    faults.push({ pointer: '/ordering', detail: `Must be one of ${orderings.join(', ')}` });
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    ...(headers && { headers: inLowerCase(headers.fields) }),
    ...(rateLimit && { rateLimit: rateLimit.rateLimit }),
    ...(wantedOrdering && { ordering: wantedOrdering }),
    ...(typeof isAsymmetric === 'boolean' && { isAsymmetric }),
  };
}

/** What of it is not so already: the same rate again must not fill the bucket, nor the same ordering let anybody go. */
function differing(named: Partial<Named>, before: Named): Partial<Named> {
  const isOther = (name: keyof Named) => name in named && !isDeepStrictEqual(named[name], before[name]);
  return {
    ...(isOther('headers') && { headers: named.headers }),
    ...(isOther('rateLimit') && { rateLimit: named.rateLimit }),
    ...(isOther('ordering') && { ordering: named.ordering }),
    ...(isOther('isAsymmetric') && { isAsymmetric: named.isAsymmetric }),
  };
}

function rateFaults({ perSecond, burst }: RateLimit): Fault[] {
  const faults: Fault[] = [];
  if (!(perSecond >= perSecondMin && perSecond <= perSecondMax)) {
    const detail = `Must be between ${perSecondMin} and ${perSecondMax}`;
    faults.push({ pointer: '/rateLimit/perSecond', detail });
  }
  if (!(burst >= 1 && burst <= burstMax)) {
    faults.push({ pointer: '/rateLimit/burst', detail: `Must be between 1 and ${burstMax}` });
  }
  return faults;
}
