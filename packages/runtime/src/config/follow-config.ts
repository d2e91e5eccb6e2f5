import { followFiles } from './followed-files.ts';
import type { Logger } from '../telemetry/logger.ts';
import { readSettingFiles } from './setting-files.ts';

/**
 * Keeps a configuration as the files of its settings are, until disposed of. Replaces values inside of `config`, also
 * inside of its plain objects and keyrings, so code must read a secret from it at each use. A file with which the
 * configuration is not valid is not used.
 */
export function followConfig<Config extends object>(
  config: Config,
  readConfig: (env: NodeJS.ProcessEnv) => Config,
  given: NodeJS.ProcessEnv,
  logger: Logger,
): AsyncDisposable {
  const { env, files } = readSettingFiles(given);
  const stack = new AsyncDisposableStack();
  for (const { setting, path, content } of files) {
    const use = ([changed = '']: string[]): void => {
      replaceValues(config, readConfig({ ...env, [setting]: changed }));
      env[setting] = changed;
    };
    stack.use(followFiles({ setting, paths: [path], contents: [content], use, logger }));
  }
  return stack;
}

function replaceValues(target: object, fresh: object): void {
  for (const [key, value] of Object.entries(fresh)) {
    const current: unknown = Reflect.get(target, key);
    if (isPlain(current) && isPlain(value)) replaceValues(current, value);
    else Reflect.set(target, key, value);
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
