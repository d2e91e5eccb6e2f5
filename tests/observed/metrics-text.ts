/** A line of a scrape. */
export interface Sample {
  name: string;
  /** The metric: the name without the suffixes of a histogram. */
  family: string;
  /** With `le` of buckets. */
  labels: Record<string, string>;
  value: number;
}

/** Reads metrics in the text format of Prometheus, and throws at a line that is none. */
export function parseMetrics(served: string): { types: Map<string, string>; samples: Sample[] } {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of served.split('\n').filter(Boolean)) {
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) types.set(typed, type);
    if (line.startsWith('#')) continue;
    const [, name, list = '', value] = /^([a-zA-Z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a sample: ${line}`);
    const pairs = Array.from(list.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g), ([, key, text]) => [
      key,
      text,
    ]);
    const stem = name.replace(/_(?:bucket|sum|count)$/, '');
    const family = types.get(stem) === 'histogram' ? stem : name;
    samples.push({ name, family, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return { types, samples };
}
