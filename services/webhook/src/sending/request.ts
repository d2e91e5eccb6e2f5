import { signatures } from './signing.ts';

/** An HTTP POST as it will go out. */
export interface OutgoingRequest {
  /** `https://host[:port]` */
  origin: string;
  /** Path and query. Holds the secret token: never to be logged. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Returns an instant of `performance.now()` from which the request is not sent; read right before its first byte. */
  sendBefore: () => number;
}

/** What the requests of a webhook have in common. */
export interface Destination extends Pick<OutgoingRequest, 'origin' | 'path'> {
  /** The webhook's own header fields, by names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** `whsec_...` and `whsk_...`, each of which signs. */
  signingSecrets: readonly string[];
  privateKeys: readonly string[];
}

/** One attempt of a delivery, as it is put into headers. */
export interface Outgoing {
  workspaceId: string;
  webhookId: string;
  deliveryId: string;
  eventId: string;
  /** The public name of the event. */
  event: string;
  /** From 1. */
  attempt: number;
  at: Date;
  body: Buffer;
  traceparent: string | undefined;
}

/** A webhook's URL with the secret token under `parameter` in the query; what else is there stays. */
export function addressOf(
  target: string,
  secretToken: string,
  parameter: string,
): Pick<OutgoingRequest, 'origin' | 'path'> {
  const url = new URL(target);
  // As text: `searchParams` would spell the rest of the query anew. A parameter of that name in the webhook's own URL
  // gives way.
  const pairs = url.search.slice(1).split('&');
  const others = pairs.filter((pair) => !new URLSearchParams(`?${pair}`).has(parameter)).join('&');
  url.search = `?${others && `${others}&`}${parameter}=${encodeURIComponent(secretToken)}`;
  return { origin: url.origin, path: url.pathname + url.search };
}

/**
 * The request of an attempt: the event's bytes untouched, the webhook's own header fields, Standard Webhooks headers
 * and ours, which win. `webhook-id` is the event's: the same for every attempt and webhook.
 */
export function deliveryRequest(outgoing: Outgoing, to: Destination): Omit<OutgoingRequest, 'sendBefore'> {
  const { body, traceparent } = outgoing;
  const id = `msg_${outgoing.eventId.replaceAll('-', '')}`;
  const timestampSeconds = Math.floor(outgoing.at.getTime() / 1_000);
  return {
    origin: to.origin,
    path: to.path,
    body,
    headers: {
      ...to.headers,
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signatures(to, { id, timestampSeconds, body }),
      'x-parley-event': outgoing.event,
      'x-parley-workspace-id': outgoing.workspaceId,
      'x-parley-webhook-id': outgoing.webhookId,
      'x-parley-delivery-id': outgoing.deliveryId,
      'x-parley-attempt': String(outgoing.attempt),
      ...(traceparent && { traceparent }),
    },
  };
}
