import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '@parley/local/ports';
import type { System } from '@parley/local/system';
import { provision } from '@parley/postgres/schema/provision';
import { databaseUrl, serviceUrl } from '@parley/postgres/connecting/urls';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { parseMetrics } from '../observed/metrics-text.ts';

// Consumers of other teams, each in its own process with its own durable and inbox. No fault ends them but their own.

export interface TeamSettings {
  durable: string;
  from: 'now' | 'beginning';
  databaseUrl: string;
  natsUrl: string;
  interactionAddress: string;
  rpcToken: string;
  metricsPort: number;
}

export interface TeamAccount {
  durable: string;
  /** The events that it has handled. */
  handled: number;
  /** The events that the stream delivered to it again. */
  repeated: number;
}

interface Team {
  wake(): Promise<void>;
  /** Stops it in one of three ways. `random` is in [0, 1). */
  sleep(random: () => number): Promise<void>;
  account(): Promise<TeamAccount>;
  hasBegun(): boolean;
}

/** The consumers of a system. */
export interface Teams extends AsyncDisposable {
  /** Begins with the run, from now on, and sleeps half of the time. */
  sleeper: Team;
  /** Begins in the middle of a run, at the beginning of the log. */
  latecomer: Team;
  /**
   * Waits until the teams that have begun have handled each event of these interactions once. Returns what is wrong
   * after four minutes.
   */
  faults(completed: readonly string[]): Promise<string[]>;
}

const database = 'parley_other_teams';
const settledMsMax = 240_000;
const scrapeMsMax = 5_000;
const names = ['sleeper', 'latecomer'] as const;

/** Creates their databases, and starts the first one. */
export async function startTeams({ local, operator }: System): Promise<Teams> {
  await using stack = new AsyncDisposableStack();
  const { postgresUrl, natsUrl } = local();
  const { consumerToken: rpcToken } = operator;
  const password = 'of-another-team';
  await provision({ adminUrl: postgresUrl, database, services: names.map((name) => ({ name, password })) });
  const adminUrl = databaseUrl(postgresUrl, database);
  const make = (durable: (typeof names)[number], from: TeamSettings['from']): Team =>
    stack.use(
      teamOf(adminUrl, {
        durable,
        from,
        // Tables of another team are not limited to workspaces: `npm test` checks no statements of this name.
        databaseUrl: `${serviceUrl(postgresUrl, database, { name: durable, password })}?application_name=test`,
        natsUrl,
        interactionAddress: operator.interaction,
        rpcToken,
      }),
    );
  const sleeper = make('sleeper', 'now');
  const latecomer = make('latecomer', 'beginning');
  await sleeper.wake();
  await eventually(
    async () => {
      await using sql = await openSqlConnection(adminUrl);
      const begun = await sql.query('select from sleeper.inbox_cursor where cursor is not null');
      if (begun.length === 0) throw new Error('the consumer has not begun');
    },
    { everyMs: 100 },
  );
  const started = stack.move();
  return {
    sleeper,
    latecomer,
    faults: async (completed) => {
      const wrong = async (): Promise<string[]> => {
        await using sql = await openSqlConnection(adminUrl);
        const begun = names.filter((name) => ({ sleeper, latecomer })[name].hasBegun());
        return (await Promise.all(begun.map((name) => wrongIn(sql, name, completed)))).flat();
      };
      await eventually(
        async () => {
          if ((await wrong()).length > 0) throw new Error('events are missing');
        },
        { timeoutMs: settledMsMax, everyMs: 250 },
      ).catch(() => {});
      return wrong();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Each interaction was created once and completed once. */
async function wrongIn(
  sql: Awaited<ReturnType<typeof openSqlConnection>>,
  name: string,
  completed: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string; type: string; count: number }>(
    `select id, wanted.type, count(event_id)::int as count
     from unnest($1::uuid[]) as id
     cross join unnest(array['parley.interaction.created.v1', 'parley.interaction.completed.v1']) as wanted (type)
     left join ${name}.handled on handled.type = wanted.type and handled.about = id
     group by id, wanted.type having count(event_id) <> 1`,
    [completed],
  );
  return rows.map(({ id, type, count }) => `the ${name} has handled ${type} of ${id} ${count} times`);
}

function teamOf(adminUrl: string, settings: Omit<TeamSettings, 'metricsPort'>): Team & AsyncDisposable {
  const { durable } = settings;
  let child: ChildProcess | undefined;
  let metricsPort = 0;
  let repeatedBefore = 0;
  let begun = false;
  /** What the running process has counted. */
  const repeatedNow = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, {
      signal: AbortSignal.timeout(scrapeMsMax),
    }).catch(() => undefined);
    const { samples } = parseMetrics((await answer?.text()) ?? '');
    return samples.find(({ name }) => name === 'parley_consumer_repeated_total')?.value ?? 0;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    child = undefined;
    await exited;
  };
  return {
    wake: async () => {
      if (child) return void child.kill('SIGCONT');
      begun = true;
      metricsPort = await freePort();
      const program = join(import.meta.dirname, 'team-process.ts');
      child = fork(program, [JSON.stringify({ ...settings, metricsPort })], { execArgv: [] });
    },
    sleep: async (random) => {
      const way = Math.floor(random() * 3);
      if (way === 0) return void child?.kill('SIGSTOP');
      repeatedBefore += await repeatedNow();
      await end(way === 1 ? 'SIGKILL' : 'SIGTERM');
    },
    hasBegun: () => begun,
    account: async () => {
      await using sql = await openSqlConnection(adminUrl);
      const [row] = await sql.query<{ handled: number }>(
        `select count(*)::int as handled from ${durable}.handled`,
      );
      const repeated = repeatedBefore + (child ? await repeatedNow() : 0);
      return { durable, handled: row?.handled ?? 0, repeated };
    },
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
