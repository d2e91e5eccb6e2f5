import { readSpans, type Span } from '@parley/local/traces/otlp';
import { startReceiver } from '@parley/testing/receiver';

/** Takes OTLP over HTTP as JSON (OpenTelemetry protocol 1.x) and remembers it. */
export interface TraceCollector extends AsyncDisposable {
  /** The environment that makes a system export its spans here soon. */
  env: NodeJS.ProcessEnv;
  spans(): Span[];
  /** Everything that came, as it came. */
  text(): string;
}

/** Starts a collector on a free loopback port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const receiver = await startReceiver(() => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }));
  const parsed: Span[][] = [];
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL(receiver.url).origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    text: () => receiver.requests.map(({ body }) => body.toString()).join('\n'),
    // Parses each request once: tests poll.
    spans: () => {
      for (const { body } of receiver.requests.slice(parsed.length)) parsed.push(readSpans(body.toString()));
      return parsed.flat();
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
