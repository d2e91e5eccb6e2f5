import { IdentityAdminServiceService, type Workspace } from '@parley/contracts/identity/v1/identity';
import type { Command } from 'commander';
import { usageFailure } from '../failure.ts';
import { pairs, print, table } from '../output.ts';
import { repeated } from '../options/repeated.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall } from '../target.ts';
import { addBranding } from './workspace-branding.ts';

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

export function addWorkspaceCommands(program: Command, shell: Shell): void {
  const workspace = program.command('workspace').description('create, change and list workspaces');

  workspace
    .command('create')
    .description('create a workspace')
    .requiredOption('--name <name>', 'its name')
    .option('--allowed-domain <url>', 'an origin that the browser SDK may run on (repeatable)', repeated)
    .addHelpText('after', exampleOf('create --name Shop --allowed-domain https://shop.example'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { name: string; allowedDomain?: string[] }>();
      const { name, allowedDomain: allowedDomains = [] } = options;
      const created = await ask(await findTarget(options, shell), 'identity', 'workspace', (peer) =>
        peer.client(IdentityAdminServiceService).createWorkspace({ name, allowedDomains }, newCall()),
      );
      print(shell, options.json, created, described(created));
    });

  workspace
    .command('update')
    .description('replace the origins that the browser SDK may run on; effective within ten seconds')
    .argument('<id>', 'the workspace')
    .option('--allowed-domain <url>', 'an allowed origin (repeatable)', repeated)
    .option('--no-allowed-domain', 'allow none')
    .addHelpText('after', exampleOf(`update ${someId} --allowed-domain https://shop.example`))
    .action(async (id: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { allowedDomain?: string[] | false }>();
      const { allowedDomain } = options;
      if (allowedDomain === undefined) {
        throw usageFailure('pass --allowed-domain URL, or --no-allowed-domain');
      }
      const request = { id, allowedDomains: allowedDomain || [] };
      const updated = await ask(await findTarget(options, shell), 'identity', `workspace ${id}`, (peer) =>
        peer.client(IdentityAdminServiceService).replaceAllowedDomains(request, newCall()),
      );
      print(shell, options.json, updated, described(updated));
    });

  addBranding(workspace, shell);

  workspace
    .command('list')
    .description('list all workspaces, oldest first')
    .addHelpText('after', exampleOf('list'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { workspaces } = await ask(await findTarget(options, shell), 'identity', 'workspace', (peer) =>
        peer.client(IdentityAdminServiceService).listWorkspaces({}, newCall()),
      );
      const rows = workspaces.map(({ id, name, allowedDomains }) => [id, name, allowedDomains.join(', ')]);
      print(
        shell,
        options.json,
        workspaces,
        table(['ID', 'NAME', 'ALLOWED DOMAINS'], rows, 'There are no workspaces.'),
      );
    });
}

function exampleOf(call: string): string {
  return `\nExample:\n  parley workspace ${call}`;
}

function described({ id, name, allowedDomains }: Workspace): string {
  return pairs({ id, name, allowedDomains: allowedDomains.join(', ') || '-' });
}
