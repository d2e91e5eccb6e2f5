import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type Attributes,
  context,
  type Context,
  INVALID_SPAN_CONTEXT,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

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
  if (!named || env['OTEL_SDK_DISABLED'] === 'true') {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    return async () => {};
  }
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

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The context to continue, where it came over a wire. */
  parent?: Context;
  /** No span where there is none to belong to: what polls would otherwise make most of all traces. */
  onlyAsChild?: boolean;
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Runs `work` inside a span. An error marks the span and is thrown on. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (isRecording) return inRecordedSpan(name, options, work);
  return options.parent ? context.with(options.parent, work, undefined, noSpan) : work(noSpan);
}

async function inRecordedSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = options.parent ?? context.active();
  const { kind = SpanKind.INTERNAL, attributes = {} } = options;
  if (options.onlyAsChild && !trace.getSpan(parent)) return work(noSpan);
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
  return traceparentOf(context.active());
}

function traceparentOf(one: Context): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(one, carrier);
  return carrier['traceparent'];
}

/** The context that a `traceparent` continues. */
export function contextFrom(traceparent: string | undefined): Context {
  return traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();
}

/**
 * The context of a request from outside: that of its `traceparent`, or of a new trace where it has none. (With the SDK
 * on, the first span begins the new trace, and its sampler decides.)
 */
export function contextOfRequest(traceparent: string | undefined): Context {
  const given = contextFrom(traceparent);
  if (isRecording || trace.getSpanContext(given)) return given;
  return trace.setSpanContext(given, {
    traceId: randomHex(),
    spanId: randomHex().slice(16),
    traceFlags: TraceFlags.NONE,
  });
}

// Node keeps random bytes for UUIDs in store; randomBytes asks the kernel each time.
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
