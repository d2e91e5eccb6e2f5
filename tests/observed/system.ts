import { startModelEndpoint } from '@parley/testing/peers/model-endpoint';
import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/setup/system';
import { startTraceCollector, type TraceCollector } from './trace-collector.ts';

/**
 * A system that logs, measures and traces everything, with TLS between its services. The answers of its model are
 * `{ label: 'price' }`.
 */
export interface Observed {
  system: System;
  collector: TraceCollector;
}

/** Starts it. The stack ends it. */
export async function startObserved(stack: AsyncDisposableStack): Promise<Observed> {
  const collector = stack.use(await startTraceCollector());
  const model = stack.use(await startModelEndpoint(() => ({ says: { label: 'price' } })));
  const system = stack.use(
    await startTestSystem({
      traces: true,
      metrics: true,
      tls: true,
      replicas: { gateway: 2 },
      adapt: collector.adapt,
      // Two attempts an hour apart: retries happen only on request.
      webhookRetryScheduleSeconds: [3_600],
      env: {
        LOG_LEVEL: 'debug',
        LLM_BASE_URL: model.baseUrl,
        LLM_MODEL: 'model-of-a-test',
        // A run with `--traces` shows all traces, whatever else the environment says of telemetry.
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_TRACES_SAMPLER: 'always_off',
        OTEL_SDK_DISABLED: 'true',
      },
    }),
  );
  return { system, collector };
}
