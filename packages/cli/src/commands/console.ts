import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { roleNames } from '@parley/contracts/roles';
import { type Command, Option } from 'commander';
import { usageFailure } from '../failure.ts';
import { print } from '../output.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall, readRunFile, type Target } from '../target.ts';

interface LinkOptions extends GlobalOptions {
  workspace: string;
  role: string;
  name: string;
  url?: string;
}

/** Adds `console link`. */
export function addConsoleCommands(program: Command, shell: Shell): void {
  const console = program.command('console').description('let people into the console');

  console
    .command('link')
    .description('print a URL that signs a person in once, within 15 minutes')
    .requiredOption('--workspace <id>', 'the workspace')
    .addOption(new Option('--role <role>', 'what the person may do').choices(roleNames).default('owner'))
    .option('--name <name>', 'the name of the person, which the audit log shows', 'Operator')
    .option('--url <url>', 'the address of a deployment, such as https://api.example.com (PARLEY_URL)')
    .addHelpText(
      'after',
      '\nExample:\n  parley console link --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab --role viewer',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<LinkOptions>();
      const { workspace: workspaceId, role, name } = options;
      const target = await findTarget(options, shell);
      const baseUrl = await siteUrlOf(options, target, shell);
      const { code } = await ask(target, 'identity', `workspace ${workspaceId}`, (peer) =>
        peer.client(IdentityAdminServiceService).createConsoleLink({ workspaceId, role, name }, newCall()),
      );
      // Browsers do not send what follows the #, so no log has the code.
      const url = `${baseUrl.replace(/\/+$/, '')}/console/sign-in/link#${code}`;
      print(shell, options.json, { url }, url);
    });
}

async function siteUrlOf({ url }: LinkOptions, { dataDir }: Target, shell: Shell): Promise<string> {
  if (url) return url;
  if (dataDir !== undefined) return (await readRunFile(dataDir, 'local.json')).entry('baseUrl');
  const fromShell = shell.env['PARLEY_URL'];
  if (fromShell) return fromShell;
  throw usageFailure('the address of the deployment is missing: pass --url URL, or set PARLEY_URL');
}
