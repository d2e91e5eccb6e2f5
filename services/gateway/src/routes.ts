import { healthRoutes } from './health.ts';
import type { Peers } from './peers.ts';
import { conversationRoutes } from './public/conversations.ts';
import { linkSessionRoutes } from './public/link-sessions.ts';
import { pendingRoutes } from './public/pending.ts';
import { sessionRoutes } from './public/sessions.ts';
import type { Route } from './route.ts';
import { botRoutes } from './routes/bots.ts';
import { customerRoutes } from './routes/customers.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { keyRoutes } from './routes/keys.ts';
import { recoveryRoutes } from './routes/recoveries.ts';
import { sdkRoutes } from './routes/sdk.ts';
import { webhookOptionRoutes } from './routes/webhook-options.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workspaceRoutes } from './routes/workspaces.ts';
import type { Sessions } from './session.ts';

/** The whole API as a table, the paths that are asked for most first. */
export function createRoutes(peers: Peers, sessions: Sessions, landingUrl: string): Route[] {
  return [
    ...interactionRoutes(peers, landingUrl),
    ...customerRoutes(peers, landingUrl),
    ...conversationRoutes(peers),
    ...pendingRoutes(peers),
    ...workspaceRoutes(peers),
    ...botRoutes(peers),
    ...webhookRoutes(peers),
    ...webhookOptionRoutes(peers),
    ...deliveryRoutes(peers),
    ...recoveryRoutes(peers),
    ...keyRoutes(peers),
    ...sdkRoutes(peers),
    ...sessionRoutes(peers, sessions),
    ...linkSessionRoutes(peers, sessions),
    ...healthRoutes(peers),
  ];
}
