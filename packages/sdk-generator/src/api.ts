import { type Declaration, type Field, type Schema, type Type, typeOf } from './types.ts';
import { optionName, pascalCase } from './words.ts';

// The intermediate form of the API, from which each language has its template.

export interface Api {
  /** The declared types, in the order of their names. */
  types: Declaration[];
  operations: Operation[];
  /** The header fields that operations take. Each language has an option for each of them. */
  headers: HeaderOption[];
  /** The names of the events of webhooks. `<name>Event` is the type of the body. */
  events: string[];
  /** The stable types of errors. */
  errors: string[];
}

/** The object that has a method: the client, a workspace, the client of a customer or a customer's session. */
export type Scope = 'key' | 'workspace' | 'token' | 'session';

/** A header parameter, and the option of a call that sends it, in camel case. */
export interface HeaderOption {
  name: string;
  option: string;
  description: string;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  scope: Scope;
  /** The groups around the method, in camel case: `webhooks.deliveries` has two. */
  groups: string[];
  /** The name of the method, in camel case. */
  name: string;
  description: string;
  headers: HeaderOption[];
  /** False if the call must not be sent again when its result is unknown. */
  isRepeatable: boolean;
  /** Without the id of the workspace if the scope has it. */
  params: Field[];
  query: Field[];
  body?: { type: Type; isRequired: boolean };
  result:
    | { kind: 'value'; type: Type }
    /** Pages of items. `meta` is null if there is one page. */
    | { kind: 'list'; item: Type; meta: Type }
    /** A stream of `ExportedInteraction`, as NDJSON or CSV. */
    | { kind: 'export' }
    /** The content of a file: a text, or bytes. */
    | { kind: 'file'; isText: boolean };
}

interface Parameter {
  name?: string;
  in?: 'path' | 'query' | 'header';
  description?: string;
  schema?: Schema;
  $ref?: string;
}

export interface Described {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  security: Record<string, unknown>[];
  'x-client-method'?: string;
  'x-repeatable'?: false;
}

/** The part of the OpenAPI document that a client needs. */
export interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
  components: {
    parameters: Record<string, Parameter>;
    schemas: Record<string, Schema>;
    examples: Record<string, unknown>;
  };
}

export const scopes: [Scope, about: string][] = [
  ['key', 'The calls with an API key outside of a workspace.'],
  ['workspace', 'The calls inside one workspace.'],
  ['token', 'The calls that open a session.'],
  ['session', "The calls of one customer's session."],
];

/** The operations of a group, and the paths of the groups inside it, such as `webhooks.deliveries`. */
export interface Group {
  path: string;
  operations: Operation[];
  inner: string[];
}

/** Returns the groups of a scope. The first one has an empty path. */
export function groupsOf({ operations }: Pick<Api, 'operations'>, scope: Scope): Group[] {
  const own = operations.filter((one) => one.scope === scope);
  const paths = new Set([
    '',
    ...own.flatMap(({ groups }) => groups.map((_, depth) => groups.slice(0, depth + 1).join('.'))),
  ]);
  return [...paths].map((path) => ({
    path,
    operations: own.filter(({ groups }) => groups.join('.') === path),
    inner: [...paths].filter((one) => one !== '' && one.split('.').slice(0, -1).join('.') === path),
  }));
}

/** Reads the document. Operations without a client method are no part of it. */
export function readApi({ paths, components }: ApiDocument): Api {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, ...described }]) => {
      const resolved = parameters.map(
        (one) => components.parameters[one.$ref?.split('/').pop() ?? ''] ?? one,
      );
      return operationOf(path, method, { ...described, parameters: resolved }) ?? [];
    }),
  );
  const types = Object.entries(components.schemas).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    type: typeOf(schema, name),
  }));
  const events = (components.schemas['EventName']?.enum ?? []).map(String);
  const exported = exportedInteraction(types.find(({ name }) => name === 'Interaction'));
  const all = [...types, ...exported].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const headers = operations.flatMap((one) => one.headers);
  const named = new Map(headers.map((one) => [one.option, one]));
  return {
    types: all,
    operations,
    headers: [...named.values()].toSorted((one, other) => (one.option < other.option ? -1 : 1)),
    events,
    errors: Object.keys(components.examples),
  };
}

