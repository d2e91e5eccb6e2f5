import { dirname, join } from 'node:path';
import { removePostgres, startPostgres } from '@parley/local/postgres/postgres';
import type { Server } from '@parley/local/processes/program';
import { certificate } from '../peers/certificate.ts';
import { findDistributionProgram } from './distribution-program.ts';
import { temporaryFolder } from '../setup/folders.ts';

/** What a server can be set to, far from its defaults. Reads of dates, numbers and bytes depend on most of it. */
const hostileSettings = [
  'DateStyle=SQL, DMY',
  'IntervalStyle=sql_standard',
  'TimeZone=Pacific/Auckland',
  'default_transaction_isolation=serializable',
  'extra_float_digits=-15',
  'bytea_output=escape',
  'array_nulls=off',
  'standard_conforming_strings=off',
  'escape_string_warning=off',
  // gettext ignores LANGUAGE only in the locale `C`.
  'lc_messages=C.UTF-8',
  'ssl=on',
];

/**
 * Starts the oldest supported PostgreSQL, 15 of Debian, with settings far from the defaults, German messages and the
 * `certificate` of tests. Its URL is the superuser's, without TLS. A string says why there is none. Throws instead if
 * CI is set. `settings` are `name=value`.
 */
export async function startHostilePostgres(
  stack: AsyncDisposableStack,
  settings: readonly string[] = [],
): Promise<Server | string> {
  const found = await findDistributionProgram('postgresql-15', 'usr/lib/postgresql/15/bin/postgres');
  if (typeof found === 'string') return found;
  const folder = stack.use(await temporaryFolder('hostile-postgres'));
  const dataDir = join(folder.path, 'data');
  stack.defer(() => removePostgres(dataDir));
  const build = {
    binDir: dirname(found.path),
    locale: ['--locale=C.UTF-8'],
    settings: [...hostileSettings, ...settings],
    env: { ...found.env, LANGUAGE: 'de' },
    files: { 'server.crt': certificate.cert, 'server.key': certificate.key },
  };
  return stack.use(await startPostgres({ dataDir, durable: false, build }));
}
