import type { Idempotency } from '@parley/contracts/common/v1/common';
import type { Principal } from '@parley/contracts/identity/v1/identity';
import type { Session } from '@parley/contracts/interaction/v1/conversation';
import type { CallOptions } from '@parley/rpc/definition';
import type { AppError } from '@parley/runtime/errors';
import { z } from 'zod';
import type { Meta } from './envelope.ts';
import type { Continuation } from './long-list.ts';
import type { ErrorType } from '../openapi/error-types.ts';
import type { Tag } from '../openapi/tags.ts';
import { id } from '../values/text.ts';

/** Who may call: the holder of an API key (Basic), of a session (Bearer), of a token that begins one (body), or anyone. */
export type Access = 'key' | 'session' | 'token' | 'public';

/** What a handler knows of its request besides the parsed input. */
export interface Call {
  requestId: string;
  /** For a call to a service: it has what is left of the request's time. */
  rpc(): CallOptions;
  /** As `rpc`, for a call that may wait so long: given up when the client has gone, the gateway stops, or `ended` aborts. */
  poll(waitSeconds: number, ended: AbortSignal): CallOptions;
  /** Whether the gateway is stopping: what waits is to end. */
  isStopping(): boolean;
}

/** A call under an API key. */
export interface KeyCall extends Call {
  principal: Principal;
  /** The Idempotency-Key; null where none was given or the route has no use for one. */
  idempotency: Idempotency | null;
  /** The row version of If-Match; undefined when any will do. */
  ifVersion: number | undefined;
}

/** A call of a customer's browser. */
export interface SessionCall extends Call {
  session: Session;
  /** No other session has it. */
  sessionName: string;
}

/** A call that begins a session with a token in its body. */
export interface TokenCall extends Call {
  /**
   * What the check of the token gives. One that is refused counts as a failed authentication of the address: 429 once
   * there were too many.
   */
  verified<Data>(check: Promise<Data>): Promise<Data>;
  /** Counts a session that begins for this holder. 429 beyond the rate of sessions. */
  countSession(holder: string): void;
}

interface Calls extends Record<Access, Call> {
  key: KeyCall;
  session: SessionCall;
  token: TokenCall;
}

/** What a handler answers with. */
export interface Answer<Data = unknown> {
  data: Data;
  meta?: Meta;
  /** The continuation of the list that `data` is or has as its last member; absent when `data` has all of it. */
  continuation?: Continuation | undefined;
  /** The row's version, where the answer shows one row: the ETag begins with it. */
  version?: number;
  /** True when this is the stored answer of an earlier call with the same Idempotency-Key. */
  replayed?: boolean;
  /** An error that has data. */
  error?: AppError;
}

interface Input {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** One operation of the HTTP surface, as a value: the table of these is the whole of it. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  path: string;
  access: Access;
  /** The operation's name in clients that are generated: stable. */
  operationId: string;
  tag: Tag;
  summary: string;
  /** What a caller must know besides, in Markdown. */
  description?: string;
  /** What its own rules refuse; what all else in the route can refuse is known by that (openapi/route-errors.ts). */
  errors?: ErrorType[];
  /** A path whose parameters do not fit is one that does not exist: 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What `data` holds on success. */
  data: z.ZodType;
  /** What limits its calls in a session. */
  limit?: 'pending' | 'conversation' | 'messages';
  /** Without it an Idempotency-Key has no meaning and is ignored. */
  idempotencyKey?: 'accepted' | 'refused';
  /** Where what it makes has no version: the answer has no ETag. */
  isVersioned?: false;
  /** Browsers may call it from these origins; without it no CORS headers are sent. */
  origins?: 'workspace' | 'landing';
  /** Whether a call from any other origin is refused (403) and not only left without an allow header. */
  refusesForeignOrigin?: boolean;
  /** How long the handler may take; unless said, as `callOf` has it. */
  timeoutMs?: number;
  handle(input: Input, call: Call): Promise<Answer>;
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
  handle(
    input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    call: Calls[A],
  ): Promise<Answer<z.input<D>>>;
}

/** Declares a route: the handler gets what its schemas give out, and answers what `data` describes. */
export function route<
  A extends Access,
  D extends z.ZodType,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodUndefined,
>(spec: TypedRoute<A, P, Q, B, D>): Route {
  return spec;
}

/** Whether calls are counted, by whichever limit, and refused beyond it. */
export function isCounted({ access, limit }: Route): boolean {
  return access === 'key' || access === 'token' || limit !== undefined;
}

/** Path parameters of everything inside a workspace. */
export const inWorkspace = z.object({
  workspaceId: id.meta({ description: 'The id of the workspace' }),
});
