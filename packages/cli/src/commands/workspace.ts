import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import type { Command } from 'commander';
import { pairs, print, table } from '../output.ts';
import { repeated } from '../repeated.ts';
import { ask, findTarget, type GlobalOptions, newCall } from '../target.ts';

/** Adds `workspace create` and `workspace list`. */
export function addWorkspaceCommands(program: Command, env: NodeJS.ProcessEnv): void {
  const workspace = program.command('workspace').description('create and list workspaces');

  workspace
    .command('create')
    .description('create a workspace')
    .requiredOption('--name <name>', 'its name')
    .option('--allowed-domain <url>', 'an origin that the browser SDK may run on (repeatable)', repeated)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { name: string; allowedDomain?: string[] }>();
      const { name, allowedDomain: allowedDomains = [] } = options;
      const made = await ask(await findTarget(options, env), 'identity', 'workspace', (peer) =>
        peer.client(IdentityAdminServiceService).createWorkspace({ name, allowedDomains }, newCall()),
      );
      const text = pairs({ id: made.id, name: made.name, allowedDomains: made.allowedDomains.join(', ') });
      print(options.json, made, text);
    });

  workspace
    .command('list')
    .description('list all workspaces, oldest first')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { workspaces } = await ask(await findTarget(options, env), 'identity', 'workspace', (peer) =>
        peer.client(IdentityAdminServiceService).listWorkspaces({}, newCall()),
      );
      const rows = workspaces.map(({ id, name, allowedDomains }) => [id, name, allowedDomains.join(', ')]);
      print(
        options.json,
        workspaces,
        table(['ID', 'NAME', 'ALLOWED DOMAINS'], rows, 'There are no workspaces.'),
      );
    });
}
