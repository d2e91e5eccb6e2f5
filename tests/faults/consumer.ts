import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { interactionCompleted } from '@parley/contracts/events';
import { databaseUrl } from '@parley/postgres/connecting/urls';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { openStreamConnection } from '@parley/testing/database/stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveringWorkspace } from '../webhooks/delivering-workspace.ts';
import { loseBrokerFiles } from '../system/processes.ts';
import type { Faulty } from './system.ts';

const entry = resolve(import.meta.dirname, '../../examples/consumer/consumer.ts');

/** Runs the example with the environment of another team's service. Its disposal kills it. */
async function startExample(env: NodeJS.ProcessEnv) {
  const { PATH } = process.env;
  const child: ChildProcess = spawn(process.execPath, [entry], { env: { PATH, ...env } });
  const port = Promise.withResolvers<number>();
  for (const output of [child.stdout, child.stderr]) {
    if (!output) continue;
    createInterface(output).on('line', (line) => {
      const found = /"port":(\d+)/.exec(line)?.[1];
      if (found) port.resolve(Number(found));
    });
  }
  child.once('exit', (code, signal) => port.reject(new Error(`the example ended: ${code ?? signal}`)));
  const url = `http://127.0.0.1:${await port.promise}/`;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    counts: async () => (await (await fetch(url)).json()) as { hour: string; n: number }[],
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/** The database of the other team, with a role that has no right in any other. */
async function createTeam(admin: SqlConnection, postgresUrl: string): Promise<string> {
  await admin.query(`create role statistics login password 'of-another-team'`);
  await admin.query('create database statistics owner statistics');
  const url = new URL(databaseUrl(postgresUrl, 'statistics'));
  Object.assign(url, { username: 'statistics', password: 'of-another-team' });
  return url.href;
}

/** Tests of `examples/consumer`, run as another team would run it. */
export function consumerTests(faulty: () => Faulty): void {
  const stack = new AsyncDisposableStack();
  let admin: SqlConnection;
  let completeOne: (customerId: string) => Promise<string>;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    const { system } = faulty();
    const { baseUrl, postgresUrl, natsUrl } = system.local();
    admin = stack.use(await openSqlConnection(postgresUrl));
    stack.defer(async () => {
      await admin.query('drop database statistics with (force)');
      await admin.query('drop role statistics');
    });
    ({ complete: completeOne } = await createDeliveringWorkspace(baseUrl, system.operator));
    env = {
      DATABASE_URL: await createTeam(admin, postgresUrl),
      NATS_URL: natsUrl,
      INTERACTION_ADDRESS: system.operator.interaction,
      RPC_TOKEN: system.operator.consumerToken,
    };
  });
  afterAll(() => stack.disposeAsync());

  const complete = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, index) => completeOne(`c ${index}`)));

  /** What the event log says, when the consumer has passed all of it. */
  async function allCounted({ counts }: Awaited<ReturnType<typeof startExample>>): Promise<void> {
    await using own = await openSqlConnection(env['DATABASE_URL'] ?? '');
    await eventually(async () => {
      const [log] = await admin.query<{ last: number }>(
        'select max(position)::int as last from interaction.event_log',
      );
      const [read] = await own.query<{ cursor: string | null }>('select cursor from inbox_cursor');
      expect(Number(read?.cursor?.split('.')[0])).toBe(log?.last);
    });
    const logged = await admin.query<{ hour: Date; n: number }>(
      `select date_trunc('hour', raised_at) as hour, count(*)::int as n from interaction.event_log
       where type = $1 group by 1 order by 1`,
      [interactionCompleted.subject],
    );
    const counted = await counts();
    expect(counted.map(({ hour, n }) => ({ hour: new Date(hour), n }))).toEqual(logged);
  }

  test('misses no completion and counts none twice, though it is killed, and its stream and broker are lost', async () => {
    const { system, processes } = faulty();
    await using stream = await openStreamConnection(system.local().natsUrl);
    await complete(20);
    const first = stack.use(await startExample(env));
    await eventually(async () => expect((await first.counts()).length).toBeGreaterThan(0));
    await Promise.all([complete(20), first.kill()]);
    await complete(20);
    await stream.deleteStream();
    await complete(20);

    const second = stack.use(await startExample(env));
    await allCounted(second);
    await Promise.all([complete(20), second.kill()]);
    await complete(20);
    await loseBrokerFiles(system, processes, (path) => path === 'streams');

    const third = stack.use(await startExample(env));
    await complete(20);
    await allCounted(third);
  });
}
