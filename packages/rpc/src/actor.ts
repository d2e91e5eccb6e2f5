import type { Actor } from '@parley/runtime/work-scope';
import type { CallContext } from './context.ts';

/** Returns who makes a call: an API key or a person by the grant, or the operator by the credential. */
export function actorOf({ caller, grant, requestId, clientAddress }: CallContext): Actor | undefined {
  if (caller === 'cli') return { type: 'operator', id: 'operator', name: '', requestId, clientAddress };
  const holder = grant?.holder;
  const type = holder?.$case === 'apiKey' ? 'key' : holder?.$case === 'personId' ? 'person' : undefined;
  if (!holder || !type) return undefined;
  return { type, id: holder.value, name: grant.holderName, requestId, clientAddress };
}
