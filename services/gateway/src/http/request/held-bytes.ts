import { AppError } from '@parley/runtime/errors';

/**
 * How many bytes of bodies in upload and of unread answers this process holds for one API key, or for the sessions of
 * one customer. Slow clients hold them for a minute, so that without a limit a few hundred calls fill the memory.
 */
export const heldBytesMax = 16 * 1024 * 1024;

/** The bytes that slow clients hold in this process. */
export interface HeldBytes {
  of(client: string): Transfers;
}

export interface Transfers {
  /** Throws 429 if the client would have more than the limit with so many bytes. */
  require(bytes: number): void;
  /** Holds bytes until the returned function is called. */
  hold(bytes: number): () => void;
}

export function createHeldBytes(bytesMax = heldBytesMax): HeldBytes {
  const held = new Map<string, number>();
  const add = (client: string, bytes: number): void => {
    const sum = (held.get(client) ?? 0) + bytes;
    if (sum === 0) held.delete(client);
    else held.set(client, sum);
  };
  return {
    of: (client) => ({
      require: (bytes) => {
        if ((held.get(client) ?? 0) + bytes > bytesMax) throw tooManyBytes(bytesMax);
      },
      hold: (bytes) => {
        add(client, bytes);
        let isHeld = true;
        return () => {
          if (isHeld) add(client, -bytes);
          isHeld = false;
        };
      },
    }),
  };
}

function tooManyBytes(bytesMax: number): AppError {
  const detail = `More than ${bytesMax / 1024 / 1024} MiB of this caller are in transfer: finish uploads and read answers`;
  return new AppError('resource_exhausted', 'rate-limited', detail, { retryAfterSeconds: 1 });
}
