import { ParleyError } from './error.ts';
import type { CursorMeta, Failure, PageMeta } from './gen/api.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** A successful answer, with what its header says. */
export interface Answer<Data> {
  data: Data;
  /** For `ifMatch`, where the answer shows one thing. */
  etag: string | undefined;
  /** The id under which the service has logged the call. */
  requestId: string | undefined;
  /** Whether an earlier call with the same idempotency key has had this answer: then this one had no effect. */
  isReplayed: boolean;
}

type Envelope = Failure | { success: true; data: unknown; meta: PageMeta | CursorMeta | null };

/** Reads the envelope; throws a ParleyError when it is that of an error, or none. */
export function readAnswer({ status, headers }: Response, text: string) {
  const envelope = parse(text);
  const requestId = headers.get('x-request-id') ?? undefined;
  if (envelope?.success === true) {
    const { data, meta } = envelope;
    const isReplayed = headers.get('idempotency-replayed') === 'true';
    return { data, meta, etag: headers.get('etag') ?? undefined, requestId, isReplayed };
  }
  const common = { status, retryAfterSeconds: retryAfterSeconds(headers, Date.now()) };
  if (envelope) throw new ParleyError({ ...envelope, ...common });
  const detail = 'The answer is not one of the API';
  throw new ParleyError({ ...common, type: 'unexpected-answer', detail, requestId });
}

function parse(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as Partial<Envelope> | null;
    return typeof value?.success === 'boolean' ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
