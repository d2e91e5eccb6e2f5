import { metrics, type ObservableCallback } from '@opentelemetry/api';

/**
 * Registers a gauge that exporters read, until it is disposed of. Without an SDK (`startTelemetry`), `read`
 * is never called. If `read` throws, the measurement has no value.
 */
export function startGauge(
  name: string,
  described: { unit: string; description: string },
  read: () => Promise<number>,
): Disposable {
  const gauge = metrics.getMeter('parley').createObservableGauge(name, described);
  const observe: ObservableCallback = async (result) => result.observe(await read());
  gauge.addCallback(observe);
  return { [Symbol.dispose]: () => gauge.removeCallback(observe) };
}
