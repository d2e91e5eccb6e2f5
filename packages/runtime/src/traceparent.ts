import { randomFillSync } from 'node:crypto';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

// As `writeTraceparent` writes it.
const ours = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-0[01]$/;

/**
 * A `traceparent` (W3C Trace Context) as it came, written anew. Undefined, which as a parent stands for what is active,
 * where there is none or it is malformed.
 */
export function readTraceparent(traceparent: string | undefined): string | undefined {
  if (!traceparent || ours.test(traceparent)) return traceparent || undefined;
  const parsed = parseTraceParent(traceparent);
  // Written anew: a version that is not known yet may have anything behind it.
  return parsed ? writeTraceparent(parsed) : undefined;
}

/** The `traceparent` of a span. */
export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** What a `traceparent` says that was written here. */
export function spanContextOf(written: string): SpanContext {
  const traceFlags = isSampled(written) ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { ...idsOf(written), traceFlags, isRemote: true };
}

/** Whether a `traceparent` that was written here is of what was recorded. */
export function isSampled(written: string): boolean {
  return written.endsWith('1');
}

/** The ids in a `traceparent` that was written here. */
export function idsOf(written: string): { traceId: string; spanId: string } {
  return { traceId: written.slice(3, 35), spanId: written.slice(36, 52) };
}

// The kernel is asked for many at a time, and all are written at once.
const digitsOfOne = 48;
const random = Buffer.alloc(256 * (digitsOfOne / 2));
let digits = '';
let digitsUsed = 0;

/** The `traceparent` of a new trace, which is not recorded. */
export function newTraceparent(): string {
  if (digitsUsed === digits.length) {
    digits = randomFillSync(random).toString('hex');
    digitsUsed = 0;
  }
  const spanAt = digitsUsed + 32;
  const traceId = digits.slice(digitsUsed, spanAt);
  digitsUsed += digitsOfOne;
  return `00-${traceId}-${digits.slice(spanAt, digitsUsed)}-00`;
}
