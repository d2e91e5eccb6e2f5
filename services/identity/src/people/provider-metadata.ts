import type { Logger } from '@parley/runtime/telemetry/logger';
import type { ServerMetadata } from 'openid-client';

/** For so long, a sign-in asks nothing. */
const freshMs = 5 * 60_000;
/** Until then, a sign-in uses what was read before, and another read begins beside it. */
const staleMsMax = 24 * 60 * 60_000;
/** After a failure, no read begins for so long, with or without earlier metadata. */
const pauseMs = 1_000;
const stalePauseMs = 30_000;

/**
 * Returns a function that returns the metadata of the provider. Anybody can begin sign-ins, so it reads them once in
 * five minutes, shares a read that has begun, and keeps them for a day while the provider does not answer. Rejects
 * without any. `now` is a monotonic clock in milliseconds.
 */
export function createMetadataCache(
  read: () => Promise<ServerMetadata>,
  logger: Logger,
  now: () => number = () => performance.now(),
): () => Promise<ServerMetadata> {
  let known: { metadata: ServerMetadata; readAtMs: number } | undefined;
  let reading: Promise<ServerMetadata> | undefined;

  const refresh = (): Promise<ServerMetadata> => {
    reading ??= begin();
    return reading;
  };
  const begin = async (): Promise<ServerMetadata> => {
    const readAtMs = now();
    try {
      const metadata = await read();
      known = { metadata, readAtMs };
      reading = undefined;
      return metadata;
    } catch (error) {
      // Callers get this failure until another read may begin.
      setTimeout(() => (reading = undefined), known ? stalePauseMs : pauseMs).unref();
      throw error;
    }
  };
  return async () => {
    const ageMs = known ? now() - known.readAtMs : Number.POSITIVE_INFINITY;
    if (!known || ageMs > staleMsMax) return refresh();
    if (ageMs > freshMs && !reading) {
      refresh().catch((error: unknown) => {
        logger.warn({ err: error }, 'the sign-in provider does not answer: its former addresses are used');
      });
    }
    return known.metadata;
  };
}
