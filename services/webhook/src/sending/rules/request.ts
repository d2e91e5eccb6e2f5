import { type Signer, signatures } from './signing.ts';

export interface OutgoingRequest {
  /** `https://host[:port]` */
  origin: string;
  /** Path and query. Has the secret token: do not log it. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Returns the instant, by `performance.now()`, after which the request is not sent. Read before the first byte. */
  sendBefore: () => number;
}

export interface Destination extends Pick<OutgoingRequest, 'origin' | 'path'> {
  /** The webhook's own header fields, by names in lower case. */
  headers: Readonly<Record<string, string>>;
  signers: readonly Signer[];
}

export interface OutgoingDelivery {
  workspaceId: string;
  webhookId: string;
  deliveryId: string;
  eventId: string;
  event: string;
  isTest: boolean;
  /** It is about a test interaction. */
  isTestInteraction: boolean;
  /** From 1. */
  attempt: number;
  at: Date;
  body: Buffer;
  traceparent: string | undefined;
}

/** Returns a webhook's URL with the secret token as `parameter` of the query, whose other parameters stay. */
export function receiverAddressOf(
  target: string,
  secretToken: string,
  parameter: string,
): Pick<OutgoingRequest, 'origin' | 'path'> {
  const url = new URL(target);
  // As text, since `searchParams` would re-encode the other parameters.
  const pairs = url.search.slice(1).split('&');
  const others = pairs.filter((pair) => !new URLSearchParams(`?${pair}`).has(parameter)).join('&');
  url.search = `?${others && `${others}&`}${parameter}=${encodeURIComponent(secretToken)}`;
  return { origin: url.origin, path: url.pathname + url.search };
}

/**
 * Returns the request of an attempt: the unchanged bytes of the event, the webhook's header fields, the fields of
 * Standard Webhooks and Parley's, which take precedence. `webhook-id` is the id of the event, for every attempt and
 * webhook.
 */
export function deliveryRequest(
  outgoing: OutgoingDelivery,
  to: Destination,
): Omit<OutgoingRequest, 'sendBefore'> {
  const { body, traceparent } = outgoing;
  const { eventId: id } = outgoing;
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
      'webhook-signature': signatures(to.signers, { id, timestampSeconds, body }),
      'x-parley-event': outgoing.event,
      ...(outgoing.isTest && { 'x-parley-test': 'true' }),
      ...(outgoing.isTestInteraction && { 'x-parley-test': '1' }),
      'x-parley-workspace-id': outgoing.workspaceId,
      'x-parley-webhook-id': outgoing.webhookId,
      'x-parley-delivery-id': outgoing.deliveryId,
      'x-parley-attempt': String(outgoing.attempt),
      ...(traceparent && { traceparent }),
    },
  };
}
