import type { Idempotency } from '@parley/contracts/common/v1/common';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import type { Scope } from '@parley/contracts/scopes';
import { AppError } from '@parley/runtime/errors';
import { z } from 'zod';
import type { Reader } from '../../values/reader.ts';
import type { RouteDeps } from '../../route-deps.ts';
import type { BodyLimits } from '../request/body.ts';
import type { Meta } from '../answer/envelope.ts';
import type { FileAnswer, Stream } from '../answer/stream.ts';
import type { CursorList } from '../request/cursor-list.ts';
import type { Continuation } from '../answer/long-list.ts';
import type { Principal } from '../request/principal.ts';
import type { Call } from '../answer/request-context.ts';
import type { ErrorType } from '../../openapi/error-types.ts';
import type { Tag } from '../../openapi/tags.ts';
import { id } from '../../values/text.ts';

/**
 * The credential of a call: an API key (Basic) or the session of a person (cookie), the session of a customer (Bearer),
 * a token that opens one (body), or none.
 */
export type Access = 'key' | 'session' | 'token' | 'public';

/**
 * The scope that a caller needs. `any`: each may make the call, because it is about the caller itself. `operator`: only
 * a person who has signed in as the operator; the call has no data of a workspace.
 */
export type RouteScope = Scope | 'any' | 'operator';

/**
 * How a route is open to sessions of the portal: `any` to all, `webhook` for the webhook in the path if the session may
 * see it, `unlimited` to sessions that may see all webhooks.
 */
export type PortalAccess = 'any' | 'webhook' | 'unlimited';

/** A call of an API key, a person or the portal. */
export interface KeyCall extends Call {
  principal: Principal;
  reader: Reader;
  /** Whether the client gets only the header fields: HEAD. */
  isHead: boolean;
  /** The token of the session of a person or the portal. */
  sessionToken?: string | undefined;
  /** The Idempotency-Key. Null without one, and if the route ignores it. */
  idempotency: Idempotency | null;
  /** Counts a bulk call as further calls of its caller. */
  charge(calls: number): void;
  /** The row version of If-Match. Undefined without a precondition. */
  ifVersion: number | undefined;
  /** Whether a PUT must create: `If-None-Match: *`. */
  ifAbsent: boolean;
}

/** A call of a customer's browser. */
export interface SessionCall extends Call {
  session: Session;
  /** Unique per session. */
  sessionName: string;
}

/** A call that opens a session with a token in its body. */
export interface TokenCall extends Call {
  /**
   * Runs the check of the token and returns its result. A rejected token counts as a failed authentication of the
   * address: 429 beyond the limit. Beyond it, the checks of the address run one after another.
   */
  verified<Data>(check: () => Promise<Data>): Promise<Data>;
  /** Counts a new session of this client. 429 beyond the limit. */
  countSession(client: string): void;
}

interface Calls extends Record<Access, Call> {
  key: KeyCall;
  session: SessionCall;
  token: TokenCall;
}

export interface RouteAnswer<Data = unknown> {
  data: Data;
  /** `nextCursor` is a position in the list of the input. The client gets its cursor. */
  meta?: Meta;
  /** The rest of the list that `data` is or has as its last member. Absent if `data` has the whole list. */
  continuation?: Continuation | undefined;
  /** What the ETag covers instead of the whole body, if the body has an instant of its own. */
  tagged?: string;
  /** JSON that is sent unchanged in place of the empty object which is the last member of `data`. */
  lastMember?: string;
  /** The row's version, if the answer shows one row. The ETag begins with it. */
  version?: number;
  /** True for the stored answer of an earlier call with the same Idempotency-Key. */
  replayed?: boolean;
  /** Sent instead of an envelope. */
  stream?: Stream;
  /** Sent instead of an envelope, with the caching of an envelope. */
  file?: FileAnswer;
  /** An error that has data. */
  error?: AppError;
  /** The `Set-Cookie` field of the answer. */
  cookie?: string;
}

/** Path parameters, query and body of a request: the outputs of the route's schemas. */
export interface RouteInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The body as it was received. Empty unless the route keeps it. */
  text: string;
  /** The list of a route with a cursor. Its `query.cursor` is a position. */
  list?: CursorList | undefined;
}

