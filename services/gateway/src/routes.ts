import { healthRoutes } from './api/deployment/health-routes.ts';
import { conversationRoutes } from './api/conversations/routes.ts';
import { sessionRoutes } from './api/conversations/session-routes.ts';
import type { Route } from './http/server/route.ts';
import { apiKeyRoutes } from './api/keys/routes.ts';
import { anonymousRoutes } from './api/removal/anonymous-routes.ts';
import { auditRoutes } from './api/audit-events/routes.ts';
import { botDraftRoutes } from './api/bots/draft-routes.ts';
import { presenceRoutes } from './api/bots/presence-routes.ts';
import { botReplayRoutes } from './api/bots/replay-routes.ts';
import { botTemplateRoutes } from './api/bots/template-routes.ts';
import { botRoutes } from './api/bots/routes.ts';
import { brandingRoutes } from './api/workspaces/branding-routes.ts';
import { customerExportRoutes } from './api/customers/export-routes.ts';
import { customerRoutes } from './api/customers/routes.ts';
import { deploymentRoutes } from './api/deployment/routes.ts';
import { deliveryRoutes } from './api/deliveries/routes.ts';
import { eventTypeRoutes } from './api/webhooks/event-type-routes.ts';
import { erasureRoutes } from './api/removal/erasure-routes.ts';
import { insightRoutes } from './api/insight/routes.ts';
import { interactionReachRoutes } from './api/interactions/reach-routes.ts';
import { interactionRoutes } from './api/interactions/routes.ts';
import { bulkCreationRoutes } from './api/interactions/bulk-routes.ts';
import { contactRoutes } from './api/contacts/routes.ts';
import { interactionTestRoutes } from './api/interactions/test-routes.ts';
import { keyRoutes } from './api/keys/secret-routes.ts';
import { memberRoutes } from './api/members/routes.ts';
import { openLinkRoutes } from './api/open-links/routes.ts';
import { portalLinkRoutes } from './api/portal-links/routes.ts';
import { recoveryRoutes } from './api/deliveries/recovery-routes.ts';
import { retentionRoutes } from './api/removal/retention-routes.ts';
import { callerSessionRoutes } from './api/members/session-routes.ts';
import { webhookOptionRoutes } from './api/webhooks/options-routes.ts';
import { webhookRoutes } from './api/webhooks/routes.ts';
import { workspaceRoutes } from './api/workspaces/routes.ts';

/** The most frequent paths come first. */
export const routes: Route[] = [
  // Before routes with an id in this place.
  ...bulkCreationRoutes,
  ...interactionTestRoutes,
  ...contactRoutes,
  ...interactionRoutes,
  ...interactionReachRoutes,
  ...customerRoutes,
  ...customerExportRoutes,
  ...conversationRoutes,
  ...workspaceRoutes,
  ...brandingRoutes,
  ...botRoutes,
  ...botReplayRoutes,
  ...botDraftRoutes,
  ...presenceRoutes,
  ...botTemplateRoutes,
  ...openLinkRoutes,
  ...insightRoutes,
  // Before routes with an id in the place of `portal-links`.
  ...portalLinkRoutes,
  ...webhookRoutes,
  ...webhookOptionRoutes,
  ...eventTypeRoutes,
  ...deliveryRoutes,
  ...recoveryRoutes,
  ...anonymousRoutes,
  ...erasureRoutes,
  ...retentionRoutes,
  // Before routes with a key in the place of `rotate`.
  ...keyRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...callerSessionRoutes,
  ...auditRoutes,
  ...deploymentRoutes,
  ...sessionRoutes,
  ...healthRoutes,
];
