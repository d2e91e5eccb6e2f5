import type { ErrorType, Failure } from './gen/api.ts';

/** What an error says, as the API does; `status` is undefined when there was no answer. */
export interface ParleyErrorFields {
  status: number | undefined;
  /**
   * The API's slug of the cause; `no-answer` when the connection failed or took too long (`cause` says how), and
   * `unexpected-answer` when something else than the API has answered.
   */
  type: ErrorType | 'no-answer' | 'unexpected-answer' | (string & {});
  detail: string;
  /** The id under which the service has logged the call. */
  requestId?: string | undefined;
  /** Every fault of the request, each with a JSON pointer. */
  errors?: NonNullable<Failure['errors']> | undefined;
  retryAfterSeconds?: number | undefined;
  /** Null but for `stale-sequence`: the current snapshot of the talk. */
  data?: unknown;
}

/** A call that did not succeed. It holds no credentials. */
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
 * Status, type, detail and the first fault: `400 invalid-request – The request is not valid: botId: Must be a UUID`.
 */
function messageOf({ status, type, detail, errors: [fault] = [] }: ParleyErrorFields): string {
  const said = [detail, fault?.pointer.slice(1), fault?.detail].filter(Boolean).join(': ');
  return [status, type, `– ${said}`].filter(Boolean).join(' ');
}
