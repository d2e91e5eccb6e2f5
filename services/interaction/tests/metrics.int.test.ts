import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, test } from 'vitest';
import { migrations } from '../src/migrations/index.ts';

interface Exported {
  resourceMetrics: {
    scopeMetrics: { metrics: { name: string; gauge?: { dataPoints: { asDouble: number }[] } }[] }[];
  }[];
}

test('the age of the oldest event that no consumer can read yet is exported with telemetry, and rises', async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase('interaction', migrations));
  const connection = stack.use(await openSqlConnection(database.adminUrl));
  const collector = stack.use(await startReceiver());
  const nowhere = '127.0.0.1:1';
  const env = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: process.env['NODE_OPTIONS'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    LOG_LEVEL: 'fatal',
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: database.url,
    RPC_TOKEN: 'a-token-of-our-services',
    OPERATOR_TOKEN: 'a-token-of-the-operator',
    IDENTITY_ADDRESS: nowhere,
    CUSTOMER_ADDRESS: nowhere,
    NATS_URL: `nats://${nowhere}`,
    LANDING_URL: 'https://talk.example',
    LINK_KEYS: `one:${randomBytes(32).toString('base64')}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_METRIC_EXPORT_TIMEOUT: '1000',
  };
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' });
  stack.defer(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });
  /** The values of the gauge, in order. */
  const values = (): number[] =>
    collector.requests
      .filter(({ url }) => url.startsWith('/v1/metrics'))
      .flatMap(({ body }) => (JSON.parse(body.toString()) as Exported).resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .filter(({ name }) => name === 'parley.events.unnumbered.age')
      .flatMap(({ gauge }) => gauge?.dataPoints.map(({ asDouble }) => asDouble) ?? []);

  await eventually(() => expect(values()).toContain(0));
  // As long as another relay numbers.
  await connection.query(`select pg_advisory_lock(hashtextextended('interaction.number_events', 0))`);
  await connection.query(
    `insert into interaction.event_log (id, workspace_id, type, about, payload, raised_at)
     values (uuidv7(), uuidv7(), 'parley.test.happened.v1', 'a', '', now() - interval '90 seconds')`,
  );
  await eventually(() => {
    const risen = values().filter((seconds) => seconds >= 90);
    expect(risen.length).toBeGreaterThan(1);
    expect(risen.at(-1)).toBeGreaterThan(risen[0] ?? 0);
  });
});
