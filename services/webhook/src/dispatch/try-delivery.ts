import type { Attributes } from '@opentelemetry/api';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { idAttributes } from '@parley/runtime/telemetry/span-ids';
import { currentTraceparent, inSpan, SpanKind, SpanStatusCode } from '@parley/runtime/telemetry/telemetry';
import { firstAttemptDelay, ownFaults, recordAttempt } from '../metrics.ts';
import { isUndelayedSince, type Lane } from '../scheduling/lane.ts';
import { bodyOf } from '../sending/rules/body.ts';
import { decideNextState, pauseMsOf } from '../scheduling/attempts/next-state.ts';
import { OwnFault } from '../sending/attempt-error.ts';
import type { Egress } from '../sending/egress.ts';
import { openTarget, type OpenTargetOptions } from '../sending/rules/destination.ts';
import { withoutSecrets } from '../sending/rules/excerpt.ts';
import { deliveryRequest, type OutgoingRequest } from '../sending/rules/request.ts';
import type { Due } from './due-store.ts';
import type { Outcome } from './record-store.ts';

/** Delays after faults on our side, which count as no attempt: of all deliveries, and of this one. */
const ownFaultDelayMs = 1_000;
const defectDelayMs = 60_000;

export interface TryOptions extends OpenTargetOptions {
  logger: Logger;
  egress: Egress;
  retryDelaysMs: readonly number[];
}

type Tried = Pick<Outcome, 'next' | 'result' | 'isManual'>;

/**
 * Makes one attempt and logs its result, at `debug` if the first attempt succeeded. Never rejects. `nowMs` is by the
 * database clock.
 */
export async function tryDelivery(
  due: Due,
  lane: Lane,
  { nowMs, sendBefore }: Pick<OutgoingRequest, 'sendBefore'> & { nowMs: () => number },
  options: TryOptions,
): Promise<Tried> {
  const { logger, egress, retryDelaysMs: delaysMs } = options;
  const { workspaceId, webhookId, target, isResponsive, openings } = lane;
  const { eventId, attempt } = due;
  const ids = { deliveryId: due.id, workspaceId, webhookId, eventId, attempt };
  const line = { ...ids, isResponsive, isProbe: openings > 0, waitedMs: Math.round(nowMs() - due.dueAtMs) };
  const spanOptions = {
    kind: SpanKind.CLIENT,
    attributes: spanAttributes(due, workspaceId),
    parent: due.traceparent,
  };
  const { raisedAtMs } = due;
  const isUndelayed = raisedAtMs !== null && isUndelayedSince(lane, raisedAtMs);
  try {
    return await inSpan('POST webhook', spanOptions, async (span) => {
      const { destinationAt, secrets } = openTarget(webhookId, target, options);
      const { eventName: event, isTest, isTestInteraction } = due;
      const content = { event, isTest, isTestInteraction, body: bodyOf(due), at: new Date() };
      const outgoing = { ...ids, ...content, traceparent: currentTraceparent() };
      const request = deliveryRequest(outgoing, destinationAt(nowMs()));
      const startsAtMs = nowMs();
      const answered = await egress.post({ ...request, sendBefore });
      if (!answered) return postponed(0);
      if (raisedAtMs !== null) {
        const delayMs = Math.max(0, startsAtMs - raisedAtMs);
        firstAttemptDelay.record(delayMs / 1_000, { responsive: isUndelayed });
      }
      const result = { ...answered, excerpt: withoutSecrets(answered.excerpt, secrets, answered.isCut) };
      const { status, error, durationMs, latency } = result;
      if (status) span.setAttribute('http.response.status_code', status);
      if (error) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      const place = placeInPlan(due, startsAtMs);
      const next = decideNextState(result, place, { nowMs: nowMs(), delaysMs, random: Math.random() });
      const outcome = next.state;
      recordAttempt(outcome, error, durationMs);
      const pauseMs = pauseMsOf(next);
      const level = outcome === 'succeeded' && attempt === 1 ? 'debug' : 'info';
      logger[level](
        { ...line, outcome, status, error, durationMs, ...latency, ...(pauseMs && { pauseMs }) },
        'delivery attempted',
      );
      return { next, result, isManual: place.plannedAtMs !== null };
    });
  } catch (error) {
    // A fault of all deliveries is logged once: see `watchEgress`.
    const isOutage = error instanceof OwnFault;
    ownFaults.add({ 'error.type': isOutage ? 'egress' : 'defect' });
    if (isOutage) return postponed(ownFaultDelayMs);
    logger.error({ ...line, err: error }, 'a delivery could not be attempted');
    return postponed(defectDelayMs);
  }
}

/**
 * Returns where an attempt is in the plan of its delivery. One that a call has asked for is a planned one, too, if that
 * has become due meanwhile: it may have waited for the end of a pause.
 */
function placeInPlan({ attempt, manualAttempts, createdAtMs, plannedAtMs }: Due, startsAtMs: number) {
  const isManual = plannedAtMs !== null && plannedAtMs > startsAtMs;
  return { attempt: attempt - manualAttempts, createdAtMs, plannedAtMs: isManual ? plannedAtMs : null };
}

function spanAttributes({ id, attempt, about }: Due, workspaceId: string): Attributes {
  return {
    'http.request.method': 'POST',
    'parley.delivery.id': id,
    'parley.delivery.attempt': attempt,
    ...idAttributes({ workspaceId, interactionId: about || undefined }),
  };
}

/** Returns a retry after the delay. It counts as no attempt. */
function postponed(delayMs: number): Tried {
  return { next: { state: 'retry', delayMs }, result: null, isManual: false };
}
