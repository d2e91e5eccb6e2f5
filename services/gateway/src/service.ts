import { randomUUID } from 'node:crypto';
import { stream } from '@parley/contracts/events';
import { evictionAnswer, evictionSubject } from '@parley/contracts/subjects';
import { type BusConnection, openConnection } from '@parley/nats/connection';
import { readStreamState } from '@parley/nats/stream-state';
import { openTls } from '@parley/rpc/tls';
import { createComputeQueue } from '@parley/runtime/scheduling/compute-queue';
import { inTime } from '@parley/runtime/scheduling/in-time';
import { createConsoleCookies } from './http/request/session-cookie.ts';
import { type SignIn, signInResources } from './pages/sign-in.ts';
import { createPartLoader } from './http/answer/long-list.ts';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { type AllowedDomains, createAllowedDomainsCache } from './auth/allowed-domains.ts';
import { createApp } from './app.ts';
import { createAuthenticate } from './auth/authentication.ts';
import { browserResources, type ForPages } from './browser-resources.ts';
import { consoleResources, createConsolePages } from './pages/console.ts';
import { createFramesOf } from './pages/frames.ts';
import { createPageBranding } from './pages/page-branding.ts';
import { portalResources } from './pages/portal.ts';
import { landingPrefix } from './pages/landing.ts';
import { erasureKeysResource } from './pages/erasure-keys.ts';
import type { Config } from './config.ts';
import { createDeploymentState } from './api/deployment/state.ts';
import { createCredentialCache, type CredentialCache } from './auth/credential-cache.ts';
import { docsResources } from './docs/resources.ts';
import { createHeldBytes } from './http/request/held-bytes.ts';
import { serveHttp } from './http/server/http-server.ts';
import { openPeers, type Peers } from './peers.ts';
import type { Resource } from './http/answer/resource.ts';
import { createRateLimits, type RateLimits } from './limits/rate-limit.ts';
import { routes } from './routes.ts';
import { createExports } from './limits/exports.ts';
import { createOverload } from './limits/overload.ts';
import { createPolls } from './limits/polls.ts';
import { followDatabaseClock } from './auth/database-clock.ts';
import { createSessions } from './auth/session.ts';
import { createSuspectQueue } from './auth/suspects.ts';

/** What a local run adds to the gateway. */
export interface Additions {
  /** The file with examples for the samples of `/docs` that work in this run. */
  docsExamplesFile?: string | undefined;
  /** `now` is a clock in milliseconds. */
  resourcesOf?(peers: Peers, now: () => number): Resource[];
}

/**
 * Starts the gateway, the whole public HTTP API. Its memory has counts of calls and, for seconds, valid credentials.
 * Any number of replicas may run. It works without NATS.
 */
export async function start(config: Config, logger: Logger, additions: Additions = {}): Promise<Running> {
  await using opened = new AsyncDisposableStack();
  const { landingUrl, publicUrl = landingUrl } = config;
  const tls = opened.use(openTls(config.rpcTls, 'gateway', logger));
  const peers = opened.use(openPeers(config, tls));
  const nats = opened.use(openConnection({ url: () => config.natsUrl, logger }));
  const holder = randomUUID();
  const now = (): number => performance.now();
  const cache = createCredentialCache(now);
  respondToEvictions(nats, holder, cache);
  const rateLimits = createRateLimits(config.limits, now);
  const clock = opened.use(followDatabaseClock(peers.conversations, logger));
  const sessions = createSessions(config.sessionKeys, clock);
  const cookies = createConsoleCookies(publicUrl);
  const runSuspect = createSuspectQueue();
  const allowedDomains = createAllowedDomainsCache(peers.identity, now);
  const forPages = createForPages(peers, allowedDomains, rateLimits, now);
  const signIn = { identity: peers.identity, cookies, rateLimits, runSuspect, publicUrl };
  const stopping = new AbortController();
  const added = additions.resourcesOf?.(peers, now) ?? [];
  const app = createApp({
    routes,
    routeDeps: {
      ...peers,
      ...statesOf(peers, nats, now),
      sessions,
      polls: createPolls(),
      exports: createExports(),
      lists: createPartLoader(),
      landingUrl,
      cookies,
      publicUrl,
    },
    resources: [
      ...resourcesOf(config, peers, forPages, additions),
      ...added,
      ...pagesOfConsole(added, signIn, forPages),
    ],
    admission: {
      authenticate: createAuthenticate({ identity: peers.identity, cache, holder }),
      rateLimits,
      sessions,
      cookies,
      runSuspect,
      heldBytes: createHeldBytes(),
    },
    origins: { allowedDomains, lookups: rateLimits.workspaces, landingUrl },
    prefix: landingPrefix(landingUrl),
    compute: createComputeQueue('body'),
    overload: createOverload(now),
    trustedProxies: config.trustedProxies,
    logger,
    stopping: stopping.signal,
  });
  const server = opened.use(await serveHttp(config.listen, app, logger));
  opened.defer(() => stopping.abort());

  const running = opened.move();
  return { address: server.address, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function createForPages(
  { identity }: Peers,
  allowedDomains: AllowedDomains,
  rateLimits: RateLimits,
  now: () => number,
): ForPages {
  const framesOf = createFramesOf(allowedDomains, rateLimits);
  return { framesOf, brandingOf: createPageBranding(identity, now), rateLimits };
}

function statesOf(peers: Peers, nats: BusConnection, now: () => number) {
  const streamState = inTime(() => readStreamState(nats, stream.name), undefined);
  return { streamState, deployment: createDeploymentState({ ...peers, streamState, now }) };
}

/**
 * Returns the pages on which people sign in, the pages of the portal, and all others of the console, which links to
 * `/traces` if a local run adds it.
 */
function pagesOfConsole(added: readonly Resource[], signIn: SignIn, ofWorkspace: ForPages): Resource[] {
  const sendPage = createConsolePages();
  return [
    ...signInResources(signIn),
    ...portalResources({ ...signIn, ...ofWorkspace, sendPage }),
    ...consoleResources({ hasTraces: added.some(({ path }) => path === '/traces'), sendPage }),
  ];
}

/** Returns the resources that anybody may read. */
function resourcesOf(
  config: Config,
  peers: Peers,
  forPages: ForPages,
  { docsExamplesFile }: Additions,
): Resource[] {
  return [
    ...browserResources(config, peers, forPages),
    erasureKeysResource(peers.customers),
    ...docsResources(routes, config.limits, docsExamplesFile),
  ];
}

function respondToEvictions(nats: BusConnection, holder: string, cache: CredentialCache): void {
  nats.respond(evictionSubject(holder), (name) => {
    cache.forget(name);
    return evictionAnswer;
  });
}
