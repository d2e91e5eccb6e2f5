import { pino, type Logger } from 'pino';
import { withoutSecrets } from './secret-fields.ts';
import { currentIds } from './telemetry.ts';

export type { Logger } from 'pino';

/** JSON lines on standard output, with the ids of the active span. Secrets are redacted by name. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: () => pino.stdTimeFunctions.isoTime() + idsForLog(),
    formatters: { log: withoutSecrets },
    serializers: { err: errorForLog },
  });
}

// As text behind the time, which pino takes as it is: to merge them into the fields costs a line a quarter more.
function idsForLog(): string {
  const ids = currentIds();
  return ids ? `,"traceId":"${ids.traceId}","spanId":"${ids.spanId}"` : '';
}

/** An error as pino writes it, without secrets, and without what Postgres says of a failing row: that is data. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _detail, where: _where, ...written } = pino.stdSerializers.err(error);
  return withoutSecrets(written);
}
