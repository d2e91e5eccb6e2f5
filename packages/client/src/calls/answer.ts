import { ParleyError } from '../error.ts';
import type { CursorMeta, Failure, PageMeta } from '../gen/api.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** A successful answer with its header fields. */
export interface Answer<Data> {
  data: Data;
  /** For `ifMatch`, if the answer shows one resource. */
  etag: string | undefined;
  /** The id under which the service has logged the call. */
  requestId: string | undefined;
  /** Whether this is the stored answer of an earlier call with the same idempotency key. This call had no effect. */
  isReplayed: boolean;
}

type Envelope = Failure | { success: true; data: unknown; meta: PageMeta | CursorMeta | null };

/** Reads the envelope. Throws a ParleyError for the envelope of an error, and for any other text. */
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
  const detail = 'The answer is not from the API';
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
