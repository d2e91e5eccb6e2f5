import {
  type ApiKey,
  type CreateKeyRequest,
  type CreateKeyResponse,
  IdentityAdminServiceService,
} from '@parley/contracts/identity/v1/identity';
import { scopeNames } from '@parley/contracts/scopes';
import type { Peer } from '@parley/rpc/connect';
import type { Command } from 'commander';
import { Failure, usageFailure } from '../failure.ts';
import { pairs, print, table } from '../output.ts';
import { repeated } from '../options/repeated.ts';
import type { Shell } from '../shell.ts';
import { ask, findTarget, type GlobalOptions, newCall } from '../target.ts';

export function addKeyCommands(program: Command, shell: Shell): void {
  const key = program.command('key').description('create, list and revoke API keys');

  addKeyCreate(key, shell);

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

interface CreateOptions extends GlobalOptions {
  workspace: string;
  access?: string[];
  name?: string;
  scope?: string[];
  expiresIn?: string;
}

const unitMs = { h: 3_600_000, d: 86_400_000 } as const;

/** Returns the instant that lies so far ahead: a whole number and `h` or `d`, such as `90d`. Throws a usage failure. */
function instantIn(text: string, option: string, now = Date.now()): Date {
  const [, count = '', unit] = /^([1-9]\d{0,5})([hd])$/.exec(text) ?? [];
  if (unit === undefined)
    throw usageFailure(`${option}: ${text} is not a number of hours or days, such as 90d`);
  return new Date(now + Number(count) * unitMs[unit as keyof typeof unitMs]);
}

function addKeyCreate(key: Command, shell: Shell): void {
  key
    .command('create')
    .description('create an API key, and print its secret for the only time')
    .requiredOption('--workspace <id>', 'its home workspace')
    .option('--access <id>', 'another workspace that it can access (repeatable)', repeated)
    .option('--name <name>', 'what it is for')
    .option('--scope <scope>', 'what it may do (repeatable); default: everything', repeated)
    .option('--expires-in <time>', 'when it ends by itself: hours or days, such as 12h or 90d')
    .addHelpText('after', `\nScopes:\n${scopeNames.map((name) => `  ${name}`).join('\n')}`)
    .addHelpText(
      'after',
      exampleOf('create --workspace 01939f6a-2f40-7c3a-9d55-0123456789ab --name Partner \\') +
        '\n    --scope interactions:write --expires-in 90d',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      const { workspace: workspaceId, access: accessIds = [], name, scope: scopes = [], expiresIn } = options;
      const expiresAt = expiresIn === undefined ? null : instantIn(expiresIn, '--expires-in');
      const created = await ask(
        await findTarget(options, shell),
        'identity',
        `workspace ${workspaceId}`,
        (peer) => createKey(peer, { workspaceId, accessIds, name, scopes, expiresAt }),
      );
      print(shell, options.json, created, pairs({ apiKey: created.apiKey, apiSecret: created.apiSecret }));
    });
}

/** Creates a key. If it does not have the limits of the request, revokes it and throws a `Failure`. */
async function createKey(peer: Peer, request: CreateKeyRequest): Promise<CreateKeyResponse> {
  const admin = peer.client(IdentityAdminServiceService);
  const created = await admin.createKey(request, newCall());
  if (isLimited(created.scopes, request)) return created;
  // An identity service of an earlier release ignores the limits: the key could do everything.
  await admin.revokeKey({ apiKey: created.apiKey }, newCall());
  const message = 'the identity service does not know scopes and expiries of keys; the new key is revoked';
  throw new Failure(message, { type: 'keys-not-limited' });
}

/** Returns whether a new key has the limits of the request, by the scopes of the answer. */
function isLimited(
  scopes: readonly string[],
  wanted: Pick<CreateKeyRequest, 'scopes' | 'expiresAt'>,
): boolean {
  if (wanted.scopes.length === 0) return wanted.expiresAt === null || scopes.length > 0;
  return scopes.toSorted().join() === wanted.scopes.toSorted().join();
}

function exampleOf(call: string): string {
  return `\nExample:\n  parley key ${call}`;
}

function keyTable(keys: ApiKey[]): string {
  const rows = keys.map((key) => [
    key.apiKey,
    key.name || '-',
    // A replica that does not know scopes returns none: its keys have all.
    key.hasAllScopes || key.scopes.length === 0 ? 'all' : key.scopes.join(','),
    instant(key.createdAt),
    instant(key.rotatedAt),
    instant(key.expiresAt),
    instant(key.lastUsedAt),
    instant(key.revokedAt),
    key.workspaceIds.join(', '),
  ]);
  const heading = [
    'KEY',
    'NAME',
    'SCOPES',
    'CREATED',
    'ROTATED',
    'EXPIRES',
    'LAST USED',
    'REVOKED',
    'ACCESS TO',
  ];
  return table(heading, rows, 'The workspace has no keys.');
}

function instant(at: Date | null): string {
  return at?.toISOString() ?? '-';
}
