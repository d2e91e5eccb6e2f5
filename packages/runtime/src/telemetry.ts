import { setTimeout } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  INVALID_SPAN_CONTEXT,
  INVALID_TRACEID,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { type Active, activeHere, contextManager, runInside } from './active.ts';
import { isOurFault } from './errors.ts';
import { tellOfTelemetry, type Teller } from './telemetry-log.ts';
import {
  idsOf,
  isSampled,
  newTraceparent,
  readTraceparent,
  spanContextOf,
  writeTraceparent,
} from './traceparent.ts';

export { SpanKind, SpanStatusCode } from '@opentelemetry/api';
export { readTraceparent } from './traceparent.ts';

/** Closes what `startTelemetry` opened: sends what is left, for at most a second. Never rejects. */
export type StopTelemetry = () => Promise<void>;

const flushMsMax = 1_000;

/**
 * Switches OpenTelemetry on when a standard variable names an exporter (any `OTEL_EXPORTER_OTLP_...`, or
 * `OTEL_TRACES_EXPORTER`) and `OTEL_SDK_DISABLED` is not true. Otherwise no SDK is loaded and nothing is recorded;
 * trace ids are passed on all the same, in both cases as W3C `traceparent`. Spans are made by hand in rpc, postgres,
 * events and the gateway: patching libraries costs half of a call (docs/decisions/0005-spans-by-hand.md). What the SDK
 * complains of, such as an exporter that cannot send, goes to the logger, and nowhere without one. `env` is the process's
 * own, which the SDK reads too.
 */
export async function startTelemetry(
  service: string,
  env: NodeJS.ProcessEnv,
  logger?: Teller,
): Promise<StopTelemetry> {
  const named = Object.entries(env).some(
    ([name, value]) => value && value !== 'none' && /^OTEL_(EXPORTER_OTLP_|TRACES_EXPORTER)/.test(name),
  );
  if (!named || env['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  isRecording = true;
  // Of the samplers that can be named, these two decide for themselves.
  heedsParents = !['always_on', 'traceidratio'].includes(env['OTEL_TRACES_SAMPLER'] ?? '');
  if (logger) tellOfTelemetry(logger);
  // By it the SDK would write lines of plain text between ours.
  delete env['OTEL_LOG_LEVEL'];
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const serviceName = env['OTEL_SERVICE_NAME'] || `parley-${service}`;
  const sdk = new NodeSDK({ serviceName, contextManager });
  sdk.start();
  return async () => {
    const flushed = sdk.shutdown().catch(() => {});
    await Promise.race([flushed, setTimeout(flushMsMax)]);
  };
}

let isRecording = false;
// Whether the sampler leaves out whatever is part of something that was left out: then it need not be asked.
let heedsParents = true;
const tracer = trace.getTracer('parley');

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The traceparent to continue, where it came over a wire: see `readTraceparent`. */
  parent?: string | undefined;
  /**
   * Whether it begins a trace where there is none to belong to: `always` unless said, `never`, or, of what polls do, only
   * if it `failed`. Polls and probes would otherwise make most of all traces.
   */
  asRoot?: 'always' | 'failed' | 'never';
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs `work` inside a span. An error marks the span and is thrown on; of a call (`CLIENT`) only a fault of ours does
 * (`isOurFault`): a 404 is an answer like others.
 */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { parent, asRoot = 'always' } = options;
  if (!isRecording) return parent === undefined ? work(noSpan) : runInside(parent, work, noSpan);
  const around = parent ?? activeHere();
  // What is around it here is not recorded: it would not be either.
  if (parent === undefined && typeof around === 'string') return work(noSpan);
  if (around === undefined && asRoot === 'never') return work(noSpan);
  if (around === undefined && asRoot === 'failed') return inSpanIfFailed(name, options, work);
  const inside = begin(name, options, around);
  if (typeof inside === 'string') return runInside(inside, work, noSpan);
  return inRecordedSpan(inside, options.kind, work);
}

/** Lets the sampler decide. What is not recorded leaves a text, and no span. */
function begin(name: string, options: SpanOptions, around: Active | undefined): Active {
  if (typeof around === 'string' && heedsParents && !isSampled(around)) return around;
  const parent = typeof around === 'string' ? remote(around) : (around ?? ROOT_CONTEXT);
  const { kind = SpanKind.INTERNAL, attributes = {} } = options;
  const span = tracer.startSpan(name, { kind }, parent);
  // Only now: no sampler that can be named looks at attributes, and most of them would be copied for nothing.
  if (span.isRecording()) return trace.setSpan(parent, span.setAttributes(attributes));
  const spanContext = span.spanContext();
  // It has no ids where nothing is recorded at all: an exporter may be for metrics only.
  return spanContext.traceId === INVALID_TRACEID ? newTraceparent() : writeTraceparent(spanContext);
}

/** A span is made only afterwards: what is done meanwhile belongs to none. */
async function inSpanIfFailed<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const startTime = Date.now();
  try {
    return await work(noSpan);
  } catch (error) {
    if (isFailure(kind, error)) {
      const span = tracer.startSpan(name, { kind, attributes, startTime }, ROOT_CONTEXT);
      fail(span, error);
      span.end();
    }
    throw error;
  }
}

