import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The secrets of the data folder, made at its first start and kept in `secrets.json` (mode 0600). */
export async function keptSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept) return JSON.parse(kept) as Secrets;
  const secrets = newSecrets();
  await writePrivateFile(path, secrets);
  return secrets;
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
