import { trace } from '@opentelemetry/api';
import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Names under which a secret could come into a log line; their values are replaced at any of the usual depths. */
const secretNames = [
  'apiSecret',
  'secret',
  'secretToken',
  'signingSecret',
  'authorization',
  'token',
  'customerToken',
  'sessionToken',
  'password',
];

/** JSON lines on standard output, with the ids of the active span. Secrets are redacted by name. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
    serializers: { err: errorForLog },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { traceId: span.traceId, spanId: span.spanId } : {};
    },
  });
}

/** An error as pino writes it, without what Postgres says of a failing row: that is data. */
function errorForLog(error: Error): object {
  const { detail: _detail, where: _where, ...written } = pino.stdSerializers.err(error);
  return written;
}
