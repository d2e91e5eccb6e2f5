/**
 * Returns the NATS subject of requests to evict a key from a gateway's cache. The request is the key. The gateway
 * replies with the key after the eviction. Not a subject of the event stream, whose acknowledgement would look like a
 * reply.
 */
export function evictionSubject(holder: string): string {
  return `parley-gateway.${holder}.forget`;
}
