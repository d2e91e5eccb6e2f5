import { trace } from '@opentelemetry/api';
import { pino, type Logger, type SerializedError } from 'pino';
import { withoutSecrets } from './secret-fields.ts';
import { createStackThrottle } from './stack-throttle.ts';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output, with the ids of the active span. Secrets are redacted by name. What is logged is
 * written when
 * the event loop comes round, and when the process exits: lost is what was logged since when it is killed, or aborts.
 */
export function createLogger(service: string, level: string): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => timeForLog() + idsForLog(),
    formatters: { log: withoutSecrets },
    serializers: { err: errorForLog },
  };
  return pino(options, destination);
}

const output = pino.destination({ dest: 1, sync: true });
/** pino flushes it after a fatal line. */
const destination = { write, flushSync: flush };
const gatheredMax = 64 * 1_024;
let gathered = '';

// A call of the kernel for each line costs as much as the line itself: those of one turn of the event loop go together.
function write(line: string): void {
  if (gathered === '') setImmediate(flush);
  gathered += line;
  if (gathered.length > gatheredMax) flush();
}

function flush(): void {
  const lines = gathered;
  gathered = '';
  if (lines !== '') output.write(lines);
}
process.on('exit', flush);

let writtenAt = 0;
let written = '';

/** What pino's `isoTime` gives, written once for all lines of a millisecond. */
function timeForLog(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}

// As text behind the time, which pino takes as it is: to merge them into the fields costs a line a quarter more.
function idsForLog(): string {
  const ids = trace.getActiveSpan()?.spanContext();
  return ids ? `,"traceId":"${ids.traceId}","spanId":"${ids.spanId}"` : '';
}

/**
 * An error as pino writes it, without secrets, and without what Postgres says of a failing row: that is data. A stack
 * is written once per cause and minute: a dependency that is unavailable fails every call.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _detail, where: _where, ...written } = pino.stdSerializers.err(error);
  return withoutSecrets(isStackDue(error) ? written : withoutStack(written));
}

const isStackDue = createStackThrottle();

function withoutStack({ stack: _stack, ...written }: SerializedError): object {
  const { aggregateErrors } = written as { aggregateErrors?: SerializedError[] };
  return aggregateErrors ? { ...written, aggregateErrors: aggregateErrors.map(withoutStack) } : written;
}
