import { type Command, Option } from 'commander';
import { localService, runEntry } from '../service-entry.ts';
import type { Shell } from '../shell.ts';
import { dataDirOf, type GlobalOptions } from '../target.ts';

/** Adds `keys`, which runs `services/<name>/src/keys.ts` of the checkout. */
export function addKeysCommand(program: Command, shell: Shell): void {
  program
    .command('keys')
    .description('count the stored secrets of a service under each key of ENCRYPTION_KEYS')
    .addOption(
      new Option('--service <name>', 'the service')
        .choices(['identity', 'customer', 'webhook'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nUses DATABASE_URL and ENCRYPTION_KEYS, else those of the local run. Works in a checkout of\nParley only.' +
        '\n\nExample:\n  npm run parley -- keys --service webhook',
    )
    .action(async (_, command: Command) => {
      const { service, json, ...target } = command.optsWithGlobals<GlobalOptions & { service: string }>();
      const { env, stdout } = shell;
      const own =
        env['DATABASE_URL'] || env['DATABASE_URL_FILE']
          ? {}
          : await localService(service, dataDirOf(target, shell));
      stdout.write(await runEntry(service, 'keys', json ? ['--json'] : [], { ...env, ...own }));
    });
}
