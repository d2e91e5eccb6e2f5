import { addSpanIds, type SpanIds, uuidOrUndefined } from '@parley/runtime/telemetry/span-ids';

/** What a request is about, and who sends it. */
export interface RequestIds extends Pick<SpanIds, 'workspaceId' | 'interactionId'> {
  /** The id of an API key that has been authenticated. */
  keyId?: string;
  /** The id of a person with a session. */
  personId?: string;
  /** The id of the link of a session of the portal. */
  portalLinkId?: string;
}

/** Returns the ids in a path. They are well-formed, but need not exist. */
export function idsInPath({ workspaceId, interactionId }: Readonly<Record<string, unknown>>): RequestIds {
  return { workspaceId: uuidOrUndefined(workspaceId), interactionId: uuidOrUndefined(interactionId) };
}

/** Adds ids to the log line and the span of a request. */
export function addRequestIds({ ids }: { ids: RequestIds }, added: RequestIds): void {
  Object.assign(ids, added);
  addSpanIds(ids);
}
