import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { System } from '@parley/local/system';
import { findDistributionProgram } from '@parley/testing/servers/distribution-program';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeliveringWorkspace, interactionIdsOf } from '../webhooks/delivering-workspace.ts';
import { processesOf } from './processes.ts';

const run = promisify(execFile);

/** Dumps and restores the schemas of a system's services with the programs of PostgreSQL 15. */
async function createBackups(system: System, admin: SqlConnection, folder: string) {
  const { postgresUrl } = system.local();
  const processes = processesOf(system);
  const pg = async (name: string, args: string[]): Promise<void> => {
    const path = `usr/lib/postgresql/15/bin/${name}`;
    const found = await findDistributionProgram('postgresql-client-15', path);
    if (typeof found === 'string') throw new Error(found);
    await run(found.path, args, { env: { ...process.env, ...found.env } });
  };
  return {
    dump: async (service: string): Promise<string> => {
      const file = join(folder, `${service}.dump`);
      await pg('pg_dump', ['--format=custom', `--schema=${service}`, `--file=${file}`, postgresUrl]);
      return file;
    },
    /** While its process is stopped. It then starts again. */
    restore: async (service: string, file: string): Promise<void> => {
      processes.freeze(processes.pidOf(service));
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        `parley_${service}`,
      ]);
      await admin.query(`drop schema ${service} cascade`);
      await pg('pg_restore', ['--exit-on-error', '--single-transaction', `--dbname=${postgresUrl}`, file]);
      await processes.end(service, 'SIGKILL');
    },
  };
}

const messageIdsOf = ({ requests }: Receiver): string[] =>
  requests.map(({ headers }) => String(headers['webhook-id']));

/** Tests of restores of one service's database from a backup, while the others keep theirs. */
export function restoreTests(system: () => System): void {
  const stack = new AsyncDisposableStack();
  let admin: SqlConnection;
  let backups: Awaited<ReturnType<typeof createBackups>>;
  let receiver: Receiver;
  let workspace: Awaited<ReturnType<typeof createDeliveringWorkspace>>;
  beforeAll(async () => {
    admin = stack.use(await openSqlConnection(system().local().postgresUrl));
    const folder = stack.use(await temporaryFolder('backups'));
    backups = await createBackups(system(), admin, folder.path);
    receiver = stack.use(await startReceiver());
    workspace = await createDeliveringWorkspace(system().local().baseUrl, system().operator);
    await workspace.hookTo(receiver);
  });
  afterAll(() => stack.disposeAsync());

  const delivered = (ids: readonly string[]): Promise<void> =>
    eventually(() => expect(interactionIdsOf(receiver.requests).toSorted()).toEqual(ids.toSorted()));

  test('after the webhook database was restored, completions since its backup are delivered', async () => {
    const before = await workspace.complete();
    await delivered([before]);
    await eventually(async () => {
      const open = await admin.query('select from webhook.open_delivery');
      expect(open).toEqual([]);
    });
    const file = await backups.dump('webhook');
    const since = [await workspace.complete(), await workspace.complete()];
    await delivered([before, ...since]);
    await backups.restore('webhook', file);
    const after = await workspace.complete();
    await delivered([before, ...since, ...since, after]);
    // Receivers recognise them.
    const ids = messageIdsOf(receiver);
    expect(new Set(ids).size).toBe(ids.length - since.length);
  });

  test('after the interaction database was restored, new completions are delivered, and none twice under one id', async () => {
    receiver.requests.length = 0;
    const { interactions } = workspace.workspace.client;
    const { id: again } = await interactions.create({
      customerId: 'c',
      botId: workspace.botId,
      status: 'Pending',
    });
    const file = await backups.dump('interaction');
    await interactions.update(again, { status: 'Completed' });
    const undone = await workspace.complete();
    await delivered([again, undone]);
    await backups.restore('interaction', file);
    await eventually(async () => expect((await interactions.get(again)).status).toBe('Pending'));
    await interactions.update(again, { status: 'Completed' });
    const after = await workspace.complete();
    await delivered([again, undone, again, after]);
    // The consumer has read the restored log to its end.
    await eventually(async () => {
      const [log] = await admin.query(
        `select position || '.' || id as cursor from interaction.event_log order by position desc limit 1`,
      );
      const read = await admin.query(`select cursor from webhook.inbox_cursor where source = 'interaction'`);
      expect(read).toEqual([log]);
    });
    const ids = messageIdsOf(receiver);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });
}
