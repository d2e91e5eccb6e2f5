import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type Attributes,
  context,
  type Context,
  INVALID_SPAN_CONTEXT,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

export { SpanKind, SpanStatusCode } from '@opentelemetry/api';

/** Closes what `startTelemetry` opened: sends what is left, for at most a second. Never rejects. */
export type StopTelemetry = () => Promise<void>;

const flushMsMax = 1_000;

/**
 * Switches OpenTelemetry on when one of the standard variables names an exporter (`OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_TRACES_EXPORTER`, ...) and `OTEL_SDK_DISABLED` is not true. Otherwise no SDK is loaded and nothing is recorded;
 * trace ids are passed on all the same. Spans are made by hand in rpc, postgres, events and the gateway: patching libraries costs half
 * of a call (docs/decisions/0005-spans-by-hand.md).
 */
export async function startTelemetry(service: string, env: NodeJS.ProcessEnv): Promise<StopTelemetry> {
  const named = Object.entries(env).some(
    ([name, value]) => value && value !== 'none' && /^OTEL_(EXPORTER_OTLP_|TRACES_EXPORTER)/.test(name),
  );
  if (!named || env['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  isRecording = true;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName: env['OTEL_SERVICE_NAME'] ?? `parley-${service}` });
  sdk.start();
  return async () => {
    const flushed = sdk.shutdown().catch(() => {});
    await Promise.race([flushed, setTimeout(flushMsMax)]);
  };
}

let isRecording = false;
const tracer = trace.getTracer('parley');

/** Of what something is a part: a context of OpenTelemetry, or, without the SDK, the traceparent as it is. */
export type Parent = Context | string;

// Without the SDK there are no spans: carrying a text costs a fraction of the API's ways.
const carried = new AsyncLocalStorage<string>();

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** What to continue, where it came over a wire. */
  parent?: Parent | undefined;
  /** No span where there is none to belong to: what polls would otherwise make most of all traces. */
  onlyAsChild?: boolean;
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Runs `work` inside a span. An error marks the span and is thrown on. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (isRecording) return inRecordedSpan(name, options, work);
  return typeof options.parent === 'string' ? carried.run(options.parent, work, noSpan) : work(noSpan);
}

async function inRecordedSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = recordedParent(options.parent) ?? context.active();
  const { kind = SpanKind.INTERNAL, attributes = {} } = options;
  const around = trace.getSpan(parent);
  if (options.onlyAsChild && !around) return work(noSpan);
  // The sampler has left out the span around this one: it would leave out what is inside too.
  if (options.parent === undefined && around?.isRecording() === false) return work(noSpan);
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

// A text is from before the SDK was on.
function recordedParent(parent: Parent | undefined): Context | undefined {
  return typeof parent === 'string' ? contextFrom(parent) : parent;
}

/**
 * Runs `work` on many things at once that belong to traces of their own: a span each, continuing its traceparent. `work`
 * gets the traceparents to pass on, in the order of the given ones. It is inside a span only if there is just one.
 */
export async function inSpans<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {} }: Pick<SpanOptions, 'kind' | 'attributes'>,
  traceparents: readonly (string | undefined)[],
  work: (traceparents: (string | undefined)[]) => Promise<T>,
): Promise<T> {
  if (!isRecording) {
    const parent = traceparents.length === 1 ? parentFrom(traceparents[0]) : undefined;
    return inSpan(name, { parent }, () => work([...traceparents]));
  }
  const contexts = traceparents.map((traceparent) => {
    const parent = contextFrom(traceparent);
    return trace.setSpan(parent, tracer.startSpan(name, { kind, attributes }, parent));
  });
  const spans = contexts.flatMap((one) => trace.getSpan(one) ?? []);
  const [only] = contexts.length === 1 ? contexts : [];
  try {
    const passedOn = contexts.map((one, index) => traceparentOf(one) ?? traceparents[index]);
    return await context.with(only ?? context.active(), () => work(passedOn));
  } catch (error) {
    for (const span of spans) fail(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

// The name only: a message may hold what is not for everybody who reads traces.
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
}

/** The W3C `traceparent` of the active span, or undefined when there is none. */
export function currentTraceparent(): string | undefined {
  return isRecording ? traceparentOf(context.active()) : carried.getStore();
}

/** The ids of the active span, or of the trace that is passed on without one; nothing outside of a trace. */
export function currentIds(): { traceId: string; spanId: string } | undefined {
  if (isRecording) return trace.getActiveSpan()?.spanContext();
  const traceparent = carried.getStore();
  if (traceparent === undefined) return undefined;
  return { traceId: traceparent.slice(3, 35), spanId: traceparent.slice(36, 52) };
}

function traceparentOf(one: Context): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(one, carrier);
  return carrier['traceparent'];
}

/** What a `traceparent` (W3C Trace Context) continues; what is active where there is none or it is malformed. */
export function parentFrom(traceparent: string | undefined): Parent | undefined {
  if (isRecording) return contextFrom(traceparent);
  const parsed = traceparent === undefined ? null : parseTraceParent(traceparent);
  // Written anew: a version that is not known yet may have anything behind it.
  return parsed ? written(parsed) : carried.getStore();
}

/**
 * What a request from outside continues: its `traceparent`, or a new trace where it has none. (With the SDK on, the first
 * span begins the new trace, and its sampler decides.)
 */
export function parentOfRequest(traceparent: string | undefined): Parent {
  return parentFrom(traceparent) ?? newTraceparent();
}

function contextFrom(traceparent: string | undefined): Context {
  const active = context.active();
  return traceparent ? propagation.extract(active, { traceparent }) : active;
}

function written({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

// The kernel is asked for many at a time.
const random = Buffer.alloc(24 * 256);
let randomUsed = random.length;

function newTraceparent(): string {
  if (randomUsed === random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  const digits = random.toString('hex', randomUsed, (randomUsed += 24));
  return `00-${digits.slice(0, 32)}-${digits.slice(32)}-00`;
}
