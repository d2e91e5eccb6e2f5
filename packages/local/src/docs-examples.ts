import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from './demo.ts';
import { writePrivateFile } from './private-file.ts';
import { sampleFile } from './sample-bots.ts';
import type { Welcome } from './welcome.ts';

/** Where a run keeps the examples of its docs page; the gateways read it. */
export function docsExamplesFile(dataDir: string): string {
  return join(dataDir, 'docs-examples.json');
}

/** Writes the address, key and ids of this run, with which the samples of its docs page work. */
export async function writeDocsExamples(
  dataDir: string,
  baseUrl: string,
  demo: Demo,
  welcome: Welcome,
): Promise<void> {
  const { workspaceId, bots, apiKey, apiSecret } = demo;
  const { customerId, interactionId, linkToken } = welcome;
  const botId = bots['nps-follow-up'];
  const examples = {
    access: { baseUrl, apiKey, apiSecret },
    note: `The address, key and ids on this page are those of your local run, so samples run as they are. Only ids and
tokens that another call returns are missing: \`WEBHOOK_ID\` ([create a webhook](#createWebhook)), \`DELIVERY_ID\`
([send a test event](#sendTestEvent)), \`RECOVERY_ID\` ([recover deliveries](#recoverDeliveries)), \`CUSTOMER_TOKEN\`
([create a customer token](#createCustomerToken)), and \`SESSION_TOKEN\` ([begin a session](#createLinkSession)).`,
    params: { workspaceId, customerId, interactionId, botId },
    bodies: {
      createLinkSession: { token: linkToken },
      createInteraction: {
        customerId,
        botId,
        status: 'Pending',
        context: [{ key: 'productName', value: 'Tea' }],
      },
      publishBotVersion: JSON.parse(await readFile(sampleFile('nps-follow-up'), 'utf8')) as unknown,
    },
  };
  await writePrivateFile(docsExamplesFile(dataDir), examples);
}