export interface Route {
  /** PUT needs `If-Match`, or `If-None-Match: *` to create: 428 without both. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  path: string;
  access: Access;
  /** Exactly the routes with the access `key` have one. `admit` checks it. */
  scope?: RouteScope | undefined;
  /** Without it, the route is closed to sessions of the portal. */
  portal?: PortalAccess;
  /** The operation's stable name in generated clients. */
  operationId: string;
  /** The method of `@parley/client`, below `workspace(id)` or `session(...)`. Without it the client has none. */
  clientMethod?: string;
  tag: Tag;
  summary: string;
  /** Further information for callers, in Markdown. */
  description?: string;
  /** The errors of its own rules. The others follow from the other fields (openapi/route-errors.ts). */
  errors?: ErrorType[];
  /** Parameters that do not fit the schema: 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The limits of its body. Default: the limits of its access. */
  bodyLimits?: BodyLimits;
  /** The member of the body whose entries are `itemOf` a schema. */
  items?: string;
  keepsText?: true;
  /** Cursors of release 0.2.0, which the service itself answers. */
  formerCursor?: RegExp;
  data: z.ZodType;
  /** If the answer is a stream and no envelope: an example for each media type. */
  streams?: Readonly<Record<string, string>>;
  /** If the answer is a file and no envelope: an example for each media type. */
  files?: Readonly<Record<string, string>>;
  limit?: 'pending' | 'conversation' | 'messages';
  /** Without it an Idempotency-Key is ignored. */
  idempotencyKey?: 'accepted' | 'refused';
  /** Whether it takes `If-Match`. Default: all methods but POST do. */
  takesIfMatch?: boolean;
  /** False if the same call has another effect the second time. A route that refuses an Idempotency-Key implies it. */
  isRepeatable?: false;
  /** False if the created resource has no version: the answer has no ETag. */
  isVersioned?: false;
  /** The origins that may call it from browsers. Without it the answer has no CORS header fields. */
  origins?: 'workspace' | 'landing';
  /** Whether calls of other origins get 403, and not only an answer without an allow header. */
  refusesForeignOrigin?: boolean;
  /** Returns whether a call waits for news, or for an erasure. Waiting costs nothing, so it is not limited. */
  waits?(input: Pick<RouteInput, 'query'>): boolean;
  /** How long the handler may take. Default: the limit of `callOf`. */
  timeoutMs?: number;
  handle(input: RouteInput, call: Call, deps: RouteDeps): Promise<RouteAnswer>;
}

interface TypedRoute<
  A extends Access,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  D extends z.ZodType,
> extends Route {
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  data: D;
  waits?(input: { query: z.output<Q> }): boolean;
  handle(
    input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> } & Pick<RouteInput, 'text' | 'list'>,
    call: Calls[A],
    deps: RouteDeps,
  ): Promise<RouteAnswer<z.input<D>>>;
}

/** Makes `scope` a required field of the routes for API keys and people. */
type ScopeOf<A extends Access> = A extends 'key' ? { scope: RouteScope } : { scope?: undefined };

/** Declares a route. Its handler gets the output of the schemas and returns the input of `data`. */
export function route<
  A extends Access,
  D extends z.ZodType,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodUndefined,
>(spec: TypedRoute<A, P, Q, B, D> & ScopeOf<A>): Route {
  return spec;
}

/** Returns whether a route is part of `/v1` or `/public/v1`. Others are health checks. */
export function isApi({ path }: Pick<Route, 'path'>): boolean {
  return /^\/(?:public\/)?v1\//.test(path);
}

/** Returns whether calls may have an If-Match. It is ignored for others. */
export function takesIfMatch(route: Pick<Route, 'method' | 'takesIfMatch'>): boolean {
  return route.takesIfMatch ?? route.method !== 'POST';
}

/** Returns whether a limit counts the calls. */
export function isCounted({ access, limit }: Route): boolean {
  return access === 'key' || access === 'token' || limit !== undefined;
}

/** Returns the error 403 of a call that is for keys only, or for people only. */
export function notForCaller(detail: string): AppError {
  return new AppError('permission_denied', 'not-for-caller', detail);
}

export const inWorkspace = z.object({
  workspaceId: id.meta({ description: 'The id of the workspace' }),
});
