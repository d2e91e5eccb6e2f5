// A process that connects to each URL in `CONNECTIONS`, by name, sends a request to itself over each connection, and
// logs the answers, until its standard input ends. The lines of a connection have its name as their service.
import { openConnection } from '@parley/nats/connection';
import { createLogger } from '@parley/runtime/telemetry/logger';

const urls = JSON.parse(process.env['CONNECTIONS'] ?? '{}') as Record<string, string>;
const ended = new Promise((resolve) => process.stdin.once('end', resolve).resume());
await using connections = new AsyncDisposableStack();

async function ask(name: string, url: string): Promise<void> {
  const logger = createLogger(name, 'info');
  const connection = connections.use(openConnection({ url, logger }));
  connection.respond('question', (question) => `${question} answered`);
  await Promise.race([connection.connecting, ended]);
  if (connection.isConnected()) logger.info(await connection.request('question', 'a question', 5_000));
}

await Promise.all(Object.entries(urls).map(([name, url]) => ask(name, url)));
await ended;
