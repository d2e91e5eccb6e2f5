import { createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CallerName } from '@parley/contracts/method-access';
import { databaseServices, type KeyringName, keyringNames } from '@parley/contracts/services';
import { z } from 'zod';
import { readJson, writePrivateJson } from './private-files.ts';

const secret = z.string().min(1);

/** Returns an object with a value for each keyring of the services. */
function ofKeyrings<Value>(value: () => Value): Record<KeyringName, Value> {
  return Object.fromEntries(keyringNames.map((name) => [name, value()])) as Record<KeyringName, Value>;
}

const secretsSchema = z.object({
  rpcToken: secret,
  operatorToken: secret,
  passwords: z.record(z.enum(databaseServices), secret),
  ...ofKeyrings(() => secret),
  /** The passwords of the users of NATS are derived from it. No service has it. */
  natsKey: secret,
});

/** The secrets of one data folder's services. Keyrings have the form `kid:base64(32 bytes)`. */
export type Secrets = z.output<typeof secretsSchema>;

/** What the first release has written. Nothing in its folder depends on other secrets. */
const firstSecrets = {
  rpcToken: true,
  operatorToken: true,
  credentialPeppers: true,
  identityKeys: true,
  webhookKeys: true,
  linkKeys: true,
  sessionKeys: true,
} as const;
const keptSchema = secretsSchema
  .partial()
  .required(firstSecrets)
  .extend({
    passwords: z.partialRecord(z.enum(databaseServices), secret),
  });

/**
 * Returns the secrets of the data folder, which its first start writes to `secrets.json` (mode 0600). Adds secrets that
 * an earlier release did not have. Throws `StartError` for a file without the other secrets: the data in the folder is
 * unreadable without them.
 */
export async function ensureSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const kept = await readJson(path, keptSchema, 'bring it back, or give another --data-dir');
  const fresh = newSecrets();
  const passwords = { ...fresh.passwords, ...kept?.passwords };
  const secrets = { ...fresh, ...kept, passwords };
  if (!secretsSchema.safeParse(kept).success) await writePrivateJson(path, secrets);
  return secrets;
}

/** Returns the unique name of a data folder. It reveals no secret. */
export function ownerId({ operatorToken }: Secrets): string {
  return createHash('sha256').update(`name of ${operatorToken}`).digest('base64url').slice(0, 16);
}

/** Returns the token of a caller of services. `cli` has the operator's; others are derived from `rpcToken`. */
export function tokenOf({ rpcToken, operatorToken }: Secrets, caller: CallerName): string {
  if (caller === 'cli') return operatorToken;
  return createHmac('sha256', rpcToken).update(`token of ${caller}`).digest('base64url');
}

export function natsPassword({ natsKey }: Secrets, user: string): string {
  return createHmac('sha256', natsKey).update(user).digest('base64url');
}

function newSecrets(): Secrets {
  const newToken = (): string => randomBytes(32).toString('base64url');
  const newKeyring = (): string => `k1:${randomBytes(32).toString('base64')}`;
  return {
    rpcToken: newToken(),
    operatorToken: newToken(),
    passwords: Object.fromEntries(databaseServices.map((name) => [name, newToken()])) as Secrets['passwords'],
    ...ofKeyrings(newKeyring),
    natsKey: newToken(),
  };
}
