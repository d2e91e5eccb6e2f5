import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import { ConfigError } from '@parley/runtime/config/config';
import { AppError, preconditionFailed, toAppError } from '@parley/runtime/errors';
import { currentWork, inWork } from '@parley/runtime/scheduling/work';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import { admit, type Admission, type AdmittedCaller } from './auth/admission.ts';
import { withCursor } from './http/request/cursor-list.ts';
import { anybody, handleRequest } from './http/server/handle-request.ts';
import { addressGroupOf } from './http/request/client-address.ts';
import { entityTag, matchesIfMatch, matchesIfNoneMatch } from './http/request/conditional.ts';
import { success } from './http/answer/envelope.ts';
import {
  callOf,
  type RequestContext,
  isRead as isReadRequest,
  methodNotAllowed,
  send,
  sendFailure,
  sendJson,
  type GatewayDeps,
} from './http/answer/request-context.ts';
import { conditionsOf, idempotencyIn, readInput } from './http/server/input.ts';
import { sendLongList } from './http/answer/long-list.ts';
import { fileFields, sendStream } from './http/answer/stream.ts';
import { pageFields, prefersHtml } from './http/answer/page.ts';
import { canonicalPath, literalPattern, sharedSegment } from './http/answer/page-path.ts';
import { startPage } from './pages/start.ts';
import { applyCors, applyCorsToUnknownPath, answerPreflight, type Origins } from './auth/origin.ts';
import { type Resource, unknownRoute } from './http/answer/resource.ts';
import type { RouteDeps } from './route-deps.ts';
import { type RouteAnswer, isApi, type Route } from './http/server/route.ts';
import type { Overload } from './limits/overload.ts';
import { viewOf } from './values/reader.ts';

interface App extends GatewayDeps {
  routes: Route[];
  routeDeps: RouteDeps;
  admission: Admission;
  origins: Origins;
  /** The proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  resources: Resource[];
  /**
   * The path of the landing URL, without a trailing slash. Everything is served below it, and at the root. It must not
   * share its first segment with a route or resource, which it would hide.
   */
  prefix: string;
  compute: Compute;
  overload: Overload;
}

/**
 * Returns the HTTP server: routes, resources, and an error envelope for all other paths. Throws a ConfigError for a
 * prefix that would hide some of them.
 */
export function createApp(app: App): Express {
  requireFreePrefix(app);
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('query parser', false);
  server.set('trust proxy', app.trustedProxies);
  server.enable('case sensitive routing');
  server.enable('strict routing');

  const router = createRouter(app);
  if (app.prefix) server.use(literalPattern(app.prefix), router);
  server.use(router);
  return server;
}

function requireFreePrefix({ routes, resources, prefix }: App): void {
  const taken = sharedSegment(
    prefix,
    [...routes, ...resources].map(({ path }) => path),
  );
  if (taken === undefined) return;
  throw new ConfigError(
    `the environment is not valid:\n  LANDING_URL: its path must not begin with /${taken}, which the gateway uses itself`,
  );
}

function createRouter(app: App): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, operations] of Map.groupBy(app.routes, (route) => route.path)) {
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), (request: Request, response: Response) =>
      handleRequest(app, request, response, path, (context) => admitToRoute(app, context, operations)),
    );
  }
  for (const resource of app.resources) {
    const admitAnybody = anybody((context) => show(app, resource, context));
    router.all(resource.path, (request: Request, response: Response) =>
      handleRequest(app, request, response, resource.path, admitAnybody),
    );
  }
  const pages = app.resources.flatMap(({ path, isPage }) => (isPage ? [path] : []));
  const answerUnknown = (request: Request, response: Response, reason: AppError) =>
    handleRequest(
      app,
      request,
      response,
      '*',
      anybody((context) => answerUnknownPath(app, pages, context, reason)),
    );
  router.use((request: Request, response: Response) => answerUnknown(request, response, unknownRoute()));
  // Express recognises an error handler by its four parameters.
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerUnknown(request, response, toRoutingError(error)),
  );
  return router;
}

