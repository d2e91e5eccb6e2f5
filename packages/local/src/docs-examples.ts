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

/**
 * Writes examples of calls that work in this run, about the demo workspace and the welcome talk; the note says where the rest
 * comes from, which a call before answers.
 */
export async function writeDocsExamples(dataDir: string, demo: Demo, welcome: Welcome): Promise<void> {
  const { workspaceId, bots } = demo;
  const { customerId, interactionId, linkToken } = welcome;
  const botId = bots['nps-follow-up'];
  const examples = {
    note: `**In this local run** the examples can be sent as they are, but for what another call has to answer first. User and password
for *Authorize* are \`apiKey\` and \`apiSecret\` in \`${join(dataDir, 'local.json')}\`. A \`webhookId\` is the \`id\` that
*Create a webhook* answers; once the webhook is active, a \`deliveryId\` is that of *Send a test event*, a \`recoveryId\` that of
*Make due again*. What a session is for takes a \`sessionToken\`, under *Authorize* as well: *Begin a session with the token of a
link* answers that of the talk in these examples, the one that \`npm start\` leads to. *Begin a session with a customer token* takes
the \`customerToken\` that *Sign a customer token* answers.`,
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
