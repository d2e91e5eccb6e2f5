import type { Keyring } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import {
  currentTraceparent,
  inSpan,
  readTraceparent,
  SpanKind,
  SpanStatusCode,
} from '@parley/runtime/telemetry';
import { OwnFault } from '../sending/attempt-error.ts';
import type { Egress } from '../sending/egress.ts';
import { withoutSecrets } from '../sending/excerpt.ts';
import { openHeaders } from '../sending/header-fields.ts';
import { addressOf, type Destination, deliveryRequest } from '../sending/request.ts';
import { openSecret } from '../sending/secrets.ts';
import { soughtSecrets } from '../sending/sought-secrets.ts';
import type { Claimed, Target } from './claim-store.ts';
import type { Metrics } from './metrics.ts';
import type { Outcome } from './settle-store.ts';
import { outcomeName, pauseMsOf, verdict } from './verdict.ts';

/** The pauses after faults of ours, which cost the receiver no attempt: of the way out, and of this one delivery. */
const ownFaultDelayMs = 1_000;
const defectDelayMs = 60_000;

export interface TryOptions {
  logger: Logger;
  metrics: Metrics;
  keys: Keyring;
  secretTokenParameter: string;
  retryDelaysMs: readonly number[];
}

/** Makes one attempt and says what became of it, in a log line too. Never rejects. */
export async function tryDelivery(delivery: Claimed, egress: Egress, options: TryOptions): Promise<Outcome> {
  const { logger, metrics } = options;
  const { id: deliveryId, workspaceId, webhookId, eventId, attempt, isPrompt, isProbe } = delivery;
  const waitedMs = Math.round(Date.now() - delivery.dueAtMs);
  const line = { deliveryId, workspaceId, webhookId, eventId, attempt, isPrompt, isProbe, waitedMs };
  const spanOptions = {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', 'parley.delivery.id': deliveryId },
    parent: readTraceparent(delivery.traceparent ?? undefined),
  };
  try {
    return await inSpan('POST webhook', spanOptions, async (span) => {
      const opened = openTarget(delivery.target, options);
      const sendBefore = Number.POSITIVE_INFINITY;
      const answered = await egress.post({ ...requestOf(delivery, opened), sendBefore });
      if (!answered) return putOff(delivery, 0);
      const excerpt = withoutSecrets(answered.excerpt, opened.secrets, answered.isCut);
      const result = { ...answered, excerpt };
      if (result.status) span.setAttribute('http.response.status_code', result.status);
      if (result.error) {
        span.setAttribute('error.type', result.error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      const given = { nowMs: Date.now(), delaysMs: options.retryDelaysMs, random: Math.random() };
      const judged = verdict(result, delivery, given);
      const { status, error, durationMs, latency } = result;
      const outcome = outcomeName(judged);
      metrics.attempted({ outcome, error, durationMs });
      const pauseMs = pauseMsOf(judged);
      logger.info(
        { ...line, outcome, status, error, durationMs, ...latency, ...(pauseMs && { pauseMs }) },
        'delivery attempted',
      );
      return { delivery, verdict: judged, result };
    });
  } catch (error) {
    // It concerns all deliveries, and is told once: see `watchEgress`.
    if (error instanceof OwnFault) return putOff(delivery, ownFaultDelayMs);
    logger.error({ ...line, err: error }, 'a delivery could not be attempted');
    return putOff(delivery, defectDelayMs);
  }
}

/** Nothing was sent, as far as the receiver is concerned. */
function putOff(delivery: Claimed, delayMs: number): Outcome {
  return { delivery, verdict: { state: 'pending', delayMs, isPause: false }, result: null };
}

interface Opened extends Destination {
  /** What the receiver knows and the log must not show, as `soughtSecrets` has it. */
  secrets: string[];
}

const destinations = new WeakMap<Target, Opened>();

/** Once for all deliveries of a claim that go there. */
function openTarget(target: Target, options: TryOptions): Opened {
  const known = destinations.get(target);
  if (known) return known;
  const { keys, secretTokenParameter } = options;
  const { webhookId } = target;
  const secretToken = openSecret(keys, 'secret-token', webhookId, target.secretToken);
  const signingSecrets = target.signingSecrets.map((one) =>
    openSecret(keys, 'signing-secret', webhookId, one),
  );
  const headers = openHeaders(keys, webhookId, target.headers);
  const destination = {
    ...addressOf(target.url, secretToken, secretTokenParameter),
    headers,
    signingSecrets,
    privateKeys: target.privateKeys.map((one) => openSecret(keys, 'private-key', webhookId, one)),
    secrets: soughtSecrets(secretToken, signingSecrets, headers),
  };
  destinations.set(target, destination);
  return destination;
}

function requestOf(delivery: Claimed, to: Destination) {
  const traceparent = currentTraceparent() ?? delivery.traceparent ?? undefined;
  const { id: deliveryId, workspaceId, webhookId, eventId, attempt, body } = delivery;
  const event = delivery.eventName ?? delivery.target.event;
  const at = new Date();
  return deliveryRequest(
    { deliveryId, workspaceId, webhookId, eventId, event, attempt, at, body, traceparent },
    to,
  );
}
