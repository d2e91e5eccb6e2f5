import type { Operation, Schema } from '@parley/testing/setup/contract';
import { inject } from 'vitest';
import { type NamedOperation, requiredQuery } from '../api/operations.ts';

/** The values by which calls name resources. */
export interface Names {
  workspaceId: string;
  interactionId: string;
  customerId: string;
  botId: string;
  /** Of that bot. */
  version: string;
  /** Empty where a bot is named by its id. */
  botKey: string;
  webhookId: string;
  deliveryId: string;
  /** Of that delivery. */
  eventId: string;
  recoveryId: string;
  erasureId: string;
  memberId: string;
  portalLinkId: string;
  /** Of that bot. */
  openLinkId: string;
  /** Of that bot. Only people have one. */
  presenceId: string;
  /** The public half. */
  apiKey: string;
  customerToken: string;
  linkToken: string;
}

/** Fields whose name differs from the name in `Names`. */
const aliases: Record<string, string> = { token: 'linkToken', key: 'botKey' };
/** Ids within a conversation, and the token of a webhook, which belongs to its receiver. */
const namesNothing = new Set(['clientMessageId', 'stepId', 'revisedStepId', 'secretToken']);

/** Returns the credential of an operation: an API key, a session, or none. */
export function accessTo({ security }: Pick<Operation, 'security'>): string | undefined {
  return security.flatMap((one) => Object.keys(one))[0];
}

/** Returns the query parameters and body fields that name resources, as in `Names`. */
export function namesOf({ parameters, requestBody }: Operation): string[] {
  const inQuery = parameters.flatMap((one) => (one.in === 'query' && one.name ? [one.name] : []));
  return [...inQuery, ...fieldsOf(requestBody)]
    .filter((name) => /(Id|Token|^token|^key|Key)$/.test(name) && !namesNothing.has(name))
    .map((name) => aliases[name] ?? name);
}

/** Returns the example body of an operation with these names in it. */
export function bodyOf(operation: Operation, names: Names): Record<string, unknown> | undefined {
  const example = operation.requestBody?.content['application/json'].example;
  if (!example) return undefined;
  const named = fieldsOf(operation.requestBody)
    .map((field) => [field, names[(aliases[field] ?? field) as keyof Names]] as const)
    // A bot is named by either its key or its id.
    .filter(([field, name]) => name && !(field === 'botId' && names.botKey));
  const [first] = (example['interactions'] ?? []) as object[];
  const body = { ...(first ?? example), botKey: undefined, ...Object.fromEntries(named) };
  return first ? { interactions: [body] } : body;
}

/** Returns a query with all parameters that take a number or one of some words. Empty if there are none. */
function queryOf({ parameters }: Operation): string {
  const given = parameters.flatMap(({ name, in: place, schema }) => {
    const { enum: words, minimum } = resolved(schema);
    // The version of a bot needs a step.
    if (place !== 'query' || name === 'botVersion' || (!words && minimum === undefined)) return [];
    return [`${name}=${words?.[0] ?? Number(minimum) + 1}`];
  });
  return given.length > 0 ? `?${given.join('&')}` : requiredQuery(parameters);
}

/** Returns the names of the fields that a request's body may have, or the items of a bulk call. */
function fieldsOf(requestBody: Operation['requestBody']): string[] {
  const { properties = {} } = resolved(requestBody?.content['application/json'].schema);
  const { items } = (properties['interactions'] ?? {}) as { items?: { $ref: string } };
  return Object.keys(items ? (resolved(items).properties ?? {}) : properties);
}

function resolved(schema: Schema | { $ref: string } = {}): Schema {
  if (!('$ref' in schema)) return schema;
  return inject('openapi').components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {};
}

/** Two calls that must not differ. */
export interface Way {
  foreign: Names;
  unknown: Names;
  query?: (names: Names) => string;
  headers?: Record<string, string>;
}

/** Names of the other workspace, of the caller's own workspace, and of missing resources. */
interface Sides {
  theirs: Names;
  own: Names;
  never: Names;
  /** ETags of their resources, by path parameter. */
  tags: Record<string, string>;
}

/** Returns all ways to name another workspace's resources, each with the same call for resources that do not exist. */
export function waysOf(operation: NamedOperation, { theirs, own, never, tags }: Sides): Record<string, Way> {
  const { path, method, parameters, operationId } = operation;
  const access = accessTo(operation);
  const names = namesOf(operation) as (keyof Names)[];
  const query = queryOf(operation);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Names);
  const things = inPath.filter((name) => name !== 'workspaceId');
  const tag = tags[things[0] ?? ''];
  const ways: Record<string, Way> = {};
  // Without a condition, PUT is refused before anything is looked up.
  const withoutTag = method === 'PUT' && { headers: { 'if-none-match': '*' } };
  const add = (name: string, way: Way): void => {
    ways[name] = { ...way, ...withoutTag };
    if (query) ways[`${name} ${query}`] = { ...way, query: () => query };
    if (!tag) return;
    ways[`${name} with its tag`] = {
      ...way,
      headers: { [method === 'GET' ? 'if-none-match' : 'if-match']: tag },
    };
  };
  if (access === undefined && inPath.includes('workspaceId')) {
    // The id of a workspace is in its pages: its existence is no secret.
    const at = theirs.workspaceId;
    add('a token of another', {
      foreign: { ...own, workspaceId: at },
      unknown: { ...never, workspaceId: at },
    });
  } else if (inPath.includes('workspaceId')) {
    add('their workspace', { foreign: theirs, unknown: never });
    add('their workspace, unknown things', {
      foreign: { ...never, workspaceId: theirs.workspaceId },
      unknown: never,
    });
    add('their workspace, own things', {
      foreign: { ...own, workspaceId: theirs.workspaceId },
      unknown: { ...own, workspaceId: never.workspaceId },
    });
  }
  for (const thing of things) {
    add(`their ${thing} in the own workspace`, {
      foreign: { ...own, [thing]: theirs[thing] },
      unknown: { ...own, [thing]: never[thing] },
    });
  }
  for (const name of names) {
    // The list of bots has the parameter `key`.
    const spellings = name === 'botKey' ? ['key', name] : [name];
    const inQuery = parameters.find((one) => one.in === 'query' && spellings.includes(one.name ?? ''));
    // Clients choose ids of customers, so every workspace may have the same: see the last tests of the walk.
    if (/^createInteractions?$/.test(operationId) && name === 'customerId') continue;
    // A link works for anyone.
    const given =
      name === 'linkToken'
        ? theirs.linkToken.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
        : theirs[name];
    add(`${name} named`, {
      foreign: { ...own, [name]: given },
      unknown: { ...own, [name]: never[name] },
      ...(inQuery && { query: (named: Names) => `?${inQuery.name}=${encodeURIComponent(named[name])}` }),
    });
  }
  return ways;
}