/**
 * Admits a request to a path of the table. Each step may throw the error of the answer. CORS (403, 429, 503), 405, 406
 * and the 503 of an overload come before the check of the credentials, and reveal nothing. All other errors come after.
 */
async function admitToRoute(
  app: App,
  context: RequestContext,
  operations: Route[],
): Promise<() => Promise<void>> {
  const { request } = context;
  if (request.method === 'OPTIONS' && operations.some(({ origins }) => origins)) {
    return () => answerPreflight(app.origins, context, operations);
  }
  const route = routeFor(request, operations);
  // Calls of several clients share its checks, so they do not end when one client leaves.
  const admissionCall = callOf({ ...context, givenUp: undefined }, route?.timeoutMs);
  // First, so that a page can read later errors. All methods of a path have the same origins. Any origin gets the 405.
  const [first] = operations;
  const anyMethod = first && { ...first, refusesForeignOrigin: false };
  await applyCors(app.origins, context, route ?? anyMethod, admissionCall);
  if (!route) throw methodNotAllowed(context.fields, methodsOf(operations));
  requireAccepted(request, route);
  // Before work for a call that would be refused after it.
  if (isApi(route) && !route.waits) app.overload.requireRoom({ route, tenant: tenantOf(route, context) });
  const caller = await admit(app.admission, context, route, admissionCall);
  const work = { tenant: tenantOf(route, context), signal: context.givenUp };
  return () => inWork(work, () => answerAdmitted(app, context, route, caller));
}

/** Returns who pays for a call: its workspace. A call without a checked credential could name another workspace. */
function tenantOf({ access }: Route, { ids, request }: RequestContext): string {
  const isChecked = access === 'key' || access === 'session';
  return (isChecked && ids.workspaceId) || addressGroupOf(request.ip);
}

async function answerAdmitted(
  app: App,
  context: RequestContext,
  route: Route,
  caller: AdmittedCaller,
): Promise<void> {
  const { request } = context;
  const { key, ...preconditions } = conditionsOf(request, route);
  const input = await readInput(request, route, app.compute, context.transfers);
  // The deadline starts here: the client decides how long its body takes.
  const call = callOf(context, route.timeoutMs);
  const conditions = {
    ...preconditions,
    idempotency: idempotencyIn(request, route, key, input, caller.principal?.id),
  };
  const handle = () => route.handle(input, { ...call, ...caller, ...conditions }, app.routeDeps);
  const mayWait = !isApi(route) || route.waits?.(input);
  const answered = await (mayWait
    ? handle()
    : app.overload.run({ route, tenant: currentWork().tenant }, handle));
  await sendAnswer(app, context, { ...answered, meta: withCursor(answered.meta, input.list) });
}

function routeFor({ method }: Request, operations: Route[]): Route | undefined {
  return operations.find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
}

function methodsOf(operations: Route[]): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return operations.some(({ origins }) => origins) ? [...methods, 'OPTIONS'] : methods;
}

function requireAccepted(request: Request, { streams = {}, files = {} }: Route): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  // A charset in Accept has no meaning (RFC 9110, 12.5.1), but clients send it.
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    ...Object.keys(streams),
    ...Object.keys(files),
  ];
  if (request.accepts(types)) return;
  throw new AppError(
    'not_acceptable',
    'not-acceptable',
    'Answers are application/json, which Accept excludes',
  );
}

