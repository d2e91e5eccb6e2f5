import { metrics, type ObservableCallback } from '@opentelemetry/api';

/**
 * Measures something whenever an exporter asks for it; nobody asks without an SDK that is switched on
 * (`startTelemetry`).
 * `read` may throw: then there is no value that time. Disposing of it ends that.
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
