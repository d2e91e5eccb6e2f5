import { readFileSync } from 'node:fs';
import { settingOf } from './followed-files.ts';

/**
 * The settings that hold a secret, and `RPC_CALLERS`, which changes together with tokens. Each can be given as a file,
 * whose path is in `NAME_FILE`.
 */
export const secretSettings = [
  'RPC_TOKEN',
  'RPC_CALLERS',
  'OPERATOR_TOKEN',
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'NATS_URL',
  'CREDENTIAL_PEPPERS',
  'ENCRYPTION_KEYS',
  'LINK_KEYS',
  'SESSION_KEYS',
  'LLM_API_KEY',
  'OIDC_CLIENT_SECRET',
  'WEBHOOK_EGRESS_PROXY',
] as const;

export interface SettingFile {
  setting: string;
  path: string;
  content: string;
}

export interface ReadSettings {
  /** The environment with the contents of the files, without the variables that name them. */
  env: NodeJS.ProcessEnv;
  files: SettingFile[];
  faults: { setting: string; message: string }[];
}

/** Reads the secrets that the environment names as files. An empty variable counts as not set. */
export function readSettingFiles(given: NodeJS.ProcessEnv): ReadSettings {
  const read: ReadSettings = { env: { ...given }, files: [], faults: [] };
  for (const setting of secretSettings) {
    const variable = `${setting}_FILE`;
    const path = given[variable];
    delete read.env[variable];
    if (!path) continue;
    if (given[setting]) {
      read.faults.push({ setting: variable, message: `must not be set together with ${setting}` });
      continue;
    }
    try {
      const content = settingOf(readFileSync(path, 'utf8'));
      read.files.push({ setting, path, content });
      read.env[setting] = content;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      read.faults.push({
        setting: variable,
        message: `names a file that cannot be read (${code ?? message})`,
      });
    }
  }
  return read;
}
