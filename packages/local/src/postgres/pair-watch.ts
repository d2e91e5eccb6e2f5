import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { clientConfig, withClient } from '@parley/postgres/connecting/client';
import pg from 'pg';
import { standbyName } from './standby.ts';

export interface WatchedPair {
  /** The administrator's URL of the primary itself. */
  primaryUrl(): string;
  primaryPid(): number | undefined;
  /** Whether every acknowledged commit is on the standby, so that it may be promoted. */
  isComplete: boolean;
  /** Called when every acknowledged commit is on the standby. */
  onComplete: () => void;
}

const pauseMs = 1_000;
/** How long a probe may take, connecting included. */
const probeMsMax = 2_000;
/** How many probes in a row fail before a primary counts as frozen. */
const failedProbesMax = 3;

/** Lets commits wait for the standby, or for nobody. */
export async function waitForStandby(url: string, isOn: boolean): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${isOn ? standbyName : ''}'`);
    await client.query('select pg_reload_conf()');
  });
}

/**
 * Watches a primary and its standby until the signal: commits wait for the standby as soon as it follows, and no longer
 * when it has gone. Kills a primary that does not answer, if the standby is complete.
 */
export async function watchPair(pair: WatchedPair, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let failing: number | undefined;
  let absences = 0;
  while (!signal.aborted) {
    const url = pair.primaryUrl();
    const pid = pair.primaryPid();
    const seen = await probe(url).catch(() => undefined);
    if (signal.aborted) return;
    if (url === pair.primaryUrl() && pid === pair.primaryPid()) {
      failures = seen || pid !== failing ? 0 : failures + 1;
      failing = pid;
      absences = seen?.follows === false ? absences + 1 : 0;
      if (seen) await adjust(pair, url, seen, absences > 1).catch(() => {});
      else if (failures >= failedProbesMax && pair.isComplete && pid) await killServer(pid);
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
}

interface Seen {
  /** A standby is connected and has caught up. */
  follows: boolean;
  /** The server waits for it. */
  isAwaited: boolean;
  /** Commits should wait for a standby. */
  isWanted: boolean;
}

async function adjust(pair: WatchedPair, url: string, seen: Seen, isGone: boolean): Promise<void> {
  if (seen.follows && seen.isAwaited) {
    if (!pair.isComplete) pair.onComplete();
    pair.isComplete = true;
  } else if (seen.follows && !seen.isWanted) await waitForStandby(url, true);
  else if (isGone && seen.isWanted) {
    pair.isComplete = false;
    await waitForStandby(url, false);
  }
}

/** Asks the server over a connection of its own. Throws if it does not answer in time. */
async function probe(url: string): Promise<Seen | undefined> {
  const config = { ...clientConfig(url), connectionTimeoutMillis: probeMsMax, query_timeout: probeMsMax };
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Seen>(
      `select count(*) > 0 as follows, coalesce(bool_or(sync_state = 'sync'), false) as "isAwaited",
         current_setting('synchronous_standby_names') <> '' as "isWanted"
       from pg_stat_replication where application_name = $1 and state = 'streaming'`,
      [standbyName],
    );
    return rows[0];
  } finally {
    client.connection.stream.destroy();
  }
}

/** Kills a server with its processes, which may be frozen like itself. */
async function killServer(pid: number): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  for (const id of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}
