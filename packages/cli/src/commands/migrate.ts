import { databaseServices } from '@parley/contracts/services';
import { type Command, Option } from 'commander';
import { localService, runEntry } from '../service-entry.ts';
import type { Shell } from '../shell.ts';
import { dataDirOf, type GlobalOptions } from '../target.ts';

interface MigrateOptions extends GlobalOptions {
  service: string;
  dryRun?: boolean;
}

/** Adds `migrate`, which runs `services/<name>/src/migrate.ts` of the checkout. */
export function addMigrateCommand(program: Command, shell: Shell): void {
  program
    .command('migrate')
    .description('apply the migrations that the schema of a service lacks')
    .addOption(new Option('--service <name>', 'the service').choices(databaseServices).makeOptionMandatory())
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
      const isGiven = env['DATABASE_URL'] || env['DATABASE_URL_FILE'];
      const local = isGiven ? undefined : await localService(service, dataDirOf(target, shell));
      // The direct way to another database is not meant for the local run's.
      const own = local && { DATABASE_URL: local.DATABASE_URL, MIGRATION_DATABASE_URL: undefined };
      const flags = [...(dryRun ? ['--dry-run'] : []), ...(json ? ['--json'] : [])];
      stdout.write(await runEntry(service, 'migrate', flags, { ...env, ...own }));
    });
}
