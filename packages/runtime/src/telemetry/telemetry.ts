import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  context,
  defaultTextMapSetter,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core';
import { metricsListen } from '../config/config.ts';
import { readSettingFiles } from '../config/setting-files.ts';
import { isOurFault } from '../errors.ts';
import { inheritedIds } from './span-ids.ts';
import { logTelemetryFaults, type WarningLogger } from './telemetry-log.ts';
import { version } from '../version.ts';

export { SpanKind, SpanStatusCode } from '@opentelemetry/api';

context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const propagator = new W3CTraceContextPropagator();
const tracer = trace.getTracer('parley');
const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
// Whether the SDK makes spans. Without it, spans would only cost time.
let isTracing = false;

/** Sends what `startTelemetry` has left to export, for at most a second, and stops the SDK. Never rejects. */
export type StopTelemetry = () => Promise<void>;

const flushMsMax = 1_000;
const headersVariable = 'OTEL_EXPORTER_OTLP_HEADERS';

/**
 * Starts the OpenTelemetry SDK if a standard variable names an exporter (any `OTEL_EXPORTER_OTLP_...`, or
 * `OTEL_TRACES_EXPORTER`) or `METRICS_LISTEN` is set, and `OTEL_SDK_DISABLED` is not true. Otherwise the SDK is not
 * loaded and nothing is recorded. Trace ids are passed on in both cases. Logs the SDK's faults if there is a logger.
 * Throws if the address of `METRICS_LISTEN` is taken. `env` is the environment of the process, which the SDK reads too,
 * so header fields in a file are added to it.
 * Source: docs/decisions/0005-spans-by-hand.md.
 */
export async function startTelemetry(
  service: string,
  env: NodeJS.ProcessEnv,
  logger?: WarningLogger,
): Promise<StopTelemetry> {
  const named = Object.entries(env).some(
    ([name, value]) => value && !isNone(value) && /^OTEL_(EXPORTER_OTLP_|TRACES_EXPORTER)/.test(name),
  );
  const headers = readSettingFiles(env).env[headersVariable];
  if (headers) env[headersVariable] = headers;
  const listen = metricsListen(env);
  if ((!named && !listen) || env['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  if (logger) logTelemetryFaults(logger);
  // The SDK would replace the logger of its faults by the console.
  delete env['OTEL_LOG_LEVEL'];
  // The SDK's detector of the host warns if there is no machine id, as in most containers.
  env['OTEL_NODE_RESOURCE_DETECTORS'] ||= 'env,os,process,serviceinstance';
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const { metricOptions, startMetrics } = await import('../metrics/telemetry-metrics.ts');
  const metrics = await metricOptions(env, { listen, isSent: named });
  // The SDK sets its own.
  context.disable();
  const sdk = new NodeSDK({
    serviceName: env['OTEL_SERVICE_NAME'] || `parley-${service}`,
    resource: defaultResource().merge(
      resourceFromAttributes({ 'host.name': hostname(), 'service.version': version }),
    ),
    // The SDK warns of `none`, although it is a standard value.
    ...((!named || isNone(env['OTEL_TRACES_EXPORTER'])) && { spanProcessors: [] }),
    // Logs go to standard output only.
    logRecordProcessors: [],
    ...metrics,
  });
  sdk.start();
  if (metrics) startMetrics();
  // The SDK may export metrics only. A span that never ends is not exported.
  isTracing = isSpanContextValid(tracer.startSpan('start').spanContext());
  return async () => {
    const flushed = sdk.shutdown().catch(() => {});
    await Promise.race([flushed, setTimeout(flushMsMax)]);
  };
}

function isNone(value: string | undefined): boolean {
  return value?.trim() === 'none';
}

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The `traceparent` to continue. If it is missing or malformed, the active span is the parent. */
  parent?: string | null | undefined;
  /**
   * Whether the span begins a trace if it has no parent: `always` (default), `never`, only if it `failed`, or only if
   * there is an SDK, by which it is `recorded`. Polls and probes would otherwise make most of all traces.
   */
  asRoot?: 'always' | 'recorded' | 'failed' | 'never';
  /** When the span began, in milliseconds since 1970. Default: now. */
  startedAt?: number;
}

/**
 * Runs `work` inside a span. An error marks the span and is thrown on. Calls (`CLIENT`) are marked only if the fault is
 * ours (`isOurFault`): a 404 is an ordinary answer.
 */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const { kind, parent, asRoot = 'always' } = options;
  const around = parentContext(parent);
  const isRoot = trace.getSpan(around) === undefined;
  if (isRoot && (asRoot === 'never' || (asRoot === 'recorded' && !isTracing))) return work(noSpan);
  if (!isTracing) return runIn(isRoot && kind === SpanKind.SERVER ? newTrace() : around, work, noSpan);
  const span = startSpan(name, options, around);
  // A span that never ends is not exported. Until then, nothing may belong to it.
  const isOptional = isRoot && asRoot === 'failed';
  try {
    const result = await runIn(isOptional ? around : trace.setSpan(around, span), work, span);
    if (!isOptional) span.end();
    return result;
  } catch (error) {
    const isFailure = kind !== SpanKind.CLIENT || isOurFault(error);
    if (isFailure) fail(span, error);
    if (isFailure || !isOptional) span.end();
    throw error;
  }
}

