import type { Span } from './otlp.ts';

export interface Trace {
  traceId: string;
  spans: Span[];
}

interface Limits {
  tracesMax: number;
  /** The limit of all spans, as JSON. */
  bytesMax: number;
}

/** Recent traces in memory. The oldest are evicted. */
export interface TraceStore {
  add(spans: readonly Span[]): void;
  get(traceId: string): Trace | undefined;
  /** Newest first. `id`: only traces with this trace id, or with an attribute of this value. */
  list(id?: string): Trace[];
}

/** Creates an empty store. By default it keeps 2,000 traces of 32 MB: about twice as much as objects. */
export function createTraceStore(
  { tracesMax, bytesMax }: Limits = { tracesMax: 2_000, bytesMax: 32 * 1024 * 1024 },
): TraceStore {
  // In the order of their first spans, and they grow: `lru-cache` orders by the last use and takes the size at first.
  const traces = new Map<string, Trace & { bytes: number }>();
  let bytes = 0;
  const evictOldest = (): void => {
    const [oldest] = traces.values();
    if (!oldest) return;
    traces.delete(oldest.traceId);
    bytes -= oldest.bytes;
  };
  return {
    add: (spans) => {
      for (const span of spans) {
        const trace = traces.get(span.traceId) ?? { traceId: span.traceId, spans: [], bytes: 0 };
        const spanBytes = JSON.stringify(span).length;
        traces.set(span.traceId, trace);
        trace.spans.push(span);
        trace.bytes += spanBytes;
        bytes += spanBytes;
        while (traces.size > tracesMax || bytes > bytesMax) evictOldest();
      }
    },
    get: (traceId) => traces.get(traceId),
    list: (id) => {
      const newest = [...traces.values()].toReversed();
      return id === undefined ? newest : newest.filter((trace) => trace.traceId === id || hasId(trace, id));
    },
  };
}

const idAttributes = [
  'parley.request.id',
  'parley.interaction.id',
  'parley.workspace.id',
  'parley.delivery.id',
];

function hasId({ spans }: Trace, id: string): boolean {
  return spans.some(({ attributes }) => idAttributes.some((name) => attributes[name] === id));
}
