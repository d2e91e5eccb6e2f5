import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Failure, usageFailure } from './failure.ts';

/** The names of a million unreadable values. */
const outputBytesMax = 64 * 1024 * 1024;

/** Runs `services/<service>/src/<name>.ts` of the checkout. Returns its output. Throws a `Failure` with its error. */
export async function runEntry(
  service: string,
  name: 'migrate' | 'keys',
  flags: string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const entry = resolve(import.meta.dirname, '../../../services', service, 'src', `${name}.ts`);
  if (!existsSync(entry)) throw usageFailure(`${name} works in a checkout of Parley only: npm run parley`);
  try {
    return (
      await promisify(execFile)(process.execPath, [entry, ...flags], { env, maxBuffer: outputBytesMax })
    ).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const message = stderr.trim() || String(error);
    const type = name === 'migrate' ? 'migration-failed' : 'keys-failed';
    throw new Failure(message, { type, exitCode: code === 2 ? 2 : 1, cause: error });
  }
}

/** Returns the variables of a service of a local run that concern its database. Throws a `Failure`. */
export async function localService(
  service: string,
  dataDir: string,
): Promise<{ DATABASE_URL: string; ENCRYPTION_KEYS: string }> {
  try {
    const [local, secrets] = await Promise.all(
      ['local.json', 'secrets.json'].map(async (name) =>
        JSON.parse(await readFile(join(dataDir, name), 'utf8')),
      ),
    );
    const url = new URL(local.postgresUrl);
    url.username = `parley_${service}`;
    url.password = encodeURIComponent(secrets.passwords[service]);
    return { DATABASE_URL: url.href, ENCRYPTION_KEYS: String(secrets[`${service}Keys`] ?? '') };
  } catch (cause) {
    const message = `DATABASE_URL is not set, and there is no local run in ${dataDir}; start one with npm start`;
    throw new Failure(message, { type: 'no-local-run', cause });
  }
}
