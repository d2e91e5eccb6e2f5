import { diag, type DiagLogFunction, DiagLogLevel } from '@opentelemetry/api';

/** The part of a logger that `logTelemetryFaults` uses. */
export interface WarningLogger {
  warn(fields: object, message: string): void;
}

const apartMs = 60_000;
/** The stack of an error that holds others may be of any length. */
const textMax = 1_000;

/**
 * Logs OpenTelemetry's own warnings and errors as warnings: at most one per minute, with the number of omitted ones
 * since the last (`leftOut`). An exporter that cannot send reports every batch.
 */
export function logTelemetryFaults(logger: WarningLogger, now: () => number = () => performance.now()): void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  const log: DiagLogFunction = (message, ...details) => {
    if (now() - loggedAtMs < apartMs) {
      leftOut += 1;
      return;
    }
    loggedAtMs = now();
    const reason = [message, ...details.map(textOf)].join(' ').slice(0, textMax);
    logger.warn({ reason, leftOut }, 'telemetry has a fault');
    leftOut = 0;
  };
  const omit: DiagLogFunction = () => {};
  const diagLogger = { error: log, warn: log, info: omit, debug: omit, verbose: omit };
  diag.setLogger(diagLogger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

function textOf(detail: unknown): string {
  if (detail instanceof Error) return detail.message;
  return typeof detail === 'string' ? detail : (JSON.stringify(detail) ?? '');
}
