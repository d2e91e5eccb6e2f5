import type { Logger } from '@parley/runtime/logger';
import type { Running } from '@parley/runtime/run';
import { createApp } from './app.ts';
import { createAuthenticate } from './authentication.ts';
import type { Config } from './config.ts';
import { createFailureLimit } from './failure-limit.ts';
import { serveHttp } from './http-server.ts';
import { openPeers } from './peers.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRoutes } from './routes.ts';
import { createSessions } from './session.ts';

/** The gateway: the whole public HTTP surface. It keeps counts of calls only, and may run in any number of copies. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  await using opened = new AsyncDisposableStack();
  const { landingUrl } = config;
  const peers = opened.use(openPeers(config));
  const sessions = createSessions(config.sessionKeys);
  const stopping = new AbortController();
  const app = createApp({
    routes: createRoutes(peers, sessions, landingUrl),
    admission: {
      authenticate: createAuthenticate(peers.identity, createFailureLimit(config.authFailuresPerMinute)),
      rateLimit: createRateLimit(config.rateLimit),
      sessions,
    },
    origins: { identity: peers.identity, landingUrl },
    landing: { url: landingUrl, conversations: peers.conversations },
    logger,
    stopping: stopping.signal,
  });
  const server = opened.use(await serveHttp(config.listen, app));
  opened.defer(() => stopping.abort());

  const running = opened.move();
  return { address: server.address, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
