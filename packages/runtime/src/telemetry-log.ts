import { diag, type DiagLogFunction, DiagLogLevel } from '@opentelemetry/api';

/** What of a logger it takes to tell of telemetry. */
export interface Teller {
  warn(fields: object, message: string): void;
}

const apartMs = 60_000;
/** The stack of an error that holds others may be of any length. */
const textMax = 1_000;

/**
 * Has OpenTelemetry's own warnings and errors logged as warnings: one in a minute at most, with the number of those that
 * were left out since the last (`leftOut`). An exporter that cannot send says so with each batch.
 */
export function tellOfTelemetry(logger: Teller, now: () => number = () => performance.now()): void {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  const tell: DiagLogFunction = (message, ...details) => {
    if (now() - toldAtMs < apartMs) {
      leftOut += 1;
      return;
    }
    toldAtMs = now();
    const reason = [message, ...details.map(textOf)].join(' ').slice(0, textMax);
    logger.warn({ reason, leftOut }, 'telemetry has a fault');
    leftOut = 0;
  };
  const pass: DiagLogFunction = () => {};
  const teller = { error: tell, warn: tell, info: pass, debug: pass, verbose: pass };
  diag.setLogger(teller, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

function textOf(detail: unknown): string {
  if (detail instanceof Error) return detail.message;
  return typeof detail === 'string' ? detail : (JSON.stringify(detail) ?? '');
}
