import type { System } from '@parley/local/system';
import { basic, createWorkspace } from '@parley/testing/api';
import { fill } from '../contents.ts';
import type { Contents } from '../seed.ts';
import { seedAttacker } from './seed-attacker.ts';

/** A tenant's credentials and the objects that its calls name. */
export interface Tenant {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
  /** The header of the key. */
  authorization: string;
}

/** The tenant whose calls are measured: the demo workspace. */
export interface Victim extends Tenant {
  contents: Contents;
}

/** The tenant that makes the loads. */
export interface Attacker extends Tenant {
  botId: string;
  /** Inactive, and its receiver refuses connections. It has very many failed deliveries. */
  webhookId: string;
  sizes: AttackerSizes;
}

/** The numbers of the attacker's rows. */
export interface AttackerSizes {
  customers: number;
  /** Spread over the customers. */
  interactions: number;
  /** Of each of the huge customers. */
  interactionsOfOne: number;
  /** Completed conversations of one customer with 240 KB each. */
  largeHistories: number;
  /** Failed deliveries of one webhook. */
  deliveries: number;
  /** Besides the first one, and versions of that. */
  bots: number;
}

/** Both tenants, in a form that can be sent to another process. */
export interface World {
  port: number;
  /** The keyring of session tokens. */
  sessionKeys: string;
  victim: Victim;
  attacker: Attacker;
}

/** Rows of the victim: enough for lists and random reads. */
const victimRows = { customers: 5_000, interactions: 20_000, bots: 1 };

/** Scales the attacker's rows by the number of its customers, in the proportions of the default. */
export function sizesOf(rows: number): AttackerSizes {
  return {
    customers: rows,
    interactions: Math.ceil(rows / 3),
    interactionsOfOne: Math.ceil(rows / 4),
    largeHistories: Math.ceil(rows / 3_000),
    deliveries: Math.ceil(rows / 3),
    bots: Math.ceil(rows / 120),
  };
}

/** Creates and fills both tenants. `conversations`: how many turns the victim can make. */
export async function createWorld(
  system: System,
  sessionKeys: string,
  { sizes, conversations }: { sizes: AttackerSizes; conversations: number },
  show: (line: string) => void,
): Promise<World> {
  const { baseUrl, apiKey, apiSecret, workspaceId } = system.local();
  show('filling the workspace of the victim');
  const contents = await fill({ system }, { ...victimRows, conversations }, show);
  const victim = { workspaceId, apiKey, apiSecret, authorization: basic(apiKey, apiSecret), contents };

  show(`filling the workspace of the attacker with ${sizes.customers.toLocaleString('en')} customers`);
  const workspace = await createWorkspace(baseUrl, system.operator);
  const botId = await workspace.publish(contents.definition);
  const { id: webhookId } = await workspace.client.webhooks.create({
    url: 'http://127.0.0.1:9/',
    secretToken: 'of the attacker',
    isActive: false,
  });
  const attacker: Attacker = {
    workspaceId: workspace.id,
    apiKey: workspace.apiKey,
    apiSecret: workspace.apiSecret,
    authorization: basic(workspace.apiKey, workspace.apiSecret),
    botId,
    webhookId,
    sizes,
  };
  await seedAttacker(system.local().postgresUrl, attacker, contents.definition);
  return { port: Number(new URL(baseUrl).port), sessionKeys, victim, attacker };
}
