/** Messages between replicas of a service. Not in the event stream, whose acknowledgements could pass for replies. */
export const broadcastSubjects = {
  interactionChanged: 'parley-interaction.changed',
  deliveriesDue: 'parley-webhook.due',
  shardsMoved: 'parley-webhook.shards',
} as const;

/**
 * Returns the NATS subject of requests to evict a key from the cache of the gateway `holder`, with `*` of any. The
 * request is the key, or the `sessionLease` of a session. The gateway replies `evictionAnswer` after the eviction.
 */
export function evictionSubject(holder: string): string {
  return `parley-gateway.${holder}.forget`;
}

/** Returns the name of a session in leases and requests to evict it. No API key has this form. */
export function sessionLease(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The answer of a gateway that has forgotten a key. A constant: the request names the subject that it goes to. */
export const evictionAnswer = 'forgotten';
