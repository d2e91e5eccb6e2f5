import type { GivenExamples } from '../openapi/given-examples.ts';
import { placeholderAccess } from '../openapi/samples.ts';

const placeholderWorkspace = 'YOUR_WORKSPACE_ID';

export function quickStart({ note, params, access = placeholderAccess }: GivenExamples): string {
  const { workspaceId = placeholderWorkspace, botId = 'BOT_ID' } = params;
  const { baseUrl, apiKey, apiSecret } = access;
  return `## Quick start

Five minutes from a key to a completed conversation.${note && ` ${note}`}

**1. Set the address, the key and the workspace.**

\`\`\`sh
export PARLEY_URL='${baseUrl}'
export PARLEY_WORKSPACE='${workspaceId}'
export PARLEY_API_KEY='${apiKey}'
export PARLEY_API_SECRET='${apiSecret}'
\`\`\`

**2. Choose a bot.** A bot is a conversation as data. Your workspace [has some](#listBots), or you
[create one](#createBot).

\`\`\`sh
curl "$PARLEY_URL/v1/workspaces/$PARLEY_WORKSPACE/bots" --user "$PARLEY_API_KEY:$PARLEY_API_SECRET"
\`\`\`

**3. Offer a conversation to a customer.** Send \`Pending\`: the default status \`Draft\` is invisible to customers.

\`\`\`sh
curl "$PARLEY_URL/v1/workspaces/$PARLEY_WORKSPACE/interactions" --user "$PARLEY_API_KEY:$PARLEY_API_SECRET" \\
  --header 'Content-Type: application/json' \\
  --data '{"customerId": "customer-1", "botId": "${botId}", "status": "Pending"}'
\`\`\`

Open the \`link\` of the answer in a browser and talk to the bot.

**4. Read what the customer said.** The newest interaction comes first. Once it is \`Completed\`, its \`data\` is the
transcript and the evaluation.

\`\`\`sh
curl "$PARLEY_URL/v1/workspaces/$PARLEY_WORKSPACE/customers/customer-1" --user "$PARLEY_API_KEY:$PARLEY_API_SECRET"
\`\`\`

**5. Put it on your site.** Add the widget to a page, allow the page's origin, and let \`/parley-token\` answer with
[a customer token](#createCustomerToken).

\`\`\`html
<script async src="${baseUrl}/sdk/v1/loader.js"
  data-workspace="${workspaceId}" data-token-url="/parley-token"></script>
\`\`\`

**6. Receive completions.** [Create a webhook](#createWebhook) with \`"isActive": true\`,
[rotate its signing secret](#rotateSigningSecret) to see it, and check each request:

\`\`\`ts
import { verifyWebhook } from '@parley/client/webhook';

const { id, data } = await verifyWebhook({ headers: request.headers, body: await request.text() }, signingSecret);
\`\`\``;
}
