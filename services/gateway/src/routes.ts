import { healthRoutes } from './routes/health.ts';
import { conversationRoutes } from './public/conversations.ts';
import { sessionRoutes } from './public/sessions.ts';
import type { Route } from './http/route.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditRoutes } from './routes/audit-events.ts';
import { botReplayRoutes } from './routes/bot-replays.ts';
import { botRoutes } from './routes/bots.ts';
import { brandingRoutes } from './routes/branding.ts';
import { customerExportRoutes } from './routes/customer-export.ts';
import { customerRoutes } from './routes/customers.ts';
import { deploymentRoutes } from './routes/deployment.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { eventTypeRoutes } from './routes/event-types.ts';
import { erasureRoutes } from './routes/erasures.ts';
import { insightRoutes } from './routes/insight.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { bulkCreationRoutes } from './routes/bulk-creation.ts';
import { keyRoutes } from './routes/keys.ts';
import { memberRoutes } from './routes/members.ts';
import { portalLinkRoutes } from './routes/portal-links.ts';
import { recoveryRoutes } from './routes/recoveries.ts';
import { retentionRoutes } from './routes/retention.ts';
import { callerSessionRoutes } from './routes/session.ts';
import { webhookOptionRoutes } from './routes/webhook-options.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workspaceRoutes } from './routes/workspaces.ts';

/** The whole API as a table, the most frequent paths first. */
export const routes: Route[] = [
  // Before those with an id in this place.
  ...bulkCreationRoutes,
  ...interactionRoutes,
  ...customerRoutes,
  ...customerExportRoutes,
  ...conversationRoutes,
  ...workspaceRoutes,
  ...brandingRoutes,
  ...botRoutes,
  ...botReplayRoutes,
  ...insightRoutes,
  // Before those with an id in the place of `portal-links`.
  ...portalLinkRoutes,
  ...webhookRoutes,
  ...webhookOptionRoutes,
  ...eventTypeRoutes,
  ...deliveryRoutes,
  ...recoveryRoutes,
  ...erasureRoutes,
  ...retentionRoutes,
  // Before those with a key in the place of `rotate`.
  ...keyRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...callerSessionRoutes,
  ...auditRoutes,
  ...deploymentRoutes,
  ...sessionRoutes,
  ...healthRoutes,
];
