import type { Keyring } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import {
  currentTraceparent,
  inSpan,
  readTraceparent,
  SpanKind,
  SpanStatusCode,
} from '@parley/runtime/telemetry';
import type { AttemptResult } from '../sending/attempt.ts';
import { OwnFault } from '../sending/attempt-error.ts';
import type { Egress } from '../sending/egress.ts';
import { withoutSecrets } from '../sending/excerpt.ts';
import { openHeaders } from '../sending/header-fields.ts';
import { addressOf, type Destination, deliveryRequest } from '../sending/request.ts';
import { openSecret } from '../sending/secrets.ts';
import { soughtSecrets } from '../sending/sought-secrets.ts';
import type { WebhookKey } from '../schema.ts';
import type { Due } from './due-store.ts';
import type { Target } from '../rules/lane.ts';
import type { Metrics } from '../metrics.ts';
import { outcomeName, pauseMsOf, type Verdict, verdict } from '../rules/verdict.ts';

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

/** A delivery whose attempt is to be made. */
export interface Attempting extends WebhookKey, Omit<Due, 'isBlocked' | 'revision'> {
  target: Target;
  /** Its lane is responsive; the breaker is open, and this is to find out whether the receiver answers again. */
  isResponsive: boolean;
  isProbe: boolean;
}

/** What became of it. `result` is null when nothing was sent, for a reason of ours. */
export interface Tried {
  verdict: Verdict;
  result: AttemptResult | null;
}

/** When an attempt is made. */
interface Timing {
  /** By the database clock. */
  nowMs: () => number;
  /** The end of the lease, by `performance.now()`: nothing is sent later. */
  sendBefore: () => number;
}

/** Makes one attempt and logs what became of it: at `debug` when the first one succeeded. Never rejects. */
export async function tryDelivery(
  delivery: Attempting,
  egress: Egress,
  { nowMs, sendBefore }: Timing,
  options: TryOptions,
): Promise<Tried> {
  const { logger, metrics } = options;
  const { id: deliveryId, workspaceId, webhookId, eventId, attempt, isResponsive, isProbe } = delivery;
  const waitedMs = Math.round(nowMs() - delivery.dueAtMs);
  const line = { deliveryId, workspaceId, webhookId, eventId, attempt, isResponsive, isProbe, waitedMs };
  const spanOptions = {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', 'parley.delivery.id': deliveryId },
    parent: readTraceparent(delivery.traceparent ?? undefined),
  };
  try {
    return await inSpan('POST webhook', spanOptions, async (span) => {
      const opened = openTarget(delivery, options);
      const answered = await egress.post({ ...requestOf(delivery, opened, nowMs()), sendBefore });
      if (!answered) return putOff(0);
      const excerpt = withoutSecrets(answered.excerpt, opened.secrets, answered.isCut);
      const result = { ...answered, excerpt };
      if (result.status) span.setAttribute('http.response.status_code', result.status);
      if (result.error) {
        span.setAttribute('error.type', result.error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      const given = { nowMs: nowMs(), delaysMs: options.retryDelaysMs, random: Math.random() };
      const judged = verdict(result, delivery, given);
      const { status, error, durationMs, latency } = result;
      const outcome = outcomeName(judged);
      metrics.attempted({ outcome, error, durationMs });
      const pauseMs = pauseMsOf(judged);
      const level = outcome === 'succeeded' && attempt === 1 ? 'debug' : 'info';
      logger[level](
        { ...line, outcome, status, error, durationMs, ...latency, ...(pauseMs && { pauseMs }) },
        'delivery attempted',
      );
      return { verdict: judged, result };
    });
  } catch (error) {
    // An own fault concerns all deliveries and is logged once: see `watchEgress`.
    if (error instanceof OwnFault) return putOff(ownFaultDelayMs);
    logger.error({ ...line, err: error }, 'a delivery could not be attempted');
    return putOff(defectDelayMs);
  }
}

/** Nothing was sent, as far as the receiver is concerned. */
function putOff(delayMs: number): Tried {
  return { verdict: { state: 'pending', delayMs, isPause: false }, result: null };
}

/** What is decrypted once for all deliveries of a lane. */
interface Opened extends Omit<Destination, 'signingSecrets' | 'privateKeys'> {
  keys: { isSymmetric: boolean; key: string; expiresAtMs: number | null }[];
  /** What the receiver knows and the log must not show. */
  secrets: string[];
}

const openedTargets = new WeakMap<Target, Opened>();

function openTarget({ webhookId, target }: Attempting, { keys, secretTokenParameter }: TryOptions): Opened {
  const known = openedTargets.get(target);
  if (known) return known;
  const secretToken = openSecret(keys, 'secret-token', webhookId, target.secretToken);
  const headers = openHeaders(keys, webhookId, target.headers);
  const signing = target.secrets.map(({ kind, secret, expiresAtMs }) => {
    const isSymmetric = kind === 'hmac';
    return {
      isSymmetric,
      key: openSecret(keys, isSymmetric ? 'signing-secret' : 'private-key', webhookId, secret),
      expiresAtMs,
    };
  });
  const symmetric = signing.flatMap(({ isSymmetric, key }) => (isSymmetric ? [key] : []));
  const opened = {
    ...addressOf(target.url, secretToken, secretTokenParameter),
    headers,
    keys: signing,
    secrets: soughtSecrets(secretToken, symmetric, headers),
  };
  openedTargets.set(target, opened);
  return opened;
}

function requestOf(delivery: Attempting, { keys, ...opened }: Opened, nowMs: number) {
  const live = keys.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);
  const destination = {
    ...opened,
    signingSecrets: live.flatMap(({ isSymmetric, key }) => (isSymmetric ? [key] : [])),
    privateKeys: live.flatMap(({ isSymmetric, key }) => (isSymmetric ? [] : [key])),
  };
  const traceparent = currentTraceparent() ?? delivery.traceparent ?? undefined;
  const { id: deliveryId, workspaceId, webhookId, eventId, attempt } = delivery;
  const event = delivery.eventName ?? delivery.target.event;
  const body = Buffer.from(delivery.body);
  return deliveryRequest(
    { deliveryId, workspaceId, webhookId, eventId, event, attempt, at: new Date(), body, traceparent },
    destination,
  );
}
