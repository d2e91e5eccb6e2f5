import type { System } from '@parley/local/system';
import { basic, createWorkspace } from '@parley/testing/api';
import { fill } from '../setup/contents.ts';
import type { SessionKeys } from '../setup/sessions.ts';
import { seedAttacker } from './seed-attacker.ts';
import type { Attacker, AttackerSizes, World } from './tenants.ts';

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
  sessionKeys: SessionKeys,
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
