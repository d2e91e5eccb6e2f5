import { resolve } from 'node:path';
import { type ServiceName, serviceNames } from '@parley/contracts/services';

const services = resolve(import.meta.dirname, '../../../services');

interface ConfigModule {
  readConfig(env: NodeJS.ProcessEnv): object;
}

/** `readConfig` of each service. */
export const readers = Object.fromEntries(
  await Promise.all(
    serviceNames.map(async (name) => {
      const { readConfig } = (await import(`${services}/${name}/src/config.ts`)) as ConfigModule;
      return [name, readConfig];
    }),
  ),
) as Record<ServiceName, ConfigModule['readConfig']>;
