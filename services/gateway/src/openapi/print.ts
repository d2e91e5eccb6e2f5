import { readConfig } from '../config.ts';
import { openPeers } from '../peers.ts';
import { createRoutes } from '../routes.ts';
import { createSessions } from '../auth/session.ts';
import { describeApi } from './document.ts';

// `npm run --silent openapi`: the API's description with the limits that a deployment has by default. Nothing runs and
// nothing is connected to: the addresses are only those that a configuration must have.

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
using peers = openPeers(config);
const routes = createRoutes(peers, createSessions(config.sessionKeys), config);
process.stdout.write(`${JSON.stringify(describeApi(routes, config.limits), null, 2)}\n`);
