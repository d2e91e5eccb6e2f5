import type { IncomingMessage, ServerResponse } from 'node:http';

/** What sends `100 Continue` for a request that still waits for it. */
const waiting = new WeakMap<IncomingMessage, () => void>();

/**
 * Makes a client with `Expect: 100-continue` wait until its body is read (RFC 9110, 10.1.1). If that never happens, the
 * answer closes the connection: the client may send the body or not, so what follows would be ambiguous.
 */
export function deferContinue(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  waiting.set(request, () => {
    waiting.delete(request);
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  });
}

/** Returns whether the client sends its body only after `requestBody`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Sends `100 Continue` if the client waits for it. */
export function requestBody(request: IncomingMessage): void {
  waiting.get(request)?.();
}
