import { createLogger, type Logger } from '@parley/runtime/logger';

/** A logger for tests: says only what would end the process. */
export const quietLogger: Logger = createLogger('test', process.env['TEST_LOG_LEVEL'] ?? 'fatal');
