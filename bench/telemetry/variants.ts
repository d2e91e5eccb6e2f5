/** A way to run the services. */
export interface Variant {
  name: string;
  env: Record<string, string>;
  /** The maximum ratio to the same without telemetry. */
  ratioMax: number;
}

/** With all of the telemetry but no exporter, and with a tenth of the traces sent to the sink. */
export function variants(sinkPort: number): Variant[] {
  return [
    { name: 'no exporter', env: {}, ratioMax: 1.05 },
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
      ratioMax: 1.15,
    },
  ];
}
