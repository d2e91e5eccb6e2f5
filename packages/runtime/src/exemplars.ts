import { type Attributes, trace, TraceFlags } from '@opentelemetry/api';

/** A measurement, with the sampled trace in which it was made. */
export interface Exemplar {
  traceId: string;
  spanId: string;
  value: number;
  atMs: number;
}

/** The latest exemplar of each bucket, by metric and attributes. Undefined: none are kept. */
let kept: Map<string, Exemplar[]> | undefined;

/** Keeps exemplars from now on. The SDK has none: open-telemetry/opentelemetry-js, issue 2594. */
export function keepExemplars(): void {
  kept = new Map();
}

/** Keeps a measurement as an exemplar of its bucket if the active span is sampled. */
export function keepExemplar(
  { name, boundaries }: { name: string; boundaries: readonly number[] },
  value: number,
  attributes: Attributes,
): void {
  const span = kept && trace.getActiveSpan()?.spanContext();
  if (!kept || !span || !(span.traceFlags & TraceFlags.SAMPLED)) return;
  const key = keyOf(name, attributes);
  let buckets = kept.get(key);
  if (!buckets) kept.set(key, (buckets = []));
  const above = boundaries.findIndex((boundary) => value <= boundary);
  const { traceId, spanId } = span;
  buckets[above < 0 ? boundaries.length : above] = { traceId, spanId, value, atMs: Date.now() };
}

/** Returns the exemplars of a series by the number of their bucket. Buckets without one are empty. */
export function exemplarsOf(name: string, attributes: Attributes): readonly (Exemplar | undefined)[] {
  return kept?.get(keyOf(name, attributes)) ?? [];
}

// The SDK keeps the attributes of a series as they came first, so their order is that of the code.
function keyOf(name: string, attributes: Attributes): string {
  return name + JSON.stringify(attributes);
}