function sendAnswer(app: App, context: RequestContext, answered: RouteAnswer): Promise<void> | void {
  const { request, fields } = context;
  if (answered.error) return sendFailure(context, answered.error, answered.data);
  if (answered.stream)
    return sendStream(context, { parts: app.routeDeps.lists, overload: app.overload }, answered.stream);
  if (answered.replayed) fields['Idempotency-Replayed'] = 'true';
  if (answered.cookie !== undefined) fields['Set-Cookie'] = answered.cookie;

  const { data, continuation, file, meta = null } = answered;
  const body = file?.content ?? withLastMember(JSON.stringify(success(data, meta)), answered);
  const isRead = isReadRequest(request);
  // Others of the caller may have been sent since this call began. A change has happened, so its answer is always sent.
  if (isRead) context.transfers?.require(0);
  // What a person reads must not stay on the disk of a shared computer.
  const isKept = isRead && !context.isOfBrowser;
  const caching = { 'Cache-Control': isKept ? 'private, no-cache' : 'no-store' };
  if (isRead || answered.version !== undefined) {
    // What the tag covers may not differ where the rest of a list has hidden values.
    const view = context.reader ? viewOf(context.reader) : '';
    const tagged = answered.tagged ?? (typeof body === 'string' ? body + (continuation?.digest ?? '') : body);
    const tag = entityTag(typeof tagged === 'string' ? tagged + view : tagged, answered.version);
    if (isRead && !matchesIfMatch(request.headers['if-match'], tag)) throw preconditionFailed();
    fields['ETag'] = tag;
    if (isRead && matchesIfNoneMatch(request.headers['if-none-match'], tag)) {
      return send(context, 304, '', caching);
    }
  }
  if (file) return send(context, 200, body, { ...fileFields(file), ...caching });
  if (!continuation) return sendJson(context, 200, String(body), caching);
  const ending = `${Array.isArray(data) ? ']' : ']}'},"meta":${JSON.stringify(meta)}}`;
  if (typeof body !== 'string' || !body.endsWith(ending))
    throw new Error('only a list at the end of the data can continue');
  const begun = body.slice(0, -ending.length);
  return sendLongList(
    context,
    app.routeDeps.lists,
    { begun, ending, loadNext: continuation.loadNext },
    caching,
  );
}

function withLastMember(body: string, { lastMember, meta }: RouteAnswer): string {
  if (lastMember === undefined) return body;
  const ending = `},"meta":${JSON.stringify(meta ?? null)}}`;
  if (!body.endsWith(`{}${ending}`)) throw new Error('the last member of the data is no empty object');
  return body.slice(0, -`{}${ending}`.length) + lastMember + ending;
}

async function show({ overload }: App, resource: Resource, context: RequestContext): Promise<void> {
  const { method, ip } = context.request;
  const isRead = isReadRequest(context.request);
  // The client decides how long its body takes, so that is no part of the call.
  const posted = method === 'POST' ? await resource.post?.(context) : undefined;
  const answer = isRead ? () => resource.show(context) : posted;
  if (!answer) throw methodNotAllowed(context.fields, ['GET', 'HEAD', ...(resource.post ? ['POST'] : [])]);
  if (!resource.callsServices) return answer();
  const tenant = addressGroupOf(ip);
  const route = { operationId: `${isRead ? 'GET' : 'POST'} ${resource.path}`, access: 'public' } as const;
  // Pages share what they read, so it does not end when one client leaves.
  return inWork({ tenant, signal: undefined }, () => overload.run({ route, tenant }, async () => answer()));
}

/**
 * Shows the start page to a browser at `/`. Redirects another spelling of a page's path to the page. Rejects any other
 * path, with CORS headers below `/public/v1`.
 */
async function answerUnknownPath(
  { origins, prefix }: App,
  pages: readonly string[],
  context: RequestContext,
  reason: AppError,
): Promise<void> {
  const { request } = context;
  if (request.path === '/' && isReadRequest(request) && prefersHtml(request)) {
    const hasDemo = pages.includes('/demo');
    return send(context, 200, startPage({ hasDemo }, request.baseUrl), pageFields);
  }
  const { path, baseUrl } = request;
  // At the root, the path may be another spelling of the prefix, too.
  const page =
    canonicalPath(path, pages) ?? (baseUrl === '' ? canonicalPath(path, pages, prefix) : undefined);
  if (page !== undefined && isReadRequest(request)) {
    const query = /\?.*$/.exec(request.url)?.[0] ?? '';
    return send(context, 301, '', { Location: baseUrl + page + query, 'Cache-Control': 'no-store' });
  }
  const isPreflighted = await applyCorsToUnknownPath(origins, context, callOf(context));
  if (isPreflighted) return;
  throw reason;
}

// Express itself throws only for a path that it cannot decode.
function toRoutingError(error: unknown): AppError {
  if (!(error instanceof URIError)) return toAppError(error);
  return new AppError('invalid_argument', 'malformed-path', 'The path is not percent-encoded UTF-8');
}
