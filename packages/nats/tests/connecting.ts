// A process that connects to `NATS_URL`, sends a request to itself and logs the answer, until its standard
// input ends.
import { openConnection } from '@parley/nats/connection';
import { createLogger } from '@parley/runtime/logger';

const logger = createLogger('connecting', 'info');
await using connection = openConnection({ url: process.env['NATS_URL'] ?? '', logger });
connection.answer('question', (question) => `${question} answered`);
const ended = new Promise((resolve) => process.stdin.once('end', resolve).resume());
await Promise.race([connection.connecting, ended]);
if (connection.isConnected()) logger.info(await connection.ask('question', 'a question', 5_000));
await ended;
