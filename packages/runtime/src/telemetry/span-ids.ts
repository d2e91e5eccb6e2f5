import { type Attributes, type Span, trace } from '@opentelemetry/api';

/** The ids by which a trace is found. Spans have no other part of a request. */
export interface SpanIds {
  workspaceId?: string | undefined;
  interactionId?: string | undefined;
  requestId?: string | undefined;
}

const attributeNames = {
  workspaceId: 'parley.workspace.id',
  interactionId: 'parley.interaction.id',
  requestId: 'parley.request.id',
} as const satisfies Record<keyof SpanIds, string>;

const idNames = Object.keys(attributeNames) as (keyof SpanIds)[];

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a value if it is a UUID: other input could be of any length, or personal. */
export function uuidOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && uuidForm.test(value) ? value : undefined;
}

/** Returns the ids in a message between processes: of the message, or of its `session`. */
export function idsOf(message: unknown): Pick<SpanIds, 'workspaceId' | 'interactionId'> {
  const { workspaceId, interactionId, session } = (message ?? {}) as Record<string, unknown>;
  return {
    workspaceId: uuidOrUndefined(workspaceId ?? (session as { workspaceId?: unknown } | null)?.workspaceId),
    interactionId: uuidOrUndefined(interactionId),
  };
}

export function idAttributes(ids: SpanIds): Attributes {
  const attributes: Attributes = {};
  for (const name of idNames) {
    if (ids[name] !== undefined) attributes[attributeNames[name]] = ids[name];
  }
  return attributes;
}

/** Returns the ids of a parent span of this process, which its children share. */
export function inheritedIds(parent: Span | undefined): Attributes {
  // The API hides the attributes of a span. The SDK's spans have them.
  const { attributes = {} } = (parent ?? {}) as { attributes?: Attributes };
  const inherited: Attributes = {};
  for (const name of idNames) {
    const key = attributeNames[name];
    if (attributes[key] !== undefined) inherited[key] = attributes[key];
  }
  return inherited;
}

/** Sets ids on the active span. Spans that begin inside it afterwards have them too. */
export function addSpanIds(ids: SpanIds): void {
  const span = trace.getActiveSpan();
  if (span?.isRecording()) span.setAttributes(idAttributes(ids));
}

/** Marks the active span as a long poll, so that trace lists can hide it. */
export function markPoll(): void {
  trace.getActiveSpan()?.setAttribute('parley.poll', true);
}
