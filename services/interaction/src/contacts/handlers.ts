import { contactLimits } from '@parley/contracts/limits';
import type {
  ContactPolicy,
  GetContactabilityRequest,
  GetContactabilityResponse,
  UpdateContactPolicyRequest,
} from '@parley/contracts/interaction/v1/contact';
import type { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import type { Handlers } from '@parley/rpc/definition';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import { loadNamedBot } from '../bots/store.ts';
import type { Deps } from '../deps.ts';
import { isLimiting, limitsOf, retryAt } from './contact-policy.ts';
import { listContacts } from './contact-store.ts';
import { loadPolicy, savePolicy } from './policy-store.ts';

export type ContactCalls = 'getContactPolicy' | 'updateContactPolicy' | 'getContactability';

export function contactHandlers({
  db,
}: Pick<Deps, 'db'>): Pick<Handlers<typeof InteractionServiceService>, ContactCalls> {
  return {
    getContactPolicy: ({ workspaceId }) => loadPolicy(db, workspaceId),

    updateContactPolicy: (request) => updatePolicy(db, request),

    getContactability: (request) => contactabilityOf(db, request),
  };
}

async function updatePolicy(db: Deps['db'], request: UpdateContactPolicyRequest): Promise<ContactPolicy> {
  const faults = (['anyBot', 'sameBot'] as const).flatMap((name) => limitFaults(name, request[name]));
  if (faults.length > 0) throw invalidRequest(faults);
  return savePolicy(db, request);
}

function limitFaults(name: string, limit: ContactPolicy['anyBot']): Fault[] {
  if (!limit || limit.count === 0) return [];
  const { countMax, daysMax } = contactLimits;
  const { count, days } = limit;
  return [
    ...(count > 0 && count <= countMax
      ? []
      : [{ pointer: `/${name}/count`, detail: `Must be between 1 and ${countMax}` }]),
    ...(days > 0 && days <= daysMax
      ? []
      : [{ pointer: `/${name}/days`, detail: `Must be between 1 and ${daysMax}` }]),
  ];
}

async function contactabilityOf(
  db: Deps['db'],
  { workspaceId, customerId, botId, botKey }: GetContactabilityRequest,
): Promise<GetContactabilityResponse> {
  const isByKey = typeof botKey === 'string';
  const isNamed = isByKey || Boolean(botId);
  const bot = isNamed ? await loadNamedBot(db, workspaceId, { id: botId || null, key: botKey }) : undefined;
  if (isNamed && !bot) {
    const pointer = isByKey ? '/botKey' : '/botId';
    throw invalidRequest([{ pointer, detail: 'There is no such bot' }]);
  }
  const policy = await loadPolicy(db, workspaceId);
  const limits = limitsOf(policy);
  if (!isLimiting(limits)) return { allowed: true, retryAt: null, policy };
  const contacts = await listContacts(db, { workspaceId }, [customerId], limits);
  const at = retryAt(limits, contacts.get(customerId) ?? [], bot?.id, new Date());
  return { allowed: at === null, retryAt: at, policy };
}
