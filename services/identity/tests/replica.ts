import { createGrantSigner } from '@parley/rpc/grants';
import { keyring } from '@parley/runtime/config/keyring';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { quietLogger } from '@parley/testing/quiet';
import { readConfig } from '../src/config.ts';
import { start } from '../src/service.ts';

export const tokens = { service: 'service-token-of-a-test', operator: 'operator-token-of-a-test' };

/** One key, which its id determines. */
export const ring = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}`;

/** Signs grants as a replica does. */
export const grants = createGrantSigner(keyring.parse(ring('e1')));

/** Starts a replica of the service on a database, with further variables. Returns its address. */
export async function startReplica(
  stack: AsyncDisposableStack,
  databaseUrl: string,
  env: NodeJS.ProcessEnv = {},
  logger: Logger = quietLogger,
): Promise<string> {
  const config = readConfig({
    LISTEN: '127.0.0.1:0',
    DATABASE_URL: databaseUrl,
    NATS_URL: 'nats://127.0.0.1:1',
    RPC_TOKEN: tokens.service,
    OPERATOR_TOKEN: tokens.operator,
    CREDENTIAL_PEPPERS: ring('p1'),
    ENCRYPTION_KEYS: ring('e1'),
    ...env,
  });
  return stack.use(await start(config, logger)).address;
}
