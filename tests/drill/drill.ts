import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureSecrets, ownerId } from '@parley/local/files/secrets';
import { database } from '@parley/local/processes/servers';
import { databaseServices } from '@parley/contracts/services';
import { startSystem, type System } from '@parley/local/system';
import { provision } from '@parley/postgres/schema/provision';
import { databaseUrl } from '@parley/postgres/connecting/urls';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { createDeliveringWorkspace, interactionIdsOf } from '../webhooks/delivering-workspace.ts';
import { startDrillPostgres } from './distribution-postgres.ts';
import { startCompletions } from './load.ts';

const run = promisify(execFile);
const deploy = resolve(import.meta.dirname, '../../deploy');

export interface DrillOptions {
  /** Completions per second. */
  perSecond: number;
  /** How long the load runs before the backup begins, and after it has ended. */
  loadSeconds: number;
  /** Dumps each service by itself, so many seconds apart. Undefined: all in one dump. */
  apartSeconds: number | undefined;
  show: (line: string) => void;
}

/** What a drill has found. Times in seconds. */
export interface DrillReport {
  /** Completions that the API had acknowledged before the loss. */
  acknowledged: number;
  /** How many of them are in the restored data. */
  restored: number;
  /** Restored ones that the receiver had not accepted before the restore. */
  late: number;
  /** Restored ones that no receiver has got, before or after the restore. */
  undelivered: string[];
  /** From the last acknowledged completion of which the restored data has all earlier ones to the loss. */
  recoveryPoint: number;
  /** From the start of the restore until the API serves, and until the last missing delivery was received. */
  served: number;
  delivered: number;
}

const deliveredMsMax = 120_000;

/**
 * Puts load on a system, backs it up with `deploy/backup`, destroys its database and its NATS data, restores it with
 * `deploy/restore`, and compares the completions of the restored data with what a receiver got.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const { perSecond, loadSeconds, show } = options;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder('drill')).path;
  const dataDir = join(folder, 'data');
  const { server, env: programs } = await startDrillPostgres(stack, join(folder, 'postgres'));
  const start = (): Promise<System> =>
    startSystem({ dataDir, env: { ...process.env, DATABASE_URL: server.url, LLM_BASE_URL: '' }, ...retries });
  const { receiver, received, accept } = await startPartialReceiver(stack);

  const first = await start();
  stack.defer(() => first.kill());
  const { baseUrl } = first.local();
  const { workspace, botId, hookTo } = await createDeliveringWorkspace(baseUrl, first.operator);
  await hookTo(receiver);
  const load = startCompletions(workspace.client, botId, perSecond);
  show(`load: ${perSecond} completions per second`);
  await setTimeout(loadSeconds * 1_000);
  const url = databaseUrl(server.url, database);
  const backup = join(folder, 'backup');
  await backUp(backup, url, { ...process.env, ...programs }, options);
  await setTimeout(loadSeconds * 1_000);
  await first.kill();
  const lostAt = Date.now();
  await load.stop();
  await destroy(server.url, dataDir);
  show('the system is killed, its database and its NATS data are deleted');

  const startedAt = Date.now();
  await recreate(server.url, dataDir);
  const env = { ...process.env, ...programs, DATABASE_URL: url };
  const { stdout } = await run('sh', [join(deploy, 'restore'), backup], { env });
  show(stdout.trim());
  accept();
  stack.use(await start());
  const served = secondsSince(startedAt);
  show('the system runs again');

  const restored = await completedIn(url, workspace.id);
  const missing = (): string[] => restored.filter((id) => !received.has(id));
  const late = missing().length;
  await eventually(() => missing().length === 0 || Promise.reject(new Error('some are missing')), {
    timeoutMs: deliveredMsMax,
  }).catch(() => {});
  const known = new Set(restored);
  const { completions } = load;
  const firstLost = completions.findIndex(({ id }) => !known.has(id));
  const lastKept = firstLost < 0 ? lostAt : (completions[firstLost - 1]?.at ?? lostAt);
  return {
    acknowledged: completions.length,
    restored: restored.length,
    late,
    undelivered: missing(),
    recoveryPoint: (lostAt - lastKept) / 1_000,
    served,
    delivered: secondsSince(startedAt),
  };
}

/** Tries go on for two minutes. */
const retries = { webhookRetryScheduleSeconds: [1, ...Array.from({ length: 12 }, () => 10)] };

/** Starts a receiver that rejects a quarter of the interactions until `accept`, so that some deliveries are late. */
async function startPartialReceiver(stack: AsyncDisposableStack) {
  const received = new Set<string>();
  let acceptsAll = false;
  const receiver = stack.use(
    await startReceiver((request) => {
      const [id = ''] = interactionIdsOf([request]);
      if (!acceptsAll && /[048c]$/.test(id)) return { status: 503 };
      received.add(id);
      return { status: 200 };
    }),
  );
  return {
    receiver,
    /** The interactions that it has accepted. */
    received,
    accept: (): void => {
      acceptsAll = true;
    },
  };
}

const secondsSince = (at: number): number => (Date.now() - at) / 1_000;

async function backUp(
  folder: string,
  url: string,
  env: NodeJS.ProcessEnv,
  { apartSeconds, show }: DrillOptions,
): Promise<void> {
  const urls = databaseServices.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, url]);
  const slowDump = `${folder}-dump`;
  await writeFile(slowDump, `sleep ${apartSeconds}\nexec ${env['PG_DUMP']} "$@"\n`);
  const apart = { ...Object.fromEntries(urls), PG_DUMP: `sh ${slowDump}` };
  const own = apartSeconds === undefined ? { DATABASE_URL: url } : apart;
  const { stdout } = await run('sh', [join(deploy, 'backup'), folder], { env: { ...env, ...own } });
  show(stdout.trim());
}

/** Deletes the database and the data of NATS. The secrets stay: they are not in a backup. */
async function destroy(adminUrl: string, dataDir: string): Promise<void> {
  await using admin = await openSqlConnection(adminUrl);
  await admin.query(`drop database ${database} with (force)`);
  await rm(join(dataDir, 'nats'), { recursive: true });
}

async function recreate(adminUrl: string, dataDir: string): Promise<void> {
  const secrets = await ensureSecrets(dataDir);
  const services = databaseServices.map((name) => ({ name, password: secrets.passwords[name] }));
  await provision({ adminUrl, database, services, owner: { id: ownerId(secrets), place: dataDir } });
}

async function completedIn(url: string, workspaceId: string): Promise<string[]> {
  await using session = await openSqlConnection(url);
  const rows = await session.query<{ id: string }>(
    `select id from interaction.interaction where workspace_id = $1 and status = 'Completed'`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}
