import { readFile } from 'node:fs/promises';
import type { Logger } from '../telemetry/logger.ts';
import { repeat } from '../scheduling/schedule.ts';
import { settingsRefused } from '../metrics/process-metrics.ts';

/**
 * How often the files of settings are read again. They are read and not watched, because Kubernetes replaces the folder
 * behind a symbolic link.
 */
export const fileCheckMs = 2_000;

interface FollowedFiles {
  /** The setting that the files belong to, for the log and the metric. */
  setting: string;
  paths: readonly string[];
  /** What is in use when following begins, in the order of `paths`. */
  contents: readonly string[];
  /** Uses new contents. If it throws, the former ones stay in use. Its error must contain no secret. */
  use(contents: string[]): void;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Reads the files every two seconds, and calls `use` when one of them has changed. Contents that cannot be read or used
 * are logged once and counted at each check, until the files change again.
 */
export function followFiles({ setting, paths, contents, use, logger }: FollowedFiles): AsyncDisposable {
  let used = JSON.stringify(contents);
  let refused: string | undefined;
  settingsRefused.add({ setting }, 0);

  const check = async (): Promise<void> => {
    let found: string | undefined;
    try {
      const read = await Promise.all(paths.map(readSettingFile));
      found = JSON.stringify(read);
      if (found === used) {
        refused = undefined;
        return;
      }
      if (found !== refused) {
        use(read);
        used = found;
        refused = undefined;
        logger.info({ setting }, 'a changed file of a setting is in use');
        return;
      }
    } catch (error) {
      const failure = found ?? (error as Error).message;
      if (failure !== refused)
        logger.warn(
          { setting, err: error },
          'a changed file of a setting is unusable: its last value stays in use',
        );
      refused = failure;
    }
    settingsRefused.add({ setting });
  };
  return repeat(`follow ${setting}`, fileCheckMs, logger as Logger, check);
}

async function readSettingFile(path: string): Promise<string> {
  return settingOf(await readFile(path, 'utf8'));
}

/**
 * Returns the value that a file has: its text without the final line break of editors and `echo`. Throws for an empty
 * file: somebody may be writing it.
 */
export function settingOf(text: string): string {
  const value = text.replace(/\r?\n$/, '');
  if (value === '') throw new Error('the file is empty');
  return value;
}
