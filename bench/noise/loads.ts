import type { Load } from './attack.ts';
import { bodyLoads } from './loads/bodies.ts';
import { botLoads } from './loads/bots.ts';
import { connectionLoads } from './loads/connections.ts';
import { credentialLoads } from './loads/credentials.ts';
import { customerLoads } from './loads/customers.ts';
import { pageLoads } from './loads/pages.ts';
import { webhookLoads } from './loads/webhooks.ts';
import { writeLoads } from './loads/writes.ts';

/** All loads, in the order in which they run. */
export const loads: readonly Load[] = [
  ...pageLoads,
  ...botLoads,
  ...bodyLoads,
  ...connectionLoads,
  ...credentialLoads,
  ...writeLoads,
  ...webhookLoads,
  // Last: what they leave running would be in the figures of others.
  ...customerLoads,
];

export function loadOf(name: string): Load {
  const found = loads.find((load) => load.name === name);
  if (!found) throw new Error(`there is no load ${name}`);
  return found;
}
