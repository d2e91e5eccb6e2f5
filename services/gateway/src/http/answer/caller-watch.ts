import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is asked whether a grant must be renewed. */
const watchMs = 1_000;

interface Watched {
  request: { socket: Socket };
  response: Pick<ServerResponse, 'writableFinished'>;
  renewGrant?: () => Promise<void>;
}

/**
 * Checks the caller of an answer again and renews its grant, when it is time. Throws 401, 403 or 404 if it may not have
 * the rest, and resets the connection: closing it would leave megabytes to a slow client, in the buffers of the kernel.
 */
export async function renewGrant(context: Watched): Promise<void> {
  try {
    await context.renewGrant?.();
  } catch (error) {
    context.request.socket.resetAndDestroy();
    throw error;
  }
}

/**
 * Checks the caller while a client takes an answer, and while the kernel may still hold its end: until the connection
 * closes, or the client's next bytes show that it has read the answer.
 */
export function watchCaller(context: Watched): void {
  const { request, response, renewGrant: renew } = context;
  if (!renew) return;
  const { socket } = request;
  const readBefore = socket.bytesRead;
  const watch = setInterval(() => {
    if (response.writableFinished && socket.bytesRead > readBefore) stop();
    else renewGrant(context).catch(stop);
  }, watchMs);
  const stop = (): void => {
    clearInterval(watch);
    socket.off('close', stop);
  };
  watch.unref();
  socket.once('close', stop);
}
