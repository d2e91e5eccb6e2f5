import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { consolePath } from '../environment.ts';
import { parseSearch, stringifySearch } from '../search.ts';
import { webhookFilters } from '../screens/webhooks/filters.ts';
import { NotFound, ScreenProblem } from '../shell/fallbacks.tsx';
import { applyAccent } from './branding.ts';
import { PortalShell } from './shell.tsx';
import { part } from '../ui/part.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  component: PortalShell,
});

const start = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    // The fragment has the code of the link until it is used.
    throw redirect({ to: '/w/$workspaceId/webhooks', params, hash: true, replace: true });
  },
});

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  component: part(() => import('../screens/webhooks/list.tsx'), 'WebhookList'),
});

const webhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$webhookId',
  validateSearch: webhookFilters,
  component: part(() => import('../screens/webhooks/webhook.tsx'), 'WebhookScreen'),
});

const webhookSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$webhookId/settings',
  component: part(() => import('../screens/webhooks/settings/settings.tsx'), 'WebhookSettings'),
});

const routeTree = root.addChildren([workspace.addChildren([start, webhooks, webhook, webhookSettings])]);

/**
 * Returns the addresses of the portal. They have the ids of the console's, so that its screens work here, too; only the
 * first part is shown as `portal` instead of `w`.
 */
export function createPortalRouter(workspaceId: string): AnyRouter {
  applyAccent();
  const moved = (url: URL, from: string, to: string): URL | undefined => {
    const { pathname } = url;
    if (pathname !== from && !pathname.startsWith(`${from}/`)) return undefined;
    url.pathname = to + pathname.slice(from.length);
    return url;
  };
  const [shown, own] = [`/portal/${workspaceId}`, `/w/${workspaceId}`];
  return createRouter({
    routeTree,
    basepath: consolePath,
    rewrite: {
      input: ({ url }) => moved(url, shown, own),
      output: ({ url }) => moved(url, own, shown),
    },
    parseSearch,
    stringifySearch,
    search: { strict: true },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ScreenProblem,
  });
}
