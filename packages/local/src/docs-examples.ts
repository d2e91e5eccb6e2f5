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

/** Writes examples of calls that work in this run as they are: they are about the demo workspace and the welcome talk. */
export async function writeDocsExamples(dataDir: string, demo: Demo, welcome: Welcome): Promise<void> {
  const { workspaceId, bots } = demo;
  const { customerId, interactionId } = welcome;
  const botId = bots['nps-follow-up'];
  const examples = {
    note: `**In this local run** the examples can be sent as they are. User and password for *Authorize* are \`apiKey\` and \`apiSecret\` in
\`${join(dataDir, 'local.json')}\`. A \`webhookId\` is the \`id\` that *Create a webhook* answers; once the webhook is
active, a \`deliveryId\` is that of *Send a test event*, a \`recoveryId\` that of *Make due again*.`,
    params: { workspaceId, customerId, interactionId, botId },
    bodies: {
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
