import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { diag } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type CollectionResult,
  InstrumentType,
  MetricReader,
} from '@opentelemetry/sdk-metrics';
import type { ListenAddress } from '../config/config.ts';
import { histogramProducer } from './histogram-producer.ts';
import { metricsText } from './openmetrics.ts';

/** How long a metric may take to be read. A scrape times out after ten seconds by default. */
const readMsMax = 3_000;

const openMetrics = 'application/openmetrics-text';
const contentTypes = {
  openMetrics: `${openMetrics}; version=1.0.0; charset=utf-8`,
  plain: 'text/plain; version=0.0.4; charset=utf-8',
};

/** Serves the metrics of this process for Prometheus, at `/metrics`. Shutting it down closes the server. */
export class MetricsServer extends MetricReader {
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  #collecting: Promise<CollectionResult> | undefined;

  constructor() {
    super({
      metricProducers: [histogramProducer],
      // With cumulative values, the SDK repeats the last value of a gauge that could not be read.
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE
          ? AggregationTemporality.DELTA
          : AggregationTemporality.CUMULATIVE,
    });
  }

  /** Throws if the address is taken. */
  async listen({ host, port }: ListenAddress): Promise<void> {
    await once(this.#server.listen(port, host), 'listening');
  }

  async #answer({ url, method, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
    if (method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end();
    try {
      const { resourceMetrics, errors } = await this.#collectOnce();
      if (errors.length > 0) diag.warn('metrics could not be read', ...errors);
      const isOpenMetrics = headers.accept?.includes(openMetrics) ?? false;
      response.setHeader('Content-Type', contentTypes[isOpenMetrics ? 'openMetrics' : 'plain']);
      response.end(metricsText(resourceMetrics, isOpenMetrics));
    } catch (error) {
      // The process is starting or stopping.
      diag.warn('metrics could not be served', error);
      response.writeHead(503).end();
    }
  }

  /** Shares one collection among concurrent scrapes: a second collection would lack the delta gauges. */
  #collectOnce(): Promise<CollectionResult> {
    this.#collecting ??= this.collect({ timeoutMillis: readMsMax }).finally(() => {
      this.#collecting = undefined;
    });
    return this.#collecting;
  }

  protected override async onShutdown(): Promise<void> {
    const closed = this.#server[Symbol.asyncDispose]();
    this.#server.closeAllConnections();
    await closed;
  }

  protected override async onForceFlush(): Promise<void> {}
}
