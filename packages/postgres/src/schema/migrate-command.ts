import { readMigrationDatabaseUrl } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { exitCodeOf, readFlags } from '../connecting/command.ts';
import { migrate, type Migrations, readSchemaState } from './migrate.ts';

const usage = (
  service: string,
): string => `usage: node services/${service}/src/migrate.ts [--dry-run] [--json]

Applies the migrations that the schema of the ${service} service lacks, in one transaction.
DATABASE_URL is that of the service, with its own role. MIGRATION_DATABASE_URL replaces it.

  --dry-run  only lists them
  --json     prints one JSON value: {"applied" or "missing": [...], "unknown": [...]}

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

/**
 * The command that migrates the schema of a service, apart from its start. Prints to standard output, and errors to
 * standard error. Returns the exit code that `--help` explains.
 */
export async function migrateCommand(
  service: string,
  migrations: Migrations,
  args: string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): Promise<0 | 1 | 2> {
  try {
    const { help, json, 'dry-run': isDryRun } = readFlags(args, ['json', 'dry-run']);
    if (help) {
      console.log(usage(service));
      return 0;
    }
    const url = readMigrationDatabaseUrl(env);
    // Each fault that matters ends the command.
    const options = { url, logger: createLogger(service, 'silent') };
    const { missing, unknown } = await (isDryRun ? readSchemaState : migrate)(options, migrations);
    if (json) console.log(JSON.stringify({ [isDryRun ? 'missing' : 'applied']: missing, unknown }));
    else console.log(report(isDryRun, missing, unknown));
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function report(isDryRun: boolean, missing: string[], unknown: string[]): string {
  const verb = isDryRun ? 'would apply' : 'applied';
  return [
    ...missing.map((name) => `${verb} ${name}`),
    ...(missing.length === 0 ? ['nothing to apply'] : []),
    ...unknown.map((name) => `a newer release has applied ${name}`),
  ].join('\n');
}
