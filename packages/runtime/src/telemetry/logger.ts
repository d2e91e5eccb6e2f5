import { trace } from '@opentelemetry/api';
import { pino, type Logger, type SerializedError } from 'pino';
import { withoutSecrets } from '../config/secret-fields.ts';
import { createStackThrottle } from '../scheduling/stack-throttle.ts';

export type { Logger } from 'pino';

/**
 * Creates a logger of JSON lines on standard output, with the ids of the active span. Secrets are redacted by
 * name. Lines are written at the end of an event loop turn and at exit. A killed or aborted process loses the
 * lines of its current turn.
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
const bufferedMax = 64 * 1_024;
let buffered = '';

// One system call per line costs as much as the line itself, so the lines of one turn of the event loop are
// written together.
function write(line: string): void {
  if (buffered === '') setImmediate(flush);
  buffered += line;
  if (buffered.length > bufferedMax) flush();
}

function flush(): void {
  const lines = buffered;
  buffered = '';
  if (lines !== '') output.write(lines);
}
process.on('exit', flush);

let writtenAt = 0;
let written = '';

/** Returns the text of pino's `isoTime`, cached for one millisecond. */
function timeForLog(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}

// Appended as text to the time, which pino does not parse. Merging the ids into the fields is slower.
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
