import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { consolePath } from './environment.ts';
import { queries } from './data/queries.ts';
import { sessionQuery, takeReturnPath } from './data/session/session.ts';
import { searchWithDays } from './data/zone.ts';
import { isDay, isOneOf, isText, isVersion, parseSearch, searchOf, stringifySearch } from './search.ts';
import { windows } from './screens/bots/insight/insight-query.ts';
import { interactionFilters } from './screens/interactions/filters.ts';
import { webhookFilters } from './screens/webhooks/filters.ts';
import { NoWorkspace, NotFound, ScreenProblem } from './shell/fallbacks.tsx';
import { Shell } from './shell/shell.tsx';
import { part } from './ui/part.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/** Opens the screen from before signing in, else the first workspace. */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const session = await queries.ensureQueryData(sessionQuery);
    const path = takeReturnPath();
    const isScreen = ['/w/', '/operator'].some((one) => path?.startsWith(consolePath + one));
    if (path !== undefined && isScreen) throw redirect({ href: path.slice(consolePath.length) });
    const [first] = session.workspaces;
    if (first) throw redirect({ to: '/w/$workspaceId', params: { workspaceId: first.workspaceId } });
    if (session.isOperator) throw redirect({ to: '/operator' });
  },
  component: NoWorkspace,
});

const workspace = createRoute({ getParentRoute: () => root, path: '/w/$workspaceId', component: Shell });

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: part(() => import('./screens/overview.tsx'), 'Overview'),
});

const interactions = createRoute({
  getParentRoute: () => workspace,
  path: '/interactions',
  validateSearch: interactionFilters,
  component: part(() => import('./screens/interactions/list.tsx'), 'InteractionList'),
});

const importInvitations = createRoute({
  getParentRoute: () => workspace,
  path: '/interactions/import',
  component: part(() => import('./screens/interactions/import/import.tsx'), 'ImportInvitations'),
});

const interaction = createRoute({
  getParentRoute: () => workspace,
  path: '/interactions/$interactionId',
  component: part(() => import('./screens/interactions/interaction.tsx'), 'InteractionScreen'),
});

const customers = createRoute({
  getParentRoute: () => workspace,
  path: '/customers',
  validateSearch: searchOf({ q: isText }),
  component: part(() => import('./screens/customers/list.tsx'), 'CustomerList'),
});

const receipts = createRoute({
  getParentRoute: () => workspace,
  path: '/receipts',
  validateSearch: searchOf({ customer: isText }),
  component: part(() => import('./screens/customers/receipts.tsx'), 'Receipts'),
});

const customer = createRoute({
  getParentRoute: () => workspace,
  path: '/customers/$customerId',
  component: part(() => import('./screens/customers/customer.tsx'), 'CustomerScreen'),
});

const bots = createRoute({
  getParentRoute: () => workspace,
  path: '/bots',
  component: part(() => import('./screens/bots/list.tsx'), 'BotList'),
});

const bot = createRoute({
  getParentRoute: () => workspace,
  path: '/bots/$botId',
  validateSearch: searchOf({
    window: isOneOf(...windows, 'custom'),
    from: isDay,
    to: isDay,
    tz: isText,
    version: isVersion,
    compare: isOneOf('previous'),
  }),
  component: part(() => import('./screens/bots/insight/insight.tsx'), 'BotInsight'),
});

const versions = createRoute({
  getParentRoute: () => workspace,
  path: '/bots/$botId/versions',
  validateSearch: searchOf({ left: isVersion, right: isVersion }),
  component: part(() => import('./screens/bots/versions.tsx'), 'BotVersions'),
});

const openLinks = createRoute({
  getParentRoute: () => workspace,
  path: '/bots/$botId/links',
  component: part(() => import('./screens/bots/open-links/list.tsx'), 'OpenLinks'),
});

const editBot = createRoute({
  getParentRoute: () => workspace,
  path: '/bots/$botId/edit',
  validateSearch: searchOf({
    version: isVersion,
    preview: isOneOf('no'),
    view: isOneOf('map', 'translations', 'source'),
  }),
  component: part(() => import('./screens/bots/edit/edit.tsx'), 'EditBot'),
});

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks',
  component: part(() => import('./screens/webhooks/list.tsx'), 'WebhookList'),
});

const webhook = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$webhookId',
  validateSearch: webhookFilters,
  component: part(() => import('./screens/webhooks/webhook.tsx'), 'WebhookScreen'),
});

const webhookSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/webhooks/$webhookId/settings',
  component: part(() => import('./screens/webhooks/settings/settings.tsx'), 'WebhookSettings'),
});

const access = createRoute({
  getParentRoute: () => workspace,
  path: '/access',
  component: part(() => import('./screens/access/keys.tsx'), 'KeyList'),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/access/members',
  component: part(() => import('./screens/access/members.tsx'), 'MemberList'),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/access/audit',
  validateSearch: searchWithDays({ actor: isText, action: isText, target: isText, from: isDay, to: isDay }, [
    'from',
    'to',
  ]),
  component: part(() => import('./screens/access/audit.tsx'), 'AuditLog'),
});

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  component: part(() => import('./shell/operator-shell.tsx'), 'OperatorShell'),
});

const deployment = createRoute({
  getParentRoute: () => operator,
  path: '/',
  component: part(() => import('./screens/operator/operator.tsx'), 'OperatorScreen'),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: part(() => import('./screens/settings/settings.tsx'), 'Settings'),
});

const routeTree = root.addChildren([
  start,
  operator.addChildren([deployment]),
  workspace.addChildren([
    overview,
    interactions,
    importInvitations,
    interaction,
    customers,
    customer,
    receipts,
    bots,
    bot,
    versions,
    openLinks,
    editBot,
    webhooks,
    webhook,
    webhookSettings,
    access,
    members,
    audit,
    settings,
  ]),
]);

/** Returns the addresses of the console. Every filter of a screen is in its query. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: consolePath,
    parseSearch,
    stringifySearch,
    search: { strict: true },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ScreenProblem,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
