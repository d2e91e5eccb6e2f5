import type { Command } from '@parley/local/processes/child';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import type { System } from '@parley/local/system';
import { startTestSystem } from '@parley/testing/setup/system';
import { type Processes, processesOf } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { paths } from './answers.ts';
import { insist } from './load.ts';
import { type Receivers, startReceivers } from './receiver.ts';
import { startTeams, type Teams } from './teams.ts';

export const scheduleSeconds: readonly number[] = [0.2, 0.3, 0.5, 1, 1, 1, 2, 2, 2, 2];

/** A webhook that is deactivated for good during its deliveries. */
interface Leaving {
  id: string;
  reason: 'gone' | 'auto';
}

/** The system with the controls for all faults. */
export interface World extends AsyncDisposable {
  system: System;
  processes: Processes;
  receivers: Receivers;
  workspace: TestWorkspace;
  botId: string;
  webhookIds: string[];
  leaving: Leaving[];
  teams: Teams;
  /** The replicas of the webhook service: `webhook-1`, ... */
  replicas: string[];
  /** Returns the replica whose connections have this application name. */
  replicaOf(applicationName: string): string;
  /** The process ids of the replicas, by the query parameter with the secret token. */
  replicaPids(): Record<string, number>;
  /** Creates a separate workspace with that bot. */
  createWorkspace(): Promise<{ workspace: TestWorkspace; botId: string }>;
  /** A superuser's connection. */
  openSql(): Promise<SqlConnection>;
}

/** Starts a system with replicas of the services that exchange events. The seed decides the receivers' answers. */
export async function createWorld(options: {
  replicas: number;
  seed: number;
  show?: (line: string) => void;
}): Promise<World> {
  const { replicas: replicaCount, seed, show } = options;
  await using started = new AsyncDisposableStack();
  const receivers = started.use(await startReceivers(seed));
  const system = started.use(
    await startTestSystem({
      restartable: true,
      replicas: { interaction: 2, webhook: replicaCount },
      webhookRetryScheduleSeconds: scheduleSeconds,
      adapt: named,
      env: { LOG_LEVEL: 'info' },
      ...(show && { show }),
    }),
  );
  const processes = processesOf(system);
  started.defer(() => processes.thawAll());
  const { baseUrl, postgresUrl } = system.local();
  const make = (): Promise<{ workspace: TestWorkspace; botId: string }> =>
    eventually(
      async () => {
        const workspace = await createWorkspace(baseUrl, system.operator);
        return { workspace, botId: await workspace.publish(npsBot) };
      },
      { everyMs: 200 },
    );
  const { workspace, botId } = await make();
  const webhookIds: string[] = [];
  for (const path of paths) webhookIds.push(await addWebhook(workspace, receivers.url + path));

  const teams = started.use(await startTeams(system));
  const replicas = Array.from({ length: replicaCount }, (_, index) => `webhook-${index + 1}`);
  const addresses = system.operator.webhook.replace('ipv4:', '').split(',');
  const replicaOf = (applicationName: string): string => {
    const replica = replicas[addresses.indexOf(applicationName)];
    if (!replica) throw new Error(`no replica listens at ${applicationName}`);
    return replica;
  };
  const openSql = (): Promise<SqlConnection> => openSqlConnection(postgresUrl);
  const stack = started.move();
  return {
    system,
    processes,
    receivers,
    workspace,
    botId,
    webhookIds,
    leaving: [],
    teams,
    replicas,
    replicaOf,
    replicaPids: () =>
      Object.fromEntries(
        addresses.map((address) => [parameterOf(address), processes.pidOf(replicaOf(address))]),
      ),
    createWorkspace: make,
    openSql,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export async function addWebhook({ api }: TestWorkspace, url: string): Promise<string> {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const wanted = { url, secretToken: url, isActive: true };
  return (await insist(() => api.post<{ id: string }>('/webhooks', wanted, key))).id;
}

/** Gives each replica an application name in the database and a query parameter at the receivers. */
function named(command: Command): Command {
  const address = command.env?.['LISTEN'] ?? '';
  return {
    ...command,
    env: { ...command.env, PGAPPNAME: address, SECRET_TOKEN_PARAMETER: parameterOf(address) },
  };
}

function parameterOf(address: string): string {
  return `token-of-${address.replace(':', '-')}`;
}
