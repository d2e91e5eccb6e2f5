import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { type IMetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { NodeSDK } from '@opentelemetry/sdk-node';
import type { ListenAddress } from '../config/config.ts';
import { histogramProducer } from './histogram-producer.ts';
import { startRecording } from './metrics.ts';
import { MetricsServer } from './metrics-server.ts';
import { observeProcess } from './process-metrics.ts';

const intervalMsDefault = 60_000;
const timeoutMsDefault = 30_000;

interface MetricExports {
  /** Where Prometheus can scrape. */
  listen: ListenAddress | undefined;
  /** Whether the standard variables name an exporter. */
  isSent: boolean;
}

/** Returns the SDK's options for metrics, or undefined if none are exported. Throws if the address is taken. */
export async function metricOptions(
  env: NodeJS.ProcessEnv,
  { listen, isSent }: MetricExports,
): Promise<ConstructorParameters<typeof NodeSDK>[0]> {
  const metricReaders: IMetricReader[] = [];
  if (listen) {
    const server = new MetricsServer();
    await server.listen(listen);
    metricReaders.push(server);
  }
  if (isSent && (env['OTEL_METRICS_EXPORTER'] || 'otlp') === 'otlp')
    metricReaders.push(await otlpReader(env));
  if (metricReaders.length === 0) return undefined;
  return { metricReaders, instrumentations: [new RuntimeNodeInstrumentation()] };
}

export function startMetrics(): void {
  startRecording();
  observeProcess();
}

/** Returns a reader as the SDK makes it from the standard variables, but for our histograms. */
async function otlpReader(env: NodeJS.ProcessEnv): Promise<IMetricReader> {
  const exportIntervalMillis = positive(env['OTEL_METRIC_EXPORT_INTERVAL']) ?? intervalMsDefault;
  const timeoutMs = positive(env['OTEL_METRIC_EXPORT_TIMEOUT']) ?? timeoutMsDefault;
  const exportTimeoutMillis = Math.min(timeoutMs, exportIntervalMillis);
  const { OTLPMetricExporter } = await importExporter(
    env['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'],
  );
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    metricProducers: [histogramProducer],
    exportIntervalMillis,
    exportTimeoutMillis,
  });
}

function positive(variable: string | undefined): number | undefined {
  const value = Number(variable);
  return value > 0 ? value : undefined;
}

function importExporter(protocol: string | undefined) {
  if (protocol === 'grpc') return import('@opentelemetry/exporter-metrics-otlp-grpc');
  if (protocol === 'http/json') return import('@opentelemetry/exporter-metrics-otlp-http');
  return import('@opentelemetry/exporter-metrics-otlp-proto');
}