function remote(traceparent: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, spanContextOf(traceparent));
}

async function inRecordedSpan<T>(
  inside: Context,
  kind: SpanKind | undefined,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = trace.getSpan(inside) ?? noSpan;
  try {
    return await runInside(inside, work, span);
  } catch (error) {
    if (isFailure(kind, error)) fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function isFailure(kind: SpanKind | undefined, error: unknown): boolean {
  return kind !== SpanKind.CLIENT || isOurFault(error);
}

/**
 * Runs `work` on many things at once that belong to traces of their own: a span each, continuing its traceparent. `work`
 * gets the traceparents to pass on, in the order of the given ones. It is inside a span only if there is just one.
 */
export async function inSpans<T>(
  name: string,
  options: Pick<SpanOptions, 'kind' | 'attributes'>,
  traceparents: readonly (string | undefined)[],
  work: (traceparents: (string | undefined)[]) => Promise<T>,
): Promise<T> {
  if (!isRecording) {
    const parent = traceparents.length === 1 ? readTraceparent(traceparents[0]) : undefined;
    return inSpan(name, { parent }, () => work([...traceparents]));
  }
  const inside = traceparents.map((one) => begin(name, options, readTraceparent(one) ?? activeHere()));
  const spans = inside.flatMap((one) => (typeof one === 'string' ? [] : (trace.getSpan(one) ?? [])));
  const passedOn = inside.map(traceparentOf);
  const [only] = inside.length === 1 ? inside : [];
  try {
    return await (only === undefined ? work(passedOn) : runInside(only, work, passedOn));
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

/** The W3C `traceparent` of the active span, or of what is passed on without one; undefined outside of both. */
export function currentTraceparent(): string | undefined {
  return traceparentOf(activeHere());
}

/** The ids of the active span, or of the trace that is passed on without one; nothing outside of a trace. */
export function currentIds(): { traceId: string; spanId: string } | undefined {
  const inside = activeHere();
  if (inside === undefined) return undefined;
  return typeof inside === 'string' ? idsOf(inside) : trace.getSpanContext(inside);
}

function traceparentOf(inside: Active | undefined): string | undefined {
  if (typeof inside !== 'object') return inside;
  const spanContext = trace.getSpanContext(inside);
  return spanContext && writeTraceparent(spanContext);
}

/**
 * What a request from outside continues: its `traceparent`, or a new trace where it has none. (With the SDK on, the first
 * span begins the new trace, and its sampler decides.)
 */
export function parentOfRequest(traceparent: string | undefined): string | undefined {
  return readTraceparent(traceparent) ?? (isRecording ? undefined : newTraceparent());
}
