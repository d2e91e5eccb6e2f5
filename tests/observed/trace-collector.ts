import { randomBytes } from 'node:crypto';
import type { Command } from '@parley/local/processes/child';
import { readSpans, type Span } from '@parley/local/traces/otlp';
import { startReceiver } from '@parley/testing/peers/receiver';

/** Takes OTLP over HTTP as JSON (OpenTelemetry protocol 1.x), remembers it, and passes it on to the pages of traces. */
export interface TraceCollector extends AsyncDisposable {
  /** Makes a service of a system with `traces` export its spans here. */
  adapt(command: Command): Command;
  spans(): Span[];
  /** Everything that came, as it came. */
  text(): string;
}

const endpoint = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const headers = { 'content-type': 'application/json' };

export async function startTraceCollector(): Promise<TraceCollector> {
  let next = '';
  const receiver = await startReceiver(async ({ body }) => {
    await fetch(next, { method: 'POST', headers, body: body.toString() });
    return { status: 200, headers, body: '{}' };
  });
  const parsed: Span[][] = [];
  return {
    adapt: (command) => {
      next = command.env?.[endpoint] ?? next;
      return { ...command, env: { ...command.env, [endpoint]: receiver.url } };
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

/** A sampled trace, and what begins it. */
export function newTrace() {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` } };
}
