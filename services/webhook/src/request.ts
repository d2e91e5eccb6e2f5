import { signatures } from './signing.ts';

/** An HTTP POST as it will go out. */
export interface OutgoingRequest {
  /** `https://host[:port]` */
  origin: string;
  /** Path and query. Holds the secret token: never to be logged. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
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
  url: string;
  secretToken: string;
  /** `whsec_...` and `whsk_...`, each of which signs. */
  signingSecrets: readonly string[];
  privateKeys: readonly string[];
  /** The webhook's own header fields, by names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  traceparent: string | undefined;
}

/**
 * The request of an attempt: the event's bytes untouched, the secret token under `parameter` in the query (what else is
 * there stays), the webhook's own header fields, Standard Webhooks headers and ours, which win. `webhook-id` is the
 * event's: the same for every attempt and webhook.
 */
export function deliveryRequest(outgoing: Outgoing, parameter: string): OutgoingRequest {
  const { body, attempt, traceparent } = outgoing;
  const url = new URL(outgoing.url);
  // As text: `searchParams` would spell the rest of the query anew. A parameter of that name in the webhook's own URL
  // gives way.
  const pairs = url.search.slice(1).split('&');
  const others = pairs.filter((pair) => !new URLSearchParams(`?${pair}`).has(parameter)).join('&');
  url.search = `?${others && `${others}&`}${parameter}=${encodeURIComponent(outgoing.secretToken)}`;
  const id = `msg_${outgoing.eventId.replaceAll('-', '')}`;
  const timestampSeconds = Math.floor(outgoing.at.getTime() / 1_000);
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    headers: {
      ...outgoing.headers,
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signatures(outgoing, { id, timestampSeconds, body }),
      'x-parley-event': outgoing.event,
      'x-parley-workspace-id': outgoing.workspaceId,
      'x-parley-webhook-id': outgoing.webhookId,
      'x-parley-delivery-id': outgoing.deliveryId,
      'x-parley-attempt': String(attempt),
      ...(traceparent && { traceparent }),
    },
    body,
  };
}