/** Undefined without a client method. */
function operationOf(path: string, method: string, described: Described): Operation | undefined {
  const groups = described['x-client-method']?.split('.') ?? [];
  const name = groups.pop();
  if (name === undefined) return undefined;
  const { operationId, summary, description, parameters, requestBody, responses } = described;
  const scope = scopeOf(path, described);
  const isBound = scope === 'workspace' || scope === 'session';
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const content = success?.content ?? {};
  const json = content['application/json'];
  const isExport = 'application/x-ndjson' in content;
  const fieldsIn = (place: Parameter['in']): Field[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name = '', description = '', schema = {} }) => ({
        name,
        description,
        type: typeOf(schema, pascalCase(operationId) + pascalCase(name)),
        isRequired: place === 'path',
      }));
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    scope,
    groups,
    name,
    description: [summary, description].filter(Boolean).join('\n\n'),
    headers: parameters.flatMap(({ name = '', in: place, description = '' }) =>
      place === 'header' ? { name, option: optionName(name), description } : [],
    ),
    isRepeatable: described['x-repeatable'] !== false,
    params: fieldsIn('path').filter((field) => !(isBound && field.name === 'workspaceId')),
    // The client chooses the format of a stream.
    query: fieldsIn('query').filter((field) => !isExport || field.name !== 'format'),
    ...(requestBody && {
      body: {
        type: typeOf(requestBody.content['application/json'].schema, `${pascalCase(operationId)}Body`),
        isRequired: requestBody.required,
      },
    }),
    result: json
      ? resultOf(json.schema, pascalCase(operationId))
      : resultWithoutEnvelope(content, pascalCase(operationId)),
  };
}

function resultWithoutEnvelope(content: object, name: string): Operation['result'] {
  const types = Object.keys(content);
  if (types.length === 0) return resultOf(nothing, name);
  if (types.includes('application/x-ndjson')) return { kind: 'export' };
  return { kind: 'file', isText: types.every((type) => type.startsWith('text/')) };
}

/** The answer of a 204. */
const nothing: Schema = { properties: { data: { type: 'null' } } };

function resultOf({ properties = {} }: Schema, name: string): Operation['result'] {
  const { data = {}, meta = {} } = properties;
  if (data.type !== 'array') return { kind: 'value', type: typeOf(data, `${name}Result`) };
  return { kind: 'list', item: typeOf(data.items ?? {}, `${name}Item`), meta: typeOf(meta, `${name}Meta`) };
}

function scopeOf(path: string, { security, 'x-client-method': method }: Described): Scope {
  const [access] = security.flatMap((one) => Object.keys(one));
  if (access === 'session') return 'session';
  if (access === undefined) return 'token';
  return path.includes('{workspaceId}') && !method?.startsWith('workspaces.') ? 'workspace' : 'key';
}

/** A line of an export, whose media type has no schema: an interaction with its history as an object. */
function exportedInteraction(interaction: Pick<Declaration, 'type'> | undefined) {
  if (interaction?.type.kind !== 'object') return [];
  const name = 'ExportedInteraction';
  const text: Type = { kind: 'string' };
  const orNull = (type: Type): Type => ({ kind: 'union', of: [type, { kind: 'null' }] });
  const field = (name: string, type: Type, description = '') => ({
    name,
    description,
    type,
    isRequired: true,
  });
  const fields = [
    ...interaction.type.fields.filter((one) => one.name !== 'data'),
    field(
      'data',
      orNull({ kind: 'ref', name: 'InteractionHistory' }),
      'Null until the conversation has started',
    ),
    field('startedAt', orNull(text)),
    field('completedAt', orNull(text)),
    field('updatedAt', text),
    field('cursor', text, 'An export with this `cursor` goes on behind the interaction'),
  ];
  return [{ name, description: 'An interaction of an export', type: { ...interaction.type, name, fields } }];
}
