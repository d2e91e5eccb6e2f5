import type {
  DeliveryServiceService,
  RateLimit,
  UpdateWebhookOptionsRequest,
  WebhookOptions,
} from '@parley/contracts/webhook/v1/delivery';
import type { Handlers } from '@parley/rpc/definition';
import { type Fault, invalidRequest, notFound, preconditionFailed } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/keyring';
import type { Kysely } from 'kysely';
import { validate as isUuid } from 'uuid';
import { headerFaults, openHeaders, sealHeaders } from './header-fields.ts';
import { changeOptions, findOptions, type Options, type OptionsChange } from './options-store.ts';
import type { Tables } from './schema.ts';
import { newSealedPrivateKey, openSecret } from './secrets.ts';
import { publicKeyOf } from './signing.ts';

interface Dependencies {
  db: Kysely<Tables>;
  keys: Keyring;
}

const orderings = ['none', 'perCustomer', 'strict'] as const;
const perSecondMin = 0.001;
const perSecondMax = 1_000;
const burstMax = 1_000;

/** What the RPCs about a webhook's options mean. */
export function optionsHandlers({
  db,
  keys,
}: Dependencies): Pick<Handlers<DeliveryServiceService>, 'getWebhookOptions' | 'updateWebhookOptions'> {
  const find = async (workspaceId: string, id: string): Promise<Options> => {
    const options = isUuid(id) ? await findOptions(db, workspaceId, id) : undefined;
    if (!options) throw notFound();
    return options;
  };
  const shown = (id: string, options: Options): WebhookOptions => ({
    headerNames: Object.keys(openHeaders(keys, id, options.headers)).toSorted(),
    rateLimit: options.rateLimit,
    ordering: options.ordering,
    isAsymmetric: options.isAsymmetric,
    publicKeys: options.privateKeys.map((sealed) => publicKeyOf(openSecret(keys, 'private-key', id, sealed))),
    version: options.version,
  });

  return {
    getWebhookOptions: async ({ workspaceId, id }) => shown(id, await find(workspaceId, id)),

    updateWebhookOptions: async ({ workspaceId, id, ifVersion, ...wanted }) => {
      const change = changeOf(wanted);
      for (;;) {
        const { version } = await find(workspaceId, id);
        if (typeof ifVersion === 'number' && ifVersion !== version) throw preconditionFailed();
        const changed = await changeOptions(
          db,
          { workspaceId, id, version },
          {
            ...change,
            headers: wanted.headers ? sealHeaders(keys, id, wanted.headers.fields) : undefined,
            privateKey: newSealedPrivateKey(keys, id),
          },
        );
        if (changed) return shown(id, changed);
      }
    },
  };
}

type Wanted = Pick<UpdateWebhookOptionsRequest, 'headers' | 'rateLimit' | 'ordering' | 'isAsymmetric'>;

/** What is wanted, checked, without the header fields; throws with all faults at once. */
function changeOf({
  headers,
  rateLimit,
  ordering,
  isAsymmetric,
}: Wanted): Pick<OptionsChange, 'rateLimit' | 'ordering' | 'isAsymmetric'> {
  const wantedOrdering = orderings.find((one) => one === ordering);
  const faults = [
    ...headerFaults(headers?.fields ?? {}),
    ...(rateLimit?.rateLimit ? rateFaults(rateLimit.rateLimit) : []),
  ];
  if (typeof ordering === 'string' && !wantedOrdering) {
    faults.push({ pointer: '/ordering', detail: `must be one of ${orderings.join(', ')}` });
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    rateLimit: rateLimit ? rateLimit.rateLimit : undefined,
    ordering: wantedOrdering,
    isAsymmetric: isAsymmetric ?? undefined,
  };
}

function rateFaults({ perSecond, burst }: RateLimit): Fault[] {
  const faults: Fault[] = [];
  if (!(perSecond >= perSecondMin && perSecond <= perSecondMax)) {
    const detail = `must be between ${perSecondMin} and ${perSecondMax}`;
    faults.push({ pointer: '/rateLimit/perSecond', detail });
  }
  if (!(burst >= 1 && burst <= burstMax)) {
    faults.push({ pointer: '/rateLimit/burst', detail: `must be between 1 and ${burstMax}` });
  }
  return faults;
}
