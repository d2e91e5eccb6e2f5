import { type ApiKey, IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import type { Command } from 'commander';
import { pairs, print, table } from '../output.ts';
import { repeated } from '../repeated.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall } from '../target.ts';

/** Adds `key create`, `key list` and `key revoke`. */
export function addKeyCommands(program: Command, shell: Shell): void {
  const key = program.command('key').description('create, list and revoke API keys');

  key
    .command('create')
    .description('create an API key, and print its secret for the only time')
    .requiredOption('--workspace <id>', 'its home workspace')
    .option('--access <id>', 'another workspace that it can access (repeatable)', repeated)
    .addHelpText('after', exampleOf('create --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { workspace: string; access?: string[] }>();
      const { workspace: workspaceId, access: accessIds = [] } = options;
      const created = await ask(
        await findTarget(options, shell),
        'identity',
        `workspace ${workspaceId}`,
        (peer) =>
          peer
            .client(IdentityAdminServiceService)
            .createKey({ workspaceId, accessIds, scopes: [], expiresAt: null }, newCall()),
      );
      print(shell, options.json, created, pairs({ apiKey: created.apiKey, apiSecret: created.apiSecret }));
    });

  key
    .command('list')
    .description('list the API keys of a workspace, oldest first, with revoked ones')
    .requiredOption('--workspace <id>', 'the home workspace')
    .addHelpText('after', exampleOf('list --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab'))
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { workspace: string }>();
      const { workspace: workspaceId } = options;
      const { keys } = await ask(
        await findTarget(options, shell),
        'identity',
        `workspace ${workspaceId}`,
        (peer) => peer.client(IdentityAdminServiceService).listKeys({ workspaceId }, newCall()),
      );
      print(shell, options.json, keys, keyTable(keys));
    });

  key
    .command('revoke')
    .description('revoke an API key; this is idempotent')
    .argument('<key>', 'the public half, prl_key_...')
    .addHelpText('after', exampleOf('revoke prl_key_3vVQmGdZcKxw9n2TfPq0Xy'))
    .action(async (apiKey: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const revoked = await ask(await findTarget(options, shell), 'identity', `API key ${apiKey}`, (peer) =>
        peer.client(IdentityAdminServiceService).revokeKey({ apiKey }, newCall()),
      );
      print(shell, options.json, revoked, `${apiKey} is revoked since ${instant(revoked.revokedAt)}`);
    });
}

function exampleOf(call: string): string {
  return `\nExample:\n  parley key ${call}`;
}

function keyTable(keys: ApiKey[]): string {
  const rows = keys.map(({ apiKey, createdAt, rotatedAt, revokedAt, workspaceIds }) => [
    apiKey,
    instant(createdAt),
    instant(rotatedAt),
    instant(revokedAt),
    workspaceIds.join(', '),
  ]);
  return table(['KEY', 'CREATED', 'ROTATED', 'REVOKED', 'ACCESS TO'], rows, 'The workspace has no keys.');
}

function instant(at: Date | null): string {
  return at?.toISOString() ?? '-';
}
