import { type AppError, errorCodes, type Fault } from '@parley/runtime/errors';
import type { PageMeta } from './page.ts';

/** What every successful answer looks like: exactly these five fields. */
export interface Success {
  success: true;
  code: 200;
  detail: string;
  data: unknown;
  meta: PageMeta | null;
}

/** What every error looks like. `type` is a stable slug per cause; `errors` is there for validation only. */
export interface Failure {
  success: false;
  code: number;
  detail: string;
  data: unknown;
  meta: null;
  type: string;
  requestId: string;
  errors?: Fault[];
}

/** The envelope of an answer. */
export function success(data: unknown, meta: PageMeta | null = null): Success {
  return { success: true, code: 200, detail: 'Request completed successfully', data, meta };
}

/** The envelope of an error. `data` is null but for a stale message, which brings the current snapshot. */
export function failure(error: AppError, requestId: string, data: unknown = null): Failure {
  return {
    success: false,
    code: errorCodes[error.code].http,
    detail: error.message,
    data,
    meta: null,
    type: error.type,
    requestId,
    ...(error.faults && { errors: error.faults }),
  };
}
