import { readConfig } from '../config.ts';
import { routes } from '../routes.ts';
import { describeApi } from './document.ts';

// `npm run --silent openapi`: prints the OpenAPI document with the default limits. The addresses are unused.

const nowhere = '127.0.0.1:1';
const config = readConfig({
  LISTEN: nowhere,
  IDENTITY_ADDRESS: nowhere,
  CUSTOMER_ADDRESS: nowhere,
  INTERACTION_ADDRESS: nowhere,
  WEBHOOK_ADDRESS: nowhere,
  NATS_URL: 'nats://127.0.0.1:1',
  RPC_TOKEN: 'x'.repeat(32),
  SESSION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  LANDING_URL: 'http://127.0.0.1',
});
process.stdout.write(`${JSON.stringify(await describeApi(routes, config.limits), null, 2)}\n`);
