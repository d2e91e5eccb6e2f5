import type { Span } from './otlp.ts';
import type { Trace } from './store.ts';

export interface Row {
  span: Span;
  depth: number;
}

export interface Summary {
  traceId: string;
  /** The first span that is here. */
  first: Span;
  startMs: number;
  durationMs: number;
  /** In the order of the waterfall. */
  services: string[];
  isError: boolean;
  /** Whether it is a long poll. */
  isPoll: boolean;
  /** The distinct values of the ids of its spans. */
  ids: Record<'request' | 'workspace' | 'interaction', string[]>;
}

/** Returns the spans in the order of a waterfall: parents before children, siblings by start. */
export function rowsOf({ spans }: Trace): Row[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(
    spans.toSorted((one, other) => one.startMs - other.startMs),
    // The parent is elsewhere, has not ended, or was evicted.
    ({ parentSpanId }) => (parentSpanId !== undefined && known.has(parentSpanId) ? parentSpanId : ''),
  );
  const rows: Row[] = [];
  const waiting = (children.get('') ?? []).toReversed().map((span) => ({ span, depth: 0 }));
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    const { depth } = row;
    const below = children.get(row.span.spanId) ?? [];
    // A span may have come twice.
    children.delete(row.span.spanId);
    waiting.push(...below.toReversed().map((span) => ({ span, depth: depth + 1 })));
  }
  return rows;
}

/** Summarises a trace. Undefined if its spans are no tree. */
export function summaryOf(trace: Trace): Summary | undefined {
  const rows = rowsOf(trace);
  const first = rows[0]?.span;
  if (!first) return undefined;
  const { traceId, spans } = trace;
  const startMs = spans.reduce((start, span) => Math.min(start, span.startMs), first.startMs);
  const endMs = spans.reduce((end, span) => Math.max(end, span.endMs), first.endMs);
  const idsOf = (name: string): string[] => [
    ...new Set(spans.flatMap(({ attributes }) => attributes[`parley.${name}.id`] ?? [])),
  ];
  return {
    traceId,
    first,
    startMs,
    durationMs: endMs - startMs,
    services: [...new Set(rows.map(({ span }) => span.service))],
    isError: spans.some(({ isError }) => isError),
    isPoll: first.attributes['parley.poll'] === 'true',
    ids: { request: idsOf('request'), workspace: idsOf('workspace'), interaction: idsOf('interaction') },
  };
}
