import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import { type Fault, invalidRequest, notFound, preconditionRequired } from '@parley/runtime/errors';
import { faultMessage } from '@parley/runtime/zod-faults';
import type { Request } from 'express';
import { z } from 'zod';
import { bodyLimits, publicBodyLimits, readBody, refuseLargeBody } from '../request/body.ts';
import { cursorListOf } from '../request/cursor-list.ts';
import { awaitsContinue } from '../request/expectation.ts';
import type { Transfers } from '../request/held-bytes.ts';
import { decode, parseJson } from '../request/json.ts';
import { isTagList, versionToMatch } from '../request/conditional.ts';
import { faultsOf, type RequestPart, protoFaults } from '../../values/faults.ts';
import { idempotencyOf, oneKey, refuseKey } from '../request/idempotency-key.ts';
import { readQuery } from '../../values/query.ts';
import { isApi, type RouteInput, type KeyCall, type Route, takesIfMatch } from './route.ts';

/** The bodies that mean no body. */
const noFields = z.strictObject({}).optional();

const noQuery = z.object({});

const missingBody: Fault = { pointer: '', detail: 'A JSON body is required' };

/** A larger body is parsed in its workspace's turn. */
const shortBodyBytesMax = 16 * 1024;

/**
 * Parses a request. 404 for malformed path parameters, 400 with all faults of query and body, 413, 415 and 429 for the
 * body. A route without a body accepts an empty body or an empty object. A body of GET is ignored (RFC 9110, 9.3.1).
 */
export async function readInput(
  request: Request,
  route: Route,
  compute: Compute,
  transfers?: Transfers,
): Promise<RouteInput> {
  const params = route.params?.safeParse(request.params);
  if (params?.success === false) throw notFound();
  const limits = route.bodyLimits ?? (route.access === 'key' ? bodyLimits : publicBodyLimits);
  const bodySchema = route.body ?? (route.method === 'GET' ? undefined : noFields);
  if (!bodySchema) refuseLargeBody(request, limits.bytesMax);
  // The client sends its body after 100 Continue, so all else is checked before.
  if (awaitsContinue(request)) parseParts(request, route, undefined, undefined);
  const bytes = bodySchema && (await readBody(request, limits, transfers));
  const parse = (): RouteInput => {
    const json = bytes && parseJson(bytes, limits.valuesMax);
    const { query, body } = parseParts(request, route, bodySchema, json);
    const text = bytes && route.keepsText ? decode(bytes) : '';
    return { params: params?.data, ...withList(route, params?.data, query), body: route.body && body, text };
  };
  if (!bytes || bytes.length <= shortBodyBytesMax) return parse();
  const release = transfers?.hold(bytes.length);
  return compute(parse).finally(release);
}

/** Returns the query with the position of its cursor, and the list that this is in. */
function withList(route: Route, params: unknown, query: unknown): Pick<RouteInput, 'query' | 'list'> {
  if (!route.query || !('cursor' in route.query.shape)) return { query };
  const given = query as { cursor?: string };
  const list = cursorListOf(route, params, given);
  const { cursor = '' } = given;
  return { query: { ...given, cursor: cursor && list.positionOf(cursor) }, list };
}

function parseParts(request: Request, route: Route, bodySchema: z.ZodType | undefined, json: unknown) {
  const faults: Fault[] = [];
  const parse = (part: RequestPart, schema: z.ZodType, value: unknown): unknown => {
    const parsed = schema.safeParse(value, { error: faultMessage });
    if (parsed.success) return parsed.data;
    const isMissing = part === 'body' && value === undefined;
    faults.push(...(isMissing ? [missingBody] : faultsOf(part, parsed.error)));
    return undefined;
  };
  const given = readQuery(queryStringOf(request), route.query ?? noQuery);
  // Monitors add parameters to health checks.
  if (isApi(route)) faults.push(...given.faults);
  const query = route.query && parse('query', route.query, given.query);
  const body = bodySchema && parse('body', bodySchema, json);
  const known = new Set(faults.map(({ pointer }) => pointer));
  faults.push(...protoFaults(withoutItems(route, json)).filter(({ pointer }) => !known.has(pointer)));
  if (faults.length > 0) throw invalidRequest(faults);
  return { query, body };
}

// Items have faults of their own.
function withoutItems({ items }: Route, json: unknown): unknown {
  return items !== undefined && json !== null && typeof json === 'object' ? { ...json, [items]: [] } : json;
}

function queryStringOf({ url }: Request): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The conditions in the header fields. */
interface Conditions extends Pick<KeyCall, 'ifVersion' | 'ifAbsent'> {
  /** The Idempotency-Key. */
  key: string | undefined;
}

/**
 * Returns the conditions in the header fields. 400 for an Idempotency-Key that is malformed or rejected by the route,
 * an If-Match that is not a list of ETags, and an If-None-Match with PATCH or DELETE, or of an ETag with PUT. 428 for a
 * PUT without a condition.
 */
export function conditionsOf({ method, headers, headersDistinct }: Request, route: Route): Conditions {
  const keys = headersDistinct['idempotency-key'] ?? [];
  if (route.idempotencyKey === 'refused') refuseKey(keys[0]);
  const ifMatch = takesIfMatch(route) ? headers['if-match'] : undefined;
  if (ifMatch !== undefined && !isTagList(ifMatch)) {
    throw invalidRequest([{ pointer: '/headers/if-match', detail: 'Must be an ETag in double quotes' }]);
  }
  // Ignoring it would make a change that the client did not want.
  const ifNoneMatch = headers['if-none-match']?.trim();
  const ifAbsent = method === 'PUT' && ifNoneMatch === '*';
  if (ifNoneMatch !== undefined && !ifAbsent && ['PUT', 'PATCH', 'DELETE'].includes(method)) {
    const use = method === 'PUT' ? 'Must be *, or use If-Match' : 'Is for GET and HEAD: use If-Match';
    throw invalidRequest([{ pointer: '/headers/if-none-match', detail: use }]);
  }
  if (ifAbsent && ifMatch !== undefined) {
    throw invalidRequest([{ pointer: '/headers/if-match', detail: 'Is not allowed beside If-None-Match' }]);
  }
  if (method === 'PUT' && !ifAbsent && ifMatch === undefined) throw preconditionRequired();
  return {
    key: route.idempotencyKey === 'accepted' ? oneKey(keys) : undefined,
    ifVersion: versionToMatch(ifMatch),
    ifAbsent,
  };
}

/** Returns what makes a repeated call one with the first. Null without a key. */
export function idempotencyIn(
  request: Request,
  route: Route,
  key: string | undefined,
  { body }: RouteInput,
  callerId = '',
): KeyCall['idempotency'] {
  if (key === undefined) return null;
  return idempotencyOf(key, { callerId, method: request.method, path: pathOf(route, request), body });
}

// Normalises the path: needless percent-encoding makes no difference (RFC 3986, 6.2.2.2).
function pathOf({ path }: Route, { params }: Request): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
