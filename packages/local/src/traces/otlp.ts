import { z } from 'zod';

/** A span as it was exported. Ids are hexadecimal, instants are milliseconds since 1970. */
export interface Span {
  traceId: string;
  spanId: string;
  /** Undefined for the first span of a trace. */
  parentSpanId: string | undefined;
  service: string;
  version: string | undefined;
  name: string;
  kind: (typeof kinds)[number];
  startMs: number;
  endMs: number;
  /** Whether it is marked as failed. */
  isError: boolean;
  attributes: Readonly<Record<string, string>>;
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, textOf(value)])));

/** The range of `Date`. */
const msMax = 8.64e15;
const nanoseconds = z
  .union([z.string(), z.number()])
  .transform((value) => Number(value) / 1e6)
  .pipe(z.number().min(0).max(msMax));

const schema = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: z.object({ attributes }).default({ attributes: {} }),
        scopeSpans: z.array(
          z.object({
            spans: z.array(
              z.object({
                traceId: z.string(),
                spanId: z.string(),
                parentSpanId: z.string().optional(),
                name: z.string(),
                kind: z.int().default(0),
                startTimeUnixNano: nanoseconds,
                endTimeUnixNano: nanoseconds,
                status: z.object({ code: z.int().optional() }).default({}),
                attributes,
              }),
            ),
          }),
        ),
      }),
    )
    .default([]),
});

/** Reads an export as JSON (OTLP 1.x, `ExportTraceServiceRequest`). Throws for anything else. */
export function readSpans(json: string): Span[] {
  const { resourceSpans } = schema.parse(JSON.parse(json));
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, status, ...span }) => ({
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        service: resource.attributes['service.name'] ?? '',
        version: resource.attributes['service.version'],
        name,
        kind: kinds[kind] ?? 'internal',
        startMs: span.startTimeUnixNano,
        endMs: span.endTimeUnixNano,
        isError: status.code === 2,
        attributes: span.attributes,
      })),
    ),
  );
}

/** Returns an `AnyValue` as text: the value of its only member. */
function textOf(value: Record<string, unknown>): string {
  const [content = ''] = Object.values(value);
  return typeof content === 'string' ? content : JSON.stringify(content);
}
