import { AppError, type ErrorCode } from '@parley/runtime/errors';

/** How long an answer goes on before its caller is checked again. Grants of keys and people last a minute at least. */
export const renewedAfterMs = 5_000;

/** The codes of errors that say that the caller may not have the rest of the answer. */
const refusals: readonly ErrorCode[] = ['unauthenticated', 'permission_denied', 'not_found'];

/**
 * Returns a function that replaces the grant of a long answer in time. `renew` checks the caller again. Throws its
 * refusals: 401, 403 and 404. Other errors are ignored: while identity is unavailable, the last grant may still be
 * valid. `now` is a monotonic clock in milliseconds.
 */
export function createGrantRenewal(
  renew: () => Promise<void>,
  now = (): number => performance.now(),
): () => Promise<void> {
  let grantedAtMs = now();
  return async () => {
    const askedAtMs = now();
    if (askedAtMs - grantedAtMs < renewedAfterMs) return;
    try {
      await renew();
      grantedAtMs = askedAtMs;
    } catch (error) {
      if (error instanceof AppError && refusals.includes(error.code)) throw error;
    }
  };
}
