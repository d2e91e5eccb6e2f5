import type { CatalogueEvent, InteractionCompletedEvent, InteractionHistory } from './gen/api.ts';

export type { InteractionHistory } from './gen/api.ts';

/** The body of an event with its envelope. */
export type EventEnvelope = CatalogueEvent | TestEvent;

/** The body of a test event without a name, for webhooks with the option `envelope`. */
export type TestEvent = Omit<InteractionCompletedEvent, 'type'> & { type: 'Test' };

/** A delivery as a receiver gets it. The body must be the received bytes, not the parsed body. */
export interface ReceivedWebhook {
  headers: Headers | Record<string, string | string[] | undefined>;
  body: string | Uint8Array;
}

/** A completion without an envelope, for webhooks without the option `envelope`. */
export interface CompletedHistory {
  type: 'InteractionHistory';
  data: InteractionHistory;
}

type PlainBody = InteractionHistory & { test?: true };

/** A verified delivery. `type` determines the type of `data`. */
export type WebhookEvent = {
  /** All attempts of an event have one id. Receivers may ignore duplicates. */
  id: string;
  sentAt: Date;
  /** Only of a test event. */
  test?: true;
} & (CompletedHistory | EventEnvelope);

/** A delivery that is not from the service, was changed, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const encoder = new TextEncoder();

/** How a delivery is verified. */
export interface VerifyOptions {
  /** Default: the clock. */
  now?: Date;
  /** How much the clock of the sender may differ. Default: 300. */
  toleranceSeconds?: number;
}

/**
 * Verifies a delivery (Standard Webhooks 1.0, `v1`) with the webhook's signing secret, `whsec_...`, or several of them,
 * and parses it. Rejects with a WebhookVerificationError if no signature fits, or if it was sent too long before or
 * after `now`. Rejects with a TypeError for a parsed body, or without a valid secret.
 */
export async function verifyWebhook(
  { headers, body }: ReceivedWebhook,
  signingSecrets: string | readonly string[],
  options: Date | VerifyOptions = {},
): Promise<WebhookEvent> {
  const { now = new Date(), toleranceSeconds = 300 } = options instanceof Date ? { now: options } : options;
  const secrets = [signingSecrets].flat().map(secretOf);
  if (secrets.length === 0) throw new TypeError('there must be a signing secret');
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,11}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is no number');
  const sentAt = new Date(Number(timestamp) * 1000);
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  // Not the opposite comparison: a tolerance that is no number must accept nothing.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError('webhook-timestamp is too far from now');

  const message = joined(encoder.encode(`${id}.${timestamp}.`), bytes);
  const fits = secrets.map(async (secret) => isSigned(await hmacKey(secret), message, signatures));
  if (!(await Promise.all(fits)).includes(true)) throw new WebhookVerificationError('no signature fits');
  const parsed = parse(bytes);
  if (isEnvelope(parsed)) return { ...parsed, sentAt };
  // Also of a signed body that is no object.
  const isTest = (parsed as PlainBody | null)?.test === true;
  return { id, sentAt, type: 'InteractionHistory', data: parsed, ...(isTest && { test: true }) };
}

function parse(bytes: Uint8Array): PlainBody | EventEnvelope {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as PlainBody | EventEnvelope;
  } catch (cause) {
    throw new WebhookVerificationError('the body is not JSON', { cause });
  }
}

// JavaScript callers may pass a variable that is not set.
function secretOf(text: unknown): Uint8Array<ArrayBuffer> {
  const secret = typeof text === 'string' ? fromBase64(text.replace(/^whsec_/, '')) : undefined;
  if (!secret?.length) throw new TypeError('the signing secret is not whsec_ and base64');
  return secret;
}

function isEnvelope(body: PlainBody | EventEnvelope): body is EventEnvelope {
  return typeof body === 'object' && body !== null && 'type' in body;
}

/**
 * Returns whether the URL of a delivery has the webhook's `secretToken`, compared in constant time. `url` may be only
 * path and query. `parameter` is the name of the token in this deployment.
 */
export async function hasSecretToken(
  url: string,
  secretToken: string,
  parameter = 'secretToken',
): Promise<boolean> {
  const given = new URL(url, 'http://localhost').searchParams.get(parameter);
  if (!given) return false;
  // HMACs under a random key are equal for equal texts, and their comparison takes constant time.
  const key = await hmacKey(crypto.getRandomValues(new Uint8Array(32)));
  const code = await crypto.subtle.sign('HMAC', key, encoder.encode(secretToken));
  return crypto.subtle.verify('HMAC', key, code, encoder.encode(given));
}

async function isSigned(
  key: Awaited<ReturnType<typeof hmacKey>>,
  message: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  for (const signature of signatures.split(' ')) {
    const [version, code] = signature.split(',');
    const bytes = version === 'v1' && code ? fromBase64(code) : undefined;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, message))) return true;
  }
  return false;
}

function hmacKey(secret: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function bytesOf(body: ReceivedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  // `instanceof` is false for bytes of another realm, such as a test runner's.
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError(
    'body must be a string or bytes as they were received: pass the raw body, for example express.raw()',
  );
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
