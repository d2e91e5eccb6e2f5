import type { ErrorType, Failure } from './gen/api.ts';

/** The fields of an error of the API. `status` is undefined if there was no answer. */
export interface ParleyErrorFields {
  status: number | undefined;
  /**
   * The API's slug of the cause. `no-answer`: the connection failed or timed out (`cause` has the reason).
   * `not-modified`: the resource has the version of `ifNoneMatch`. `unexpected-answer`: the answer is not from the API.
   */
  type: ErrorType | 'no-answer' | 'not-modified' | 'unexpected-answer' | (string & {});
  detail: string;
  /** The id under which the service has logged the call. */
  requestId?: string | undefined;
  /** All faults of the request, each with a JSON pointer. */
  errors?: NonNullable<Failure['errors']> | undefined;
  retryAfterSeconds?: number | undefined;
  /** For `stale-sequence` the current snapshot of the conversation, otherwise null. */
  data?: unknown;
}

/** A failed call. Contains no credentials. */
export class ParleyError extends Error implements ParleyErrorFields {
  override readonly name = 'ParleyError';
  readonly status: ParleyErrorFields['status'];
  readonly type: ParleyErrorFields['type'];
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly errors: NonNullable<Failure['errors']>;
  readonly retryAfterSeconds: number | undefined;
  readonly data: unknown;

  constructor(fields: ParleyErrorFields, options?: { cause?: unknown }) {
    super(messageOf(fields), options);
    this.status = fields.status;
    this.type = fields.type;
    this.detail = fields.detail;
    this.requestId = fields.requestId;
    this.errors = fields.errors ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.data = fields.data ?? null;
  }
}

/**
 * Returns status, type, detail and the first fault, such as `400 invalid-request – The request is not valid:
 * botId: Must be a UUID`.
 */
function messageOf({ status, type, detail, errors: [fault] = [] }: ParleyErrorFields): string {
  const said = [detail, fault?.pointer.slice(1), fault?.detail].filter(Boolean).join(': ');
  return [status, type, `– ${said}`].filter(Boolean).join(' ');
}
