/**
 * Milliseconds of the steps of an attempt; null for a step that was not completed, or not needed on a kept connection.
 */
export interface Latency {
  dnsMs: number | null;
  /** TCP; through a proxy, until it has connected. */
  connectMs: number | null;
  tlsMs: number | null;
  /** From the request's first byte to the response's headers. */
  firstByteMs: number | null;
}

export const noLatency: Readonly<Latency> = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
