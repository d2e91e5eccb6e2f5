import { AppError, preconditionFailed, toAppError } from '@parley/runtime/errors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { admit, type Admission } from './admission.ts';
import { changesRow, entityTag, isHeld, isWanted, namesRow, type ShownRow } from './conditional.ts';
import { success } from './envelope.ts';
import {
  callOf,
  type Exchange,
  exchange,
  methodNotAllowed,
  send,
  sendFailure,
  sendJson,
  type Surroundings,
} from './exchange.ts';
import { conditionsOf, pathOf, readInput, type RequestInput } from './input.ts';
import { sendLongList } from './long-list.ts';
import { admitOrigin, admitOriginAstray, answerPreflight, type Origins } from './origin.ts';
import { type Resource, unknownRoute } from './resource.ts';
import type { Answer, Call, Route } from './route.ts';

interface App extends Surroundings {
  routes: Route[];
  admission: Admission;
  origins: Origins;
  /** Whose X-Forwarded-For says who the client is. */
  trustedProxies: string[];
  resources: Resource[];
}

/** The HTTP surface: the routes' table, the resources, and an envelope for all else. */
export function createApp(app: App): Express {
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('query parser', false);
  server.set('trust proxy', app.trustedProxies);
  server.enable('case sensitive routing');
  server.enable('strict routing');

  for (const [path, operations] of Map.groupBy(app.routes, (route) => route.path)) {
    server.all(path.replace(/\{(\w+)\}/g, ':$1'), (request: Request, response: Response) =>
      exchange(app, request, response, path, (current) => answer(app, current, operations)),
    );
  }
  for (const resource of app.resources) {
    server.all(resource.path, (request: Request, response: Response) =>
      exchange(app, request, response, resource.path, (current) => show(resource, current)),
    );
  }
  server.use((request: Request, response: Response) =>
    exchange(app, request, response, '*', (current) => leadOn(app, current)),
  );
  // Express knows an error handler by its four parameters.
  server.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    exchange(app, request, response, '*', (current) => leadNowhere(app, current, toRoutingError(error))),
  );
  return server;
}

/**
 * One request to a path of the table, step by step; every step may throw the error that is answered. What the table
 * tells (404, 405) and what the client can take (406) is public knowledge and comes before credentials; all else after.
 */
async function answer(app: App, current: Exchange, operations: Route[]): Promise<void> {
  const { request } = current;
  if (request.method === 'OPTIONS' && operations.some(({ origins }) => origins)) {
    return answerPreflight(app.origins, current, operations);
  }
  const route = routeFor(request, operations);
  const entering = callOf(current, route?.timeoutMs);
  // First, so that a page can read the refusals that follow. All methods of a path are for the same pages.
  await admitOrigin(app.origins, current, route ?? operations[0], entering);
  if (!route) throw methodNotAllowed(current.fields, methodsOf(operations));
  requireJsonAccepted(request);
  const caller = await admit(app.admission, current, route, entering);
  const input = await readInput(request, route);
  // Counted from here: how long a body takes to arrive is the client's doing.
  const call = callOf(current, route.timeoutMs);
  const conditions = conditionsOf(request, route, input, caller);
  const known = { ...call, ...caller, ...conditions };
  await refuseNamed(request, operations, input, known);
  await sendAnswer(current, route, await route.handle(input, known));
}

function routeFor({ method }: Request, operations: Route[]): Route | undefined {
  return operations.find((route) => route.method === (method === 'HEAD' ? 'GET' : method));
}

function methodsOf(operations: Route[]): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return operations.some(({ origins }) => origins) ? [...methods, 'OPTIONS'] : methods;
}

function requireJsonAccepted(request: Request): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  // A charset in Accept means nothing (RFC 9110, 12.5.1), but clients send it.
  if (request.accepts(['application/json', 'application/json; charset=utf-8'])) return;
  throw new AppError(
    'not_acceptable',
    'not-acceptable',
    'Answers are application/json, which Accept excludes',
  );
}

