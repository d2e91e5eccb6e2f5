import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '@parley/postgres/connecting/client';
import type { Cluster } from './postgres.ts';

export const standbyName = 'standby';

/** Folders that a server fills itself, and files of one process. */
const emptied = new Set(['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots']);
const omitted = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'standby.signal',
  'pg_control',
]);

/**
 * Replaces a cluster by a copy of a running server's, which it then follows. The embedded binaries have no
 * `pg_basebackup`, so this is the backup with SQL of PostgreSQL's manual ("Making a Base Backup Using the Low Level
 * API"). What changes meanwhile comes with the server's log.
 */
export async function copyToStandby(url: string, from: string, to: Cluster): Promise<void> {
  const { hostname, port, username, password } = new URL(url);
  const next = { folder: `${to.folder}.new`, own: to.own };
  await rm(next.folder, { recursive: true, force: true });
  await withClient(url, async (client) => {
    await client.query(`select pg_backup_start($1, fast => true)`, [standbyName]);
    await copyFolder(from, next.folder, next);
    // Last: it says up to where the copy must be replayed.
    await copyOwned(join(from, 'global/pg_control'), join(next.folder, 'global/pg_control'), next);
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
    );
    await writeOwned('backup_label', rows[0]?.label ?? '', next);
  });
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeOwned('standby.signal', '', next);
  const name = `application_name=${standbyName} connect_timeout=2`;
  await writeOwned(settingsFile, `primary_conninfo = '${source} ${name}'\n`, next);
  await rm(to.folder, { recursive: true, force: true });
  await rename(next.folder, to.folder);
}

const settingsFile = 'postgresql.auto.conf';

/** Makes a stopped cluster start as a primary that waits for no standby. */
export async function makePrimary({ folder }: Cluster): Promise<void> {
  await rm(join(folder, 'standby.signal'), { force: true });
  const path = join(folder, settingsFile);
  const lines = (await readFile(path, 'utf8')).split('\n');
  const isKept = (line: string): boolean => !/^(synchronous_standby_names|primary_conninfo)\b/.test(line);
  await writeFile(path, lines.filter(isKept).join('\n'));
}

async function copyFolder(from: string, to: string, cluster: Cluster): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  await cluster.own(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const { name } = entry;
      const paths = [join(from, name), join(to, name)] as const;
      if (omitted.has(name)) return;
      if (entry.isDirectory() && !emptied.has(name)) await copyFolder(...paths, cluster);
      else if (entry.isDirectory()) {
        await mkdir(paths[1], { mode: 0o700 });
        await cluster.own(paths[1]);
      } else if (entry.isFile()) await copyOwned(...paths, cluster);
    }),
  );
}

async function copyOwned(from: string, to: string, { own }: Cluster): Promise<void> {
  try {
    await copyFile(from, to);
    await own(to);
  } catch (error) {
    // The server has removed it, such as with its table.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function writeOwned(name: string, text: string, { folder, own }: Cluster): Promise<void> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
  await own(join(folder, name));
}
