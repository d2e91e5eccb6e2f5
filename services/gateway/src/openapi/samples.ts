import { inspect } from 'node:util';
import type { Route } from '../http/server/route.ts';

export interface SampleAccess {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

export interface SampleRequest {
  route: Pick<Route, 'clientMethod' | 'method' | 'path' | 'access' | 'scope' | 'streams'>;
  params: Record<string, string | number>;
  /** The parameters that must be given. */
  query: Record<string, unknown>;
  body: unknown;
}

/** A code sample for documentation tools (`x-codeSamples`). */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript' | 'Python' | 'Go';
  label: string;
  source: string;
}

/** Placeholders for a public document. */
export const placeholderAccess: SampleAccess = {
  baseUrl: 'https://parley.example',
  apiKey: 'YOUR_API_KEY',
  apiSecret: 'YOUR_API_SECRET',
};

/** Placeholders for ids that other calls return. */
export const returnedParams: Record<string, string> = {
  webhookId: 'WEBHOOK_ID',
  deliveryId: 'DELIVERY_ID',
  recoveryId: 'RECOVERY_ID',
  erasureId: 'ERASURE_ID',
  apiKey: 'API_KEY',
  memberId: 'MEMBER_ID',
  portalLinkId: 'PORTAL_LINK_ID',
};

/** Request bodies with values that other calls return, by operation. */
export const returnedBodies: Record<string, unknown> = { createSession: { customerToken: 'CUSTOMER_TOKEN' } };

const sessionToken = 'SESSION_TOKEN';

/** Returns the call with `curl`, and with the TypeScript client or, if it has no such method, with `fetch`. */
export function samplesOf(request: SampleRequest, access: SampleAccess): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(request, access) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(request, access) },
  ];
}

function curlSample({ route, params, query, body }: SampleRequest, access: SampleAccess): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  const search = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
  const isImplied = route.method === 'GET' || (route.method === 'POST' && body !== undefined);
  const options = [
    ...(isImplied ? [] : [`--request ${route.method}`]),
    ...(isOfOperator(route) ? sessionFields.map((field) => `--header ${quoted(field)}`) : []),
    ...(route.access === 'key' && !isOfOperator(route)
      ? [`--user ${quoted(`${access.apiKey}:${access.apiSecret}`)}`]
      : []),
    ...(route.access === 'session' ? [`--header ${quoted(`Authorization: Bearer ${sessionToken}`)}`] : []),
    // As the client does without a tag.
    ...(route.method === 'PUT' ? [`--header ${quoted('If-None-Match: *')}`] : []),
    ...(body === undefined
      ? []
      : [
          `--header ${quoted('Content-Type: application/json')}`,
          `--data ${quoted(JSON.stringify(body, null, 2))}`,
        ]),
  ];
  return [`curl ${quoted(access.baseUrl + path + search)}`, ...options].join(' \\\n  ');
}

/** What a page of the console sends. */
const sessionFields = [
  'Cookie: parley-session=SESSION_TOKEN',
  'Sec-Fetch-Site: same-origin',
  'x-parley-console: 1',
];

function isOfOperator({ scope }: SampleRequest['route']): boolean {
  return scope === 'operator';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typescriptSample({ route, params, query, body }: SampleRequest, access: SampleAccess): string {
  const { baseUrl } = access;
  const { clientMethod } = route;
  if (clientMethod === undefined) return `const response = await fetch(${literal(baseUrl + route.path)});`;

  const { workspaceId, ...others } = params;
  const isOfWorkspace =
    route.access !== 'token' && !/^(?:workspaces|session|deployment)\./.test(clientMethod);
  const args = [
    ...Object.values(isOfWorkspace ? others : params),
    ...(body === undefined ? [] : [body]),
    ...(Object.keys(query).length > 0 ? [query] : []),
  ];
  const call = (client: string): string => {
    const called = `${client}.${clientMethod}(${args.map(literal).join(', ')})`;
    if (!route.streams) return `const result = await ${called};`;
    return `const items = ${called};\nfor await (const item of items) console.log(item);`;
  };
  if (route.access === 'key') {
    return `import { createClient } from '@parley/client';

const parley = createClient(${literal(isOfOperator(route) ? { baseUrl, session: true } : access)});
${call(isOfWorkspace ? `parley.workspace(${literal(workspaceId)})` : 'parley')}`;
  }
  const client = `import { createPublicClient } from '@parley/client/public';

const parley = createPublicClient(${literal({ baseUrl })});`;
  if (route.access === 'token') return `${client}\n${call('parley')}`;
  return `${client}
const session = parley.session(${literal({ workspaceId, sessionToken })});
${call('session')}`;
}

function literal(value: unknown): string {
  return inspect(value, { depth: null, breakLength: 76, maxArrayLength: null, maxStringLength: null });
}
