import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Command, Option } from 'commander';
import { Failure, usageFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { dataDirOf, type GlobalOptions } from '../target.ts';

const services = ['identity', 'customer', 'interaction', 'webhook'];

interface MigrateOptions extends GlobalOptions {
  service: string;
  dryRun?: boolean;
}

/** Adds `migrate`, which runs `services/<name>/src/migrate.ts` of the checkout. */
export function addMigrateCommand(program: Command, shell: Shell): void {
  program
    .command('migrate')
    .description('apply the migrations that the schema of a service lacks')
    .addOption(new Option('--service <name>', 'the service').choices(services).makeOptionMandatory())
    .option('--dry-run', 'only list them')
    .addHelpText(
      'after',
      '\nUses the database of DATABASE_URL, else that of the local run, and waits up to 20 seconds for it.\n' +
        'Works in a checkout of Parley only.' +
        '\n\nExample:\n  npm run parley -- migrate --service customer --dry-run',
    )
    .action(async (_, command: Command) => {
      const { service, dryRun, json, ...target } = command.optsWithGlobals<MigrateOptions>();
      const { env, stdout } = shell;
      const DATABASE_URL = env['DATABASE_URL'] || (await localDatabase(service, dataDirOf(target, shell)));
      const flags = [...(dryRun ? ['--dry-run'] : []), ...(json ? ['--json'] : [])];
      stdout.write(await runEntry(service, flags, { ...env, DATABASE_URL }));
    });
}

/** Returns the standard output of the command. Throws a `Failure` with its standard error. */
async function runEntry(service: string, flags: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const entry = resolve(import.meta.dirname, '../../../../services', service, 'src/migrate.ts');
  if (!existsSync(entry)) throw usageFailure('migrate works in a checkout of Parley only: npm run parley');
  try {
    return (await promisify(execFile)(process.execPath, [entry, ...flags], { env })).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const message = stderr.trim() || String(error);
    throw new Failure(message, { type: 'migration-failed', exitCode: code === 2 ? 2 : 1, cause: error });
  }
}

/** Returns the URL of a service's database in a local run. */
async function localDatabase(service: string, dataDir: string): Promise<string> {
  try {
    const [local, secrets] = await Promise.all(
      ['local.json', 'secrets.json'].map(async (name) =>
        JSON.parse(await readFile(join(dataDir, name), 'utf8')),
      ),
    );
    const url = new URL(local.postgresUrl);
    url.username = `parley_${service}`;
    url.password = encodeURIComponent(secrets.passwords[service]);
    return url.href;
  } catch (cause) {
    const message = `DATABASE_URL is not set, and there is no local run in ${dataDir}`;
    throw new Failure(message, { type: 'no-local-run', cause });
  }
}