/**
 * 412 for a change of a row that If-None-Match names as it is (RFC 9110, 13.1.2). It need not be asked again when the change is
 * made: versions only rise, so what is another version now does not become that one.
 */
async function refuseNamed(
  request: Request,
  operations: Route[],
  { params }: RequestInput,
  call: Call,
): Promise<void> {
  const ifNoneMatch = request.headers['if-none-match'];
  const shown = operations.find(({ method }) => method === 'GET');
  if (ifNoneMatch === undefined || !shown || !changesRow(request.method)) return;
  const { version } = await shown.handle({ params, query: undefined, body: undefined }, call);
  if (version === undefined || !namesRow(ifNoneMatch, { path: pathOf(shown, request), version })) return;
  throw new AppError('aborted', 'precondition-failed', 'The resource is what If-None-Match names');
}

function sendAnswer(current: Exchange, route: Route, answered: Answer): Promise<void> | void {
  const { request, fields } = current;
  if (answered.error) return sendFailure(current, answered.error, answered.data);
  if (answered.replayed) fields['Idempotency-Replayed'] = 'true';

  const { data, continuation, meta = null } = answered;
  const body = JSON.stringify(success(data, meta));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // What was said in a talk is not to stay on the disk of a computer that others use as well.
  const isKept = isRead && route.access !== 'session';
  const caching = { 'Cache-Control': isKept ? 'private, no-cache' : 'no-store' };
  if (isRead || answered.version !== undefined) {
    const tag = entityTag(
      continuation ? body + continuation.digest : body,
      shownRow(route, request, answered),
    );
    if (isRead && !isWanted(request.headers['if-match'], tag)) throw preconditionFailed();
    fields['ETag'] = tag;
    if (isRead && isHeld(request.headers['if-none-match'], tag)) {
      return send(current, 304, '', caching);
    }
  }
  if (!continuation) return sendJson(current, 200, body, caching);
  const ending = `${Array.isArray(data) ? ']' : ']}'},"meta":${JSON.stringify(meta)}}`;
  if (!body.endsWith(ending)) throw new Error('only a list at the end of the data can go on');
  const begun = body.slice(0, -ending.length);
  return sendLongList(current, { begun, ending, loadNext: continuation.loadNext }, caching);
}

/** The row that the answer shows, if it is one; what was made stands below the path that made it. */
function shownRow(route: Route, request: Request, { data, version }: Answer): ShownRow | undefined {
  if (version === undefined) return undefined;
  const path = pathOf(route, request);
  const hasId = typeof data === 'object' && data !== null && 'id' in data;
  const isMade = route.method === 'POST' && hasId;
  return { path: isMade ? `${path}/${encodeURIComponent(String(data.id))}` : path, version };
}

async function show(resource: Resource, current: Exchange): Promise<void> {
  const { method } = current.request;
  if (method === 'POST' && resource.post) return resource.post(current);
  if (method === 'GET' || method === 'HEAD') return resource.show(current);
  throw methodNotAllowed(current.fields, ['GET', 'HEAD', ...(resource.post ? ['POST'] : [])]);
}

/** Who opens the bare address in a browser is led to the docs; all else leads nowhere. */
async function leadOn(app: App, current: Exchange): Promise<void> {
  const { request } = current;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (request.path === '/' && isRead && request.accepts(['application/json', 'text/html']) === 'text/html') {
    return send(current, 303, '', { Location: 'docs', Vary: 'Accept' });
  }
  return leadNowhere(app, current, unknownRoute());
}

/** Refuses a path that is no route's; where it is one for pages, those that may call can read why. */
async function leadNowhere({ origins }: App, current: Exchange, reason: AppError): Promise<void> {
  const isPreflighted = await admitOriginAstray(origins, current, callOf(current));
  if (isPreflighted) return;
  throw reason;
}

// What Express itself fails on is a path that it cannot decode.
function toRoutingError(error: unknown): AppError {
  if (!(error instanceof URIError)) return toAppError(error);
  return new AppError('invalid_argument', 'malformed-path', 'The path is not percent-encoded UTF-8');
}
