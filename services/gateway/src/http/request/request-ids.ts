import { addSpanIds, type SpanIds, uuidOrUndefined } from '@parley/runtime/telemetry/span-ids';

export interface RequestIds extends Pick<SpanIds, 'workspaceId' | 'interactionId'> {
  /** The id of an API key that has been authenticated. */
  keyId?: string;
  personId?: string;
  portalLinkId?: string;
}

/** Returns the ids in a path. They are well-formed, but need not exist. */
export function idsInPath({ workspaceId, interactionId }: Readonly<Record<string, unknown>>): RequestIds {
  return { workspaceId: uuidOrUndefined(workspaceId), interactionId: uuidOrUndefined(interactionId) };
}

export function addRequestIds({ ids }: { ids: RequestIds }, added: RequestIds): void {
  Object.assign(ids, added);
  addSpanIds(ids);
}
