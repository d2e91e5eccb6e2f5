import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commentOf, type Schema, typeOf } from './schema-types.ts';

// `generate.ts FOLDER < openapi.json`: writes the types of the API (`api.ts`) and the client's methods (`calls.ts`).
// An operation has the method that its `x-client-method` names.

interface Parameter {
  name?: string;
  in?: 'path' | 'query';
  description?: string;
  schema?: Schema;
  $ref?: string;
}

interface Content {
  content: { 'application/json': { schema: Schema } };
}

/** The answer of an operation. A stream has other media types. */
interface Success {
  content: { 'application/json'?: { schema: Schema } };
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: { 200: Success };
  security: Record<string, unknown>[];
  'x-client-method'?: string;
  'x-repeatable'?: false;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; examples: Record<string, unknown> };
}

interface Call extends Operation {
  method: string;
  path: string;
}

/** Methods by name; nested for a name with dots. */
interface Methods {
  [name: string]: string | Methods;
}

const document = JSON.parse(readFileSync(0, 'utf8')) as Document;
const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]): Call => ({ ...operation, method: method.toUpperCase(), path }),
  ),
);
const notice = '// Generated from the OpenAPI document by packages/client/generate.ts: `npm run generate`.';

const eventNames = (document.components.schemas['EventName']?.enum ?? []).map(String);

const types = [
  notice,
  ...Object.entries(document.components.schemas).map(
    ([name, schema]) => `${commentOf(schema.description)}export type ${name} = ${typeOf(schema)};`,
  ),
  `/** The body of an event of the catalogue with its envelope. */
export type CatalogueEvent = ${eventNames.map((name) => `${name}Event`).join(' | ')};`,
  `/** The stable \`type\` of an error. */
export type ErrorType = ${Object.keys(document.components.examples)
    .map((type) => `'${type}'`)
    .join(' | ')};`,
];

const functions = [
  functionOf('keyCalls', 'key', 'The calls with an API key outside of a workspace.'),
  functionOf('workspaceCalls', 'workspace', 'The calls inside one workspace.'),
  functionOf('tokenCalls', 'token', 'The calls that open a session.'),
  functionOf('sessionCalls', 'session', "The calls of one customer's session."),
].join('\n\n');
const named = Object.keys(document.components.schemas).filter((name) =>
  new RegExp(`\\b${name}\\b`).test(functions),
);
const imports = `import type { CallOptions, ChangeOptions, CreateOptions, Send } from '../calls/call.ts';
import { readExport } from '../export.ts';
import { readList } from '../list.ts';
import type { ${named.join(', ')} } from './api.ts';`;

const [, , folder = ''] = process.argv;
write('api.ts', types);
write('calls.ts', [notice, imports, functions]);

function write(name: string, parts: string[]): void {
  // The formatter derives the language from the name, and skips files in `gen`.
  const format = ['format', '--stdin-file-path', resolve(import.meta.dirname, name)];
  writeFileSync(join(folder, name), execFileSync('biome', format, { input: parts.join('\n\n') }));
}

/** The object that has a method: the client, a workspace, the browser's client or a session. */
function scopeOf({ security, path, ...call }: Call): 'key' | 'workspace' | 'token' | 'session' {
  const [access] = security.flatMap((one) => Object.keys(one));
  if (access === 'session') return 'session';
  if (access === undefined) return 'token';
  const isInside = path.includes('{workspaceId}') && !call['x-client-method']?.startsWith('workspaces.');
  return isInside ? 'workspace' : 'key';
}

function functionOf(name: string, scope: ReturnType<typeof scopeOf>, about: string): string {
  const isBound = scope === 'workspace' || scope === 'session';
  const methods: Methods = {};
  for (const call of calls.filter((one) => scopeOf(one) === scope)) {
    const path = call['x-client-method']?.split('.') ?? [];
    const last = path.pop();
    if (last === undefined) continue;
    let place = methods;
    for (const step of path) place = (place[step] ??= {}) as Methods;
    place[last] = methodOf(call, isBound);
  }
  return `/** ${about} */
export const ${name} = (send: Send${isBound ? ', workspaceId: string' : ''}) => (${objectOf(methods)});`;
}

function objectOf(methods: Methods): string {
  const entries = Object.entries(methods).map(([name, value]) =>
    typeof value === 'string' ? value : `${name}: ${objectOf(value)},`,
  );
  return `{\n${entries.join('\n')}\n}`;
}

function methodOf(call: Call, isBound: boolean): string {
  const { method, path, summary, description = '', parameters, requestBody, responses } = call;
  const takesIdempotencyKey = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
  const takesIfMatch = method !== 'GET' && parameters.some(({ $ref }) => $ref?.endsWith('/If-Match'));
  const params = namesIn(parameters, 'path');
  // The client chooses the format of a stream.
  const isStream = !responses[200].content['application/json'];
  const query = typeOfQuery(isStream ? parameters.filter(({ name }) => name !== 'format') : parameters);
  const args = [
    ...parameters
      .filter(({ in: place, name }) => place === 'path' && !(isBound && name === 'workspaceId'))
      .map(({ name, schema = {} }) => `${name}: ${typeOf(schema)}`),
    ...(requestBody ? [`body${requestBody.required ? '' : '?'}: ${schemaOf(requestBody)}`] : []),
    ...(query ? [query] : []),
    `options?: ${optionsOf(takesIfMatch, takesIdempotencyKey)}`,
  ];
  const operation = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(takesIdempotencyKey ? ['takesIdempotencyKey: true'] : []),
    ...(call['x-repeatable'] === false ? ['isRepeatable: false'] : []),
  ];
  const input = [
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(requestBody ? ['body'] : []),
    ...(query ? ['query'] : []),
  ];
  const sender = senderOf(responses[200]);
  const name = call['x-client-method']?.split('.').at(-1);
  return `${commentOf([summary, description].filter(Boolean).join('\n\n'))}${name}: (${args.join(', ')}) =>
  ${sender} { ${operation.join(', ')} }, { ${input.join(', ')} }, options),`;
}

function senderOf({ content }: Success): string {
  const json = content['application/json'];
  if (!json) return 'readExport(send,';
  const { data = {}, meta = {} } = json.schema.properties ?? {};
  return data.type === 'array'
    ? `readList<${typeOf(data.items ?? {})}, ${typeOf(meta)}>(send,`
    : `send<${typeOf(data)}>(`;
}

function optionsOf(takesIfMatch: boolean, takesIdempotencyKey: boolean): string {
  if (takesIdempotencyKey) return takesIfMatch ? 'CreateOptions & ChangeOptions' : 'CreateOptions';
  return takesIfMatch ? 'ChangeOptions' : 'CallOptions';
}

function schemaOf({ content }: Content): string {
  return typeOf(content['application/json'].schema);
}

function namesIn(parameters: Parameter[], place: Parameter['in']): string[] {
  return parameters.flatMap((parameter) => (parameter.in === place ? [parameter.name ?? ''] : []));
}

/** The argument for the query parameters, which are all optional; undefined when there are none. */
function typeOfQuery(parameters: Parameter[]): string | undefined {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(
      ({ name = '', description, schema = {} }) =>
        `${commentOf(description)}${name}?: ${typeOf(schema)} | undefined;\n`,
    );
  return fields.length > 0 ? `query: {\n${fields.join('')}} = {}` : undefined;
}
