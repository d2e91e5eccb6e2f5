import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A way to run the services. */
export interface Variant {
  name: string;
  nodeFlags: readonly string[];
  env: Record<string, string>;
  /** The greatest ratio to the first that will do. */
  ratioMax?: number;
}

/** Without any telemetry code, with all of it but no exporter, and with a tenth of the traces sent to the sink. */
export function variants(sinkPort: number): Variant[] {
  const preload = pathToFileURL(resolve(import.meta.dirname, 'preload.ts')).href;
  return [
    { name: 'no telemetry', nodeFlags: ['--import', preload], env: {} },
    { name: 'no exporter', nodeFlags: [], env: {}, ratioMax: 1.02 },
    {
      name: 'OTLP, 10 %',
      nodeFlags: [],
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sinkPort}`,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_LOGS_EXPORTER: 'none',
      },
      ratioMax: 1.15,
    },
  ];
}
