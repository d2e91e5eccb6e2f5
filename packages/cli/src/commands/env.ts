import type { Command } from 'commander';
import { usageFailure } from '../failure.ts';
import { print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { dataDirOf, type GlobalOptions, readRunFile } from '../target.ts';

/** The variables that samples read, by the fields of `local.json`. */
const variables = {
  PARLEY_URL: 'baseUrl',
  PARLEY_WORKSPACE: 'workspaceId',
  PARLEY_API_KEY: 'apiKey',
  PARLEY_API_SECRET: 'apiSecret',
} as const;

export function addEnvCommand(program: Command, shell: Shell): void {
  program
    .command('env')
    .description('print the address, workspace and key of a local run as variables of a shell')
    .addHelpText('after', '\nExample:\n  eval "$(parley env)"\n  parley env > .env')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (options.identity !== undefined || options.interaction !== undefined) {
        throw usageFailure('env is for a local run; for a deployment, create a key: parley key create');
      }
      const { entry } = await readRunFile(dataDirOf(options, shell), 'local.json');
      const values = Object.entries(variables).map(([name, field]) => [name, entry(field)] as const);
      const lines = values.map(([name, value]) => `export ${name}='${value}'`);
      print(shell, options.json, Object.fromEntries(values), lines.join('\n'));
    });
}