/**
 * Runs `work` on several things that belong to different traces, with a span for each. `work` gets the `traceparent` of
 * each span, in the same order. It runs inside a span only if there is just one.
 */
export async function inSpans<T>(
  name: string,
  spans: readonly Pick<SpanOptions, 'kind' | 'attributes' | 'parent'>[],
  work: (traceparents: (string | undefined)[]) => Promise<T>,
): Promise<T> {
  const contexts = spans.map((one) => {
    const around = parentContext(one.parent);
    return isTracing ? trace.setSpan(around, startSpan(name, one, around)) : around;
  });
  const started = contexts.flatMap((inside) => trace.getSpan(inside) ?? []);
  const [only, ...others] = contexts;
  const inside = only && others.length === 0 ? only : context.active();
  try {
    return await runIn(inside, work, contexts.map(traceparentOf));
  } catch (error) {
    for (const span of started) fail(span, error);
    throw error;
  } finally {
    for (const span of started) span.end();
  }
}

function startSpan(name: string, { kind, attributes, startedAt }: SpanOptions, around: Context): Span {
  const inherited = inheritedIds(trace.getSpan(around));
  return tracer.startSpan(
    name,
    {
      ...(kind && { kind }),
      ...(startedAt !== undefined && { startTime: startedAt }),
      attributes: { ...inherited, ...attributes },
    },
    around,
  );
}

// Activating the active context again would only cost time.
function runIn<Given, Result>(inside: Context, work: (given: Given) => Result, given: Given): Result {
  return inside === context.active() ? work(given) : context.with(inside, work, undefined, given);
}

function parentContext(traceparent: string | null | undefined): Context {
  const parent = parseTraceParent(traceparent ?? '');
  if (!parent) return context.active();
  // Flags that this version does not know are not passed on.
  const traceFlags = parent.traceFlags & TraceFlags.SAMPLED;
  return trace.setSpanContext(context.active(), { ...parent, traceFlags, isRemote: true });
}

/** Returns the context of a new trace that is not sampled, so that log lines and events of a request can be found. */
function newTrace(): Context {
  const traceId = randomUUID().replaceAll('-', '');
  const spanId = traceId.slice(16);
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: TraceFlags.NONE });
}

// Only the name: a message may contain data that readers of traces must not see.
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
}

/** Undefined outside of traces. */
export function currentTraceparent(): string | undefined {
  return traceparentOf(context.active());
}

function traceparentOf(inside: Context): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagator.inject(inside, carrier, defaultTextMapSetter);
  return carrier.traceparent;
}
