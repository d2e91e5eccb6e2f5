import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isReachable } from '@parley/local/ports';
import { type Server, startServer } from '@parley/local/processes/program';
import { findDistributionProgram } from './distribution-program.ts';
import { temporaryFolder } from '../setup/folders.ts';

/**
 * Starts Debian's PgBouncer in front of the database of the URL, with its defaults but the mode. Its URL leads through
 * it. A string says why it cannot be had; throws instead if CI is set.
 */
export async function startPgBouncer(
  stack: AsyncDisposableStack,
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Server | string> {
  const found = await findDistributionProgram('pgbouncer', 'usr/sbin/pgbouncer');
  if (typeof found === 'string') return found;
  const { path } = stack.use(await temporaryFolder('pgbouncer'));
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const port = await freePort();
  const file = join(path, 'pgbouncer.ini');
  // Anyone may use it as the role of the URL.
  await writeFile(
    file,
    `[databases]
${name} = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  await chmod(path, 0o755);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const program = {
    name: 'pgbouncer',
    command: async () => ({
      file: found.path,
      args: [...account, file],
      env: { ...process.env, ...found.env },
    }),
    isReady: () => isReachable(`127.0.0.1:${port}`),
    stopSignal: 'SIGTERM' as const,
    alarmIn: () => undefined,
  };
  target.host = `127.0.0.1:${port}`;
  return stack.use(await startServer({ program, port, url: target.href }, join(path, 'pgbouncer.log')));
}
