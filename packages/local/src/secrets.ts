import { createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRecord, readKept } from './kept-file.ts';
import { writePrivateFile } from './private-file.ts';
import { type DatabaseService, databaseServices } from './service-names.ts';

/** What the services of one data folder share and nobody else knows. Keyrings have the form `kid:base64(32 bytes)`. */
export interface Secrets {
  rpcToken: string;
  operatorToken: string;
  /** Of the services' database roles. */
  passwords: Record<DatabaseService, string>;
  credentialPeppers: string;
  identityKeys: string;
  webhookKeys: string;
  linkKeys: string;
  sessionKeys: string;
}

/**
 * The secrets of the data folder, made at its first start and kept in `secrets.json` (mode 0600). Throws `StartError` for a
 * file that does not hold them: without them nobody can read what is in the folder.
 */
export async function keptSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const kept = await readKept(path, areSecrets, 'bring it back, or give another --data-dir');
  if (kept) return kept;
  const secrets = newSecrets();
  await writePrivateFile(path, secrets);
  return secrets;
}

/** A name that no other data folder has, and by which nobody learns a secret. */
export function ownName({ operatorToken }: Secrets): string {
  return createHash('sha256').update(`name of ${operatorToken}`).digest('base64url').slice(0, 16);
}

/** The password of the run's own NATS, derived from `rpcToken`. */
export function natsPassword({ rpcToken }: Secrets): string {
  return createHmac('sha256', rpcToken).update('nats password').digest('base64url');
}

const names: readonly Exclude<keyof Secrets, 'passwords'>[] = [
  'rpcToken',
  'operatorToken',
  'credentialPeppers',
  'identityKeys',
  'webhookKeys',
  'linkKeys',
  'sessionKeys',
];

function areSecrets(value: unknown): value is Secrets {
  if (!isRecord(value)) return false;
  const { passwords } = value;
  const isGiven = (text: unknown): boolean => typeof text === 'string' && text !== '';
  return (
    names.every((name) => isGiven(value[name])) &&
    isRecord(passwords) &&
    databaseServices.every((name) => isGiven(passwords[name]))
  );
}

function newSecrets(): Secrets {
  const passwords = databaseServices.map((name) => [name, randomBytes(24).toString('base64url')]);
  return {
    rpcToken: randomBytes(32).toString('base64url'),
    operatorToken: randomBytes(32).toString('base64url'),
    passwords: Object.fromEntries(passwords) as Record<DatabaseService, string>,
    credentialPeppers: newKeyring(),
    identityKeys: newKeyring(),
    webhookKeys: newKeyring(),
    linkKeys: newKeyring(),
    sessionKeys: newKeyring(),
  };
}

function newKeyring(): string {
  return `k1:${randomBytes(32).toString('base64')}`;
}
