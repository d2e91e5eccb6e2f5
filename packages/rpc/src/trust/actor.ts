import type { Actor } from '@parley/runtime/scheduling/work';
import type { CallContext } from '../server/context.ts';

const types: Partial<Record<string, Actor['type']>> = {
  apiKey: 'key',
  personId: 'person',
  portalLinkId: 'portal',
};

/** Returns who makes a call: a key, a person or the portal by the grant, or the operator by the credential. */
export function actorOf({ caller, grant, requestId, clientAddress }: CallContext): Actor | undefined {
  if (caller === 'cli') return { type: 'operator', id: 'operator', name: '', requestId, clientAddress };
  const holder = grant?.holder;
  const type = holder && types[holder.$case];
  if (!holder || !type) return undefined;
  return { type, id: holder.value, name: grant.holderName, requestId, clientAddress };
}
