import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Keyring } from '@parley/runtime/keyring';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { contextFrom, currentTraceparent, inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { Kysely } from 'kysely';
import { type AttemptResult, openSender, type Sender } from './attempt.ts';
import { type Claimed, claimDue, type Outcome, recordOutcomes } from './delivery-store.ts';
import { deliveryRequest } from './request.ts';
import type { Tables } from './schema.ts';
import { openSecret } from './secrets.ts';
import { verdict } from './verdict.ts';

/** Due retries, and deliveries that another copy has made, are seen within this time. */
const pollMs = 500;
/** How many deliveries this process may have taken and not yet recorded. */
const heldMax = 128;
const batchMax = 100;
/** How long attempts under way may go on when the process stops. */
const drainMsMax = 3_000;
/** The pause after a fault of ours, which costs the receiver no attempt. */
const ownFaultDelayMs = 60_000;

interface DeliverOptions {
  db: Kysely<Tables>;
  logger: Logger;
  keys: Keyring;
  secretTokenParameter: string;
  retryDelaysMs: readonly number[];
  connectTimeoutMs: number;
  totalTimeoutMs: number;
  /** Whether a name may lead to an address that is not public. */
  allowsPrivate: boolean;
  leaseMs: number;
}

/**
 * Delivers what is due: takes a batch under a lease, makes all its attempts at once, and records what has ended in
 * batches. Any number of workers may run. `wake` after a commit that made deliveries. Disposing takes nothing more,
 * waits for the attempts under way, up to 3 seconds, and records them; what was cut off is tried again at once by others.
 */
export function startDelivering(options: DeliverOptions): Schedule {
  const { db, logger, leaseMs } = options;
  const sender = openSender(options);
  const underWay = new Set<Promise<void>>();
  const ended: Outcome[] = [];
  let held = 0;
  let mayBeMoreDue = false;

  const claiming = repeat('claim deliveries', pollMs, logger, async () => {
    const limit = Math.min(batchMax, heldMax - held);
    mayBeMoreDue = true;
    if (limit === 0) return false;
    const claimed = await claimDue(db, { leaseToken: randomUUID(), leaseMs, limit });
    mayBeMoreDue = claimed.length === limit;
    held += claimed.length;
    for (const delivery of claimed) {
      const attempting = deliver(delivery, sender, options).then((outcome) => {
        underWay.delete(attempting);
        ended.push(outcome);
        recording.wake();
      });
      underWay.add(attempting);
    }
    return mayBeMoreDue && held < heldMax;
  });

  const recordBatch = async (): Promise<void> => {
    const batch = ended.slice(0, batchMax);
    const recorded = await recordOutcomes(db, batch);
    ended.splice(0, batch.length);
    held -= batch.length;
    for (const { delivery } of batch) {
      if (recorded.has(delivery.id)) continue;
      logger.warn({ deliveryId: delivery.id }, 'a result came after its lease');
    }
  };

  // A batch that cannot be recorded stays and is tried again: the receiver has had it.
  const recording = repeat('record deliveries', pollMs, logger, async () => {
    if (ended.length === 0) return false;
    await recordBatch();
    if (mayBeMoreDue) claiming.wake();
    return ended.length > 0;
  });

  return {
    wake: claiming.wake,
    [Symbol.asyncDispose]: async () => {
      await claiming[Symbol.asyncDispose]();
      await Promise.race([Promise.all(underWay), setTimeout(drainMsMax, undefined, { ref: false })]);
      await sender[Symbol.asyncDispose]();
      await Promise.all(underWay);
      await recording[Symbol.asyncDispose]();
      try {
        while (ended.length > 0) await recordBatch();
      } catch (error) {
        logger.warn(
          { err: error, deliveries: ended.length },
          'results are lost; their deliveries will be tried again',
        );
      }
    },
  };
}

/** Makes one attempt and says what became of it. Never rejects. */
async function deliver(delivery: Claimed, sender: Sender, options: DeliverOptions): Promise<Outcome> {
  const spanOptions = {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': 'POST', 'parley.delivery.id': delivery.id },
    parent: contextFrom(delivery.traceparent ?? undefined),
  };
  const { id: deliveryId, workspaceId, webhookId, eventId, attempt } = delivery;
  const line = { deliveryId, workspaceId, webhookId, eventId, attempt };
  try {
    return await inSpan('POST webhook', spanOptions, async (span) => {
      const result = await sender.post(requestOf(delivery, options));
      if (!result) return { delivery, verdict: { state: 'pending', delayMs: 0 }, result: null };
      if (result.status) span.setAttribute('http.response.status_code', result.status);
      if (result.error) span.setAttribute('error.type', result.error);
      const outcome = {
        delivery,
        result,
        verdict: verdict(result, attempt, options.retryDelaysMs, Math.random()),
      };
      options.logger.info({ ...line, ...summary(result, outcome) }, 'delivery attempted');
      return outcome;
    });
  } catch (error) {
    options.logger.error({ ...line, err: error }, 'a delivery could not be attempted');
    return { delivery, verdict: { state: 'pending', delayMs: ownFaultDelayMs }, result: null };
  }
}

function requestOf(delivery: Claimed, { keys, secretTokenParameter }: DeliverOptions) {
  const { id: deliveryId, webhookId, traceparent } = delivery;
  return deliveryRequest(
    {
      ...delivery,
      deliveryId,
      at: new Date(),
      secretToken: openSecret(keys, 'secret-token', webhookId, delivery.secretToken),
      signingSecrets: delivery.signingSecrets.map((sealed) =>
        openSecret(keys, 'signing-secret', webhookId, sealed),
      ),
      traceparent: currentTraceparent() ?? traceparent ?? undefined,
    },
    secretTokenParameter,
  );
}

function summary(result: AttemptResult, { verdict }: Outcome) {
  const { status, error, durationMs } = result;
  return { outcome: verdict.state === 'pending' ? 'retry' : verdict.state, status, error, durationMs };
}
