import { createClient, type WorkspaceClient } from '@parley/client';
import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { OperatorAccess } from '@parley/local/demo/demo';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { quietLogger } from './quiet.ts';

/** The envelope of answers. */
export interface Envelope<Data> {
  success: boolean;
  code: number;
  detail: string;
  data: Data;
  meta: { totalResults: number; totalPages: number; currentPage: number; pageSize: number } | null;
  type?: string;
  requestId?: string;
  errors?: { pointer: string; detail: string }[];
}

/** An answer of the API. */
export interface Answer<Data> {
  status: number;
  headers: Headers;
  body: Envelope<Data>;
}

/** Calls below one URL with one credential. Bodies are sent as JSON. */
export interface Api {
  call<Data = unknown>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer<Data>>;
  get<Data = unknown>(path: string, headers?: Record<string, string>): Promise<Answer<Data>>;
  post<Data = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Data>>;
  patch<Data = unknown>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Data>>;
  delete<Data = unknown>(path: string, headers?: Record<string, string>): Promise<Answer<Data>>;
}

/** Returns calls to `baseUrl` with an optional `Authorization` header, and with these header fields. */
export function api(
  baseUrl: string,
  authorization: string | undefined,
  fields: Record<string, string> = {},
): Api {
  const call = async <Data>(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer<Data>> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(authorization && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...fields,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? true;
    return {
      status: response.status,
      headers: response.headers,
      // A file is no envelope.
      body: (isJson && text ? JSON.parse(text) : null) as Envelope<Data>,
    };
  };
  return {
    call,
    get: (path, headers = {}) => call('GET', path, { headers }),
    post: (path, body, headers = {}) => call('POST', path, { body, headers }),
    patch: (path, body, headers = {}) => call('PATCH', path, { body, headers }),
    delete: (path, headers = {}) => call('DELETE', path, { headers }),
  };
}

/** Returns the header of HTTP Basic (RFC 7617). */
export function basic(apiKey: string, apiSecret: string): string {
  return `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
}

/** A workspace for tests, with its own key. */
export interface TestWorkspace {
  id: string;
  apiKey: string;
  apiSecret: string;
  /** The API below this workspace, raw: `/v1/workspaces/<id>`. */
  api: Api;
  /** The published client for this workspace. */
  client: WorkspaceClient;
  /** Publishes a bot definition and returns its id. */
  publish(definition: unknown): Promise<string>;
}

/** Creates a workspace and a key with the operator's credential. */
export async function createWorkspace(
  baseUrl: string,
  operator: OperatorAccess,
  options: { allowedDomains?: string[]; accessIds?: string[] } = {},
): Promise<TestWorkspace> {
  const call = { requestId: 'test-setup', timeoutMs: 30_000 };
  const token = operator.operatorToken;
  await using tls = openTls(operator.tls, 'cli', quietLogger);
  using identity = connect(operator.identity, { token, tls: tls?.to('identity') });
  const admin = identity.client(IdentityAdminServiceService);
  const { allowedDomains = [], accessIds = [] } = options;
  const { id } = await admin.createWorkspace({ name: 'Test', allowedDomains }, call);
  const { apiKey, apiSecret } = await admin.createKey(
    { workspaceId: id, accessIds, scopes: [], expiresAt: null },
    call,
  );
  return {
    id,
    apiKey,
    apiSecret,
    api: api(`${baseUrl}/v1/workspaces/${id}`, basic(apiKey, apiSecret)),
    client: createClient({ baseUrl, apiKey, apiSecret }).workspace(id),
    publish: async (definition) => {
      await using ofBots = openTls(operator.tls, 'cli', quietLogger);
      using interaction = connect(operator.interaction, { token, tls: ofBots?.to('interaction') });
      const bots = interaction.client(BotServiceService);
      const created = { workspaceId: id, definition: JSON.stringify(definition), idempotency: null };
      const { bot } = await bots.createBot(created, call);
      return bot?.id ?? '';
    },
  };
}
