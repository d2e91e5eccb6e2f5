import { createLogger, type Logger } from '@parley/runtime/telemetry/logger';

/** A logger for tests, with fatal errors only. */
export const quietLogger: Logger = createLogger('test', process.env['TEST_LOG_LEVEL'] ?? 'fatal');
