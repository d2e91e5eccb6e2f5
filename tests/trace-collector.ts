import { startReceiver } from '@parley/testing/receiver';

/** An exported span; ids in hexadecimal. */
export interface ExportedSpan {
  service: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** Whether it is marked as failed. */
  isError: boolean;
  /** The statement, of a query. */
  query: string | undefined;
}

/** Receives OTLP over HTTP as JSON (OpenTelemetry protocol 1.x) and stores it. */
export interface TraceCollector extends AsyncDisposable {
  /** The environment that makes a system export its spans here soon. */
  env: NodeJS.ProcessEnv;
  spans(): ExportedSpan[];
  /** All received bodies, unchanged. */
  text(): string;
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}

interface Export {
  resourceSpans?: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<ExportedSpan, 'kind' | 'service' | 'query' | 'isError'> & {
        kind: number;
        status: { code?: number };
        attributes?: Attribute[];
      })[];
    }[];
  }[];
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** Starts a collector on a free loopback port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const receiver = await startReceiver(() => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  }));
  const parsed: ExportedSpan[][] = [];
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
      for (const { body } of receiver.requests.slice(parsed.length)) {
        parsed.push(spansOf(JSON.parse(body.toString()) as Export));
      }
      return parsed.flat();
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

function spansOf({ resourceSpans = [] }: Export): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = textOf(resource.attributes, 'service.name') ?? '';
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, status, attributes = [] }) => ({
        service,
        name,
        kind: kinds[kind] ?? 'internal',
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        isError: status.code === 2,
        query: textOf(attributes, 'db.query.text'),
      })),
    );
  });
}

function textOf(attributes: Attribute[], name: string): string | undefined {
  return attributes.find(({ key }) => key === name)?.value.stringValue;
}
