import { readSecretsConfig } from '@parley/runtime/config/config';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { exitCodeOf, readFlags } from './connecting/command.ts';
import { openDatabase } from './connecting/open.ts';
import { type KeyUse, namedValuesMax, readKeyUse, type SealedColumn } from './re-encrypt.ts';

const usage = (service: string): string => `usage: node services/${service}/src/keys.ts [--json]

Counts the stored secrets of the ${service} service under each key of ENCRYPTION_KEYS, and those
that no key decrypts: names the first ${namedValuesMax}. A key without values can be removed.
Changes nothing. DATABASE_URL is that of the service, with its own role.

  --json  prints one JSON value, with all names: [{"kid": ..., "role": "current", "older" or
          "missing", "values": 1, "unreadable": [...]}]

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

/**
 * The command that says which keys are still needed. Prints to standard output, and errors to standard error. Returns
 * the exit code that `--help` explains.
 */
export async function keysCommand(
  service: string,
  columns: readonly SealedColumn[],
  args: string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): Promise<0 | 1 | 2> {
  try {
    const { help, json } = readFlags(args, ['json']);
    if (help) {
      console.log(usage(service));
      return 0;
    }
    const { url, keys } = readSecretsConfig(env);
    await using database = openDatabase<unknown>({ url, logger: createLogger(service, 'silent') });
    const used = await readKeyUse(database.db, keys, columns);
    console.log(json ? JSON.stringify(used) : used.map(lineOf).join('\n'));
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function lineOf({ kid, role, values, unreadable }: KeyUse): string {
  const about = role === 'missing' ? 'not in ENCRYPTION_KEYS' : role;
  return `${kid} (${about}): ${values} ${values === 1 ? 'value' : 'values'}${unreadableText(unreadable)}`;
}

/** Names the first values. `--json` names all. */
function unreadableText(unreadable: readonly string[]): string {
  if (unreadable.length === 0) return '';
  const more = unreadable.length > namedValuesMax ? `, and ${unreadable.length - namedValuesMax} more` : '';
  const names = unreadable.slice(0, namedValuesMax).join(', ');
  return `, ${unreadable.length} cannot be decrypted: ${names}${more}`;
}
