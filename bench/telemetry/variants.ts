/** A way to run the services. */
export interface Variant {
  name: string;
  env: Record<string, string>;
  /** The module that is switched: all telemetry, or metrics, which are served for Prometheus then. */
  switched: 'telemetry' | 'metrics';
  /** The maximum ratio to the same run without telemetry. */
  ratioMax: number;
}

/** With all of the telemetry but no exporter, with a tenth of the traces sent to the sink, and with metrics alone. */
export function variants(sinkPort: number): Variant[] {
  return [
    { name: 'no exporter', env: {}, switched: 'telemetry', ratioMax: 1.05 },
    {
      name: 'OTLP, 10 %',
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sinkPort}`,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_LOGS_EXPORTER: 'none',
        // A full batch is exported in the turn that fills it. By the clock, it would be exported in a turn without
        // telemetry. At these paces a service that is always on fills one in the default five seconds, or sooner.
        OTEL_BSP_SCHEDULE_DELAY: '600000',
      },
      switched: 'telemetry',
      ratioMax: 1.15,
    },
    { name: 'metrics', env: {}, switched: 'metrics', ratioMax: 1.02 },
  ];
}
