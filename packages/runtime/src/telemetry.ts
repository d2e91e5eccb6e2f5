import {
  type Attributes,
  context,
  type Context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export { SpanKind } from '@opentelemetry/api';

/** Closes what `startTelemetry` opened. */
export type StopTelemetry = () => Promise<void>;

/**
 * Switches OpenTelemetry on when one of the standard variables names an exporter (`OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_TRACES_EXPORTER`, ...) and `OTEL_SDK_DISABLED` is not true. Otherwise nothing is loaded, and spans cost
 * next to nothing. Spans are made by hand in rpc, postgres, events and the gateway: patching libraries costs half
 * of a call (docs/decisions/0005-spans-by-hand.md).
 */
export async function startTelemetry(service: string, env: NodeJS.ProcessEnv): Promise<StopTelemetry> {
  const named = Object.entries(env).some(
    ([name, value]) => value && value !== 'none' && /^OTEL_(EXPORTER_OTLP_|TRACES_EXPORTER)/.test(name),
  );
  if (!named || env['OTEL_SDK_DISABLED'] === 'true') return async () => {};
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName: env['OTEL_SERVICE_NAME'] ?? `parley-${service}` });
  sdk.start();
  return () => sdk.shutdown();
}

const tracer = trace.getTracer('parley');

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The context to continue, where it came over a wire. */
  parent?: Context;
}

/** Runs `work` inside a span. An error marks the span and is thrown on. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = options.parent ?? context.active();
  const { kind = SpanKind.INTERNAL, attributes = {} } = options;
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The W3C `traceparent` of the active span, or undefined when there is none. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** The context that a `traceparent` continues. */
export function contextFrom(traceparent: string | undefined): Context {
  return traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();
}
