import type { Config } from './config.ts';
import { healthRoutes } from './routes/health.ts';
import { createListLimit } from './limits/list-limit.ts';
import type { Peers } from './peers.ts';
import { conversationRoutes } from './public/conversations.ts';
import { linkSessionRoutes } from './public/link-sessions.ts';
import { pendingRoutes } from './public/pending.ts';
import { sessionRoutes } from './public/sessions.ts';
import type { Route } from './http/route.ts';
import { botRoutes } from './routes/bots.ts';
import { brandingRoutes } from './routes/branding.ts';
import { customerRoutes } from './routes/customers.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { keyRoutes } from './routes/keys.ts';
import { recoveryRoutes } from './routes/recoveries.ts';
import { sdkRoutes } from './routes/sdk.ts';
import { webhookOptionRoutes } from './routes/webhook-options.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workspaceRoutes } from './routes/workspaces.ts';
import type { Sessions } from './auth/session.ts';

/** How many bytes of lists of interactions are loaded at once for one workspace: a part of 256 KiB of JSON. */
const listBytesMax = 288 * 1024;

/** The whole API as a table, the paths that are asked for most first. */
export function createRoutes(
  peers: Peers,
  sessions: Sessions,
  { landingUrl, publicUrl = landingUrl }: Pick<Config, 'landingUrl' | 'publicUrl'>,
): Route[] {
  const limitLists = createListLimit(listBytesMax);
  return [
    ...interactionRoutes(peers, landingUrl, limitLists),
    ...customerRoutes(peers, landingUrl, limitLists),
    ...conversationRoutes(peers),
    ...pendingRoutes(peers),
    ...workspaceRoutes(peers),
    ...brandingRoutes(peers, publicUrl),
    ...botRoutes(peers),
    ...webhookRoutes(peers),
    ...webhookOptionRoutes(peers),
    ...deliveryRoutes(peers),
    ...recoveryRoutes(peers),
    ...keyRoutes(peers),
    ...sdkRoutes(peers),
    ...sessionRoutes(peers, sessions, publicUrl),
    ...linkSessionRoutes(peers, sessions),
    ...healthRoutes(peers),
  ];
}
