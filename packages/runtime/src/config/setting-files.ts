import { readFileSync } from 'node:fs';
import { secretSettings } from '@parley/contracts/services';
import { settingOf } from './followed-files.ts';

/** A setting that is given as a file. */
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
