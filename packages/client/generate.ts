import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { commentOf, type Schema, typeOf } from './schema-types.ts';

// `generate.ts FILE < openapi.json`: writes the types of the API and the table of its operations. What belongs to the
// running of a deployment (health, this document) is left out.

interface Parameter {
  name?: string;
  in?: 'path' | 'query';
  required?: boolean;
  schema?: Schema;
  $ref?: string;
}

interface Content {
  content: { 'application/json': { schema: Schema } };
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: { 200: Content };
  'x-repeatable'?: false;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; examples: Record<string, unknown> };
}

const document = JSON.parse(readFileSync(0, 'utf8')) as Document;
const routes = Object.entries(document.paths)
  .filter(([path]) => /^\/(?:public\/)?v1\//.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));

const text = [
  "// Made of the API's OpenAPI document by packages/client/generate.ts: `npm run generate`.",
  ...Object.entries(document.components.schemas).map(
    ([name, schema]) => `${commentOf(schema.description)}export type ${name} = ${typeOf(schema)};`,
  ),
  `/** The stable \`type\` of an error. */
export type ErrorType = ${Object.keys(document.components.examples)
    .map((type) => `'${type}'`)
    .join(' | ')};`,
  `/** What each operation takes, and what it answers with. */
export interface Operations {
${routes.map(({ operation }) => typesOf(operation)).join('\n')}
}`,
  `/** How an operation is called. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Whether it creates and takes an Idempotency-Key. */
  takesIdempotencyKey: boolean;
  /** Whether the same call may be sent again when it is not known what became of it. */
  isRepeatable: boolean;
}`,
  `export const operations: Record<keyof Operations, Operation> = {
${routes.map(entryOf).join('\n')}
};`,
].join('\n\n');
// The formatter goes by the name; it leaves what is in `gen` as it is.
const format = ['format', '--stdin-file-path', resolve(import.meta.dirname, 'api.ts')];
const [, , file = ''] = process.argv;
writeFileSync(file, execFileSync('biome', format, { input: text }));

function typesOf({ operationId, summary, description = '', parameters, requestBody, responses }: Operation) {
  const { properties = {} } = responses[200].content['application/json'].schema;
  const inputs = [
    ...partOf('params', inPlace(parameters, 'path')),
    ...partOf('query', inPlace(parameters, 'query')),
    ...(requestBody
      ? [`body${requestBody.required ? '' : '?'}: ${typeOf(requestBody.content['application/json'].schema)};`]
      : []),
  ];
  return `${commentOf([summary, description].filter(Boolean).join('\n\n'))}${operationId}: {
  input: { ${inputs.join(' ')} };
  data: ${typeOf(properties['data'] ?? {})};
  meta: ${typeOf(properties['meta'] ?? {})};
};`;
}

function inPlace(parameters: Parameter[], place: Parameter['in']): Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

function partOf(name: string, parameters: Parameter[]): string[] {
  if (parameters.length === 0) return [];
  const fields = parameters.map(
    ({ name = '', required, schema = {} }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`,
  );
  const isRequired = parameters.some(({ required }) => required);
  return [`${name}${isRequired ? '' : '?'}: { ${fields.join('; ')} };`];
}

function entryOf({ method, path, operation }: (typeof routes)[number]): string {
  const takesIdempotencyKey = operation.parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
  const isRepeatable = operation['x-repeatable'] ?? true;
  const parts = `method: '${method}', path: '${path}', takesIdempotencyKey: ${takesIdempotencyKey}, isRepeatable: ${isRepeatable}`;
  return `${operation.operationId}: { ${parts} },`;
}
