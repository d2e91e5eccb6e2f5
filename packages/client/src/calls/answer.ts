import { ParleyError } from '../error.ts';
import { noAnswer } from './no-answer.ts';
import type { CursorMeta, Failure, PageMeta } from '../gen/api.ts';

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

const empty: Envelope = { success: true, data: null, meta: null };

const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Returns `Retry-After` (RFC 9110, 10.2.3) in seconds. A date is compared with the answer's `Date` if it is valid, else
 * with `nowMs`. Undefined for any other text.
 */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked);
  const untilMs = readDate(asked);
  if (untilMs === undefined) return undefined;
  const fromMs = readDate(headers.get('date') ?? '') ?? nowMs;
  return Math.max(0, Math.ceil((untilMs - fromMs) / 1000));
}

// Only the current form of HTTP dates: `Date.parse` accepts other forms, which differ between platforms.
function readDate(text: string): number | undefined {
  const ms = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Reads the envelope. Throws a ParleyError for the envelope of an error, and for any other text. */
export function readAnswer({ status, headers }: Response, text: string) {
  const requestId = headers.get('x-request-id') ?? undefined;
  // A proxy may leave out the body of a deletion.
  const value = status === 204 ? empty : parse(text);
  const envelope = typeof value?.success === 'boolean' ? (value as Envelope) : undefined;
  if (envelope?.success === true) {
    const { data, meta } = envelope;
    const isReplayed = headers.get('idempotency-replayed') === 'true';
    return { data, meta, etag: headers.get('etag') ?? undefined, requestId, isReplayed };
  }
  if (status === 304) {
    const detail = 'The resource has the version of ifNoneMatch';
    throw new ParleyError({ status, type: 'not-modified', detail, requestId });
  }
  // The end of some bodies cannot be told from a cut.
  if (status === 200 && value === undefined && headers.get('content-type')?.includes('json'))
    throw noAnswer(new Error('the answer was cut'));
  const common = { status, retryAfterSeconds: retryAfterSeconds(headers, Date.now()) };
  if (typeof envelope?.type === 'string') {
    const errors = faultsOf(envelope.errors);
    throw new ParleyError({ ...envelope, ...common, errors, requestId: envelope.requestId ?? requestId });
  }
  throw unexpectedAnswer({ ...common, requestId });
}

/** Returns the error of an answer that is not from the API. */
export function unexpectedAnswer(known: Pick<ParleyError, 'status'> & Partial<ParleyError>): ParleyError {
  return new ParleyError({ ...known, type: 'unexpected-answer', detail: 'The answer is not from the API' });
}

// Something else may have written it.
function faultsOf(errors: unknown): ParleyError['errors'] {
  const isFault = (one: Partial<ParleyError['errors'][number]> | null): boolean =>
    typeof one?.pointer === 'string';
  return Array.isArray(errors) ? errors.filter(isFault) : [];
}

/** Returns undefined for a text that is no JSON. */
function parse(text: string): Partial<Envelope> | null | undefined {
  try {
    return JSON.parse(text) as Partial<Envelope> | null;
  } catch {
    return undefined;
  }
}
