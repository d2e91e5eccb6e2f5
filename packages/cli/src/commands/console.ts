import { IdentityAdminServiceService, type Operator } from '@parley/contracts/identity/v1/identity';
import { roleNames } from '@parley/contracts/roles';
import { type Command, Option } from 'commander';
import { counted } from '../counted.ts';
import { usageFailure } from '../failure.ts';
import { print, table } from '../output.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall, readRunFile, type Target } from '../target.ts';

interface LinkOptions extends GlobalOptions {
  workspace?: string;
  role?: string;
  operator?: boolean;
  name: string;
  url?: string;
}

export function addConsoleCommands(program: Command, shell: Shell): void {
  const console = program.command('console').description('let people into the console, and out of it');

  console
    .command('link')
    .description('print a URL that signs a person in once, within 15 minutes')
    .option('--workspace <id>', 'the workspace')
    .addOption(
      new Option('--role <role>', 'what the person may do in it (default: "owner")').choices(roleNames),
    )
    .option('--operator', 'instead of a workspace: lets the person see the state of the deployment')
    .option('--name <name>', 'the name of the person, which the audit log shows', 'Operator')
    .option('--url <url>', 'the address of a deployment, such as https://api.example.com (PARLEY_URL)')
    .addHelpText(
      'after',
      '\nExamples:\n  parley console link --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab --role viewer\n' +
        '  parley console link --operator',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<LinkOptions>();
      const { name } = options;
      const access = accessOf(options);
      const target = await findTarget(options, shell);
      const baseUrl = await siteUrlOf(options, target, shell);
      const { code } = await ask(target, 'identity', `workspace ${access.workspaceId}`, (peer) =>
        peer.client(IdentityAdminServiceService).createConsoleLink({ ...access, name }, newCall()),
      );
      // Browsers do not send what follows the #, so no log has the code.
      const url = `${baseUrl.replace(/\/+$/, '')}/console/sign-in/link#${code}`;
      print(shell, options.json, { url }, url);
    });

  addSessionCommands(console, shell);
}

function addSessionCommands(console: Command, shell: Shell): void {
  console
    .command('operators')
    .description('list the operators who are signed in, the newest sign-in first')
    .addHelpText('after', '\nExample:\n  parley console operators')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { operators } = await ask(await findTarget(options, shell), 'identity', 'the operators', (peer) =>
        peer.client(IdentityAdminServiceService).listOperators({}, newCall()),
      );
      print(shell, options.json, operators, operatorTable(operators));
    });

  console
    .command('sign-out')
    .description('end all sessions of a person, an operator or a member; this is idempotent')
    .argument('<person>', 'the id of the person; that of a member is its personId')
    .addHelpText('after', '\nExample:\n  parley console sign-out 01939f6a-2f40-7c3a-9d55-0123456789ab')
    .action(async (personId: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { ended } = await ask(
        await findTarget(options, shell),
        'identity',
        `person ${personId}`,
        (peer) => peer.client(IdentityAdminServiceService).endSessions({ personId }, newCall()),
      );
      print(
        shell,
        options.json,
        { personId, ended },
        `${personId} is signed out of ${counted(ended, 'session')}`,
      );
    });
}

function operatorTable(operators: Operator[]): string {
  const rows = operators.map(({ personId, name, email, signedInAt, seenAt, expiresAt, ...operator }) => [
    personId,
    name,
    email ?? '-',
    ...[signedInAt, seenAt, expiresAt, operator.groupsMissingSince].map((at) => at?.toISOString() ?? '-'),
  ]);
  return table(
    ['PERSON', 'NAME', 'EMAIL', 'SIGNED IN', 'LAST SEEN', 'ENDS', 'GROUPS MISSING SINCE'],
    rows,
    'No operator is signed in.',
  );
}

/** Returns what the link gives access to. Throws a usage failure unless it is a workspace or the deployment. */
function accessOf({ workspace = '', role, operator: isOperator = false }: LinkOptions) {
  if (isOperator && (workspace !== '' || role !== undefined))
    throw usageFailure('use either --operator, or --workspace with --role');
  if (!isOperator && workspace === '') throw usageFailure('pass --workspace ID, or --operator');
  return { workspaceId: workspace, role: isOperator ? '' : (role ?? 'owner'), isOperator };
}

async function siteUrlOf({ url }: LinkOptions, { dataDir }: Target, shell: Shell): Promise<string> {
  if (url) return url;
  if (dataDir !== undefined) return (await readRunFile(dataDir, 'local.json')).entry('baseUrl');
  const fromShell = shell.env['PARLEY_URL'];
  if (fromShell) return fromShell;
  throw usageFailure('the address of the deployment is missing: pass --url URL, or set PARLEY_URL');
}
