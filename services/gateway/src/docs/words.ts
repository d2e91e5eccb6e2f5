import type { JsonSchema } from '../openapi/json-schema.ts';
import { type DescribedOperation, type Description, schemaNameOf } from './description.ts';

type Components = Description['components'];
type Schema = JsonSchema | boolean | undefined;

/** Returns the names by which an operation is found: parameters, all fields and values of its bodies, its errors. */
export function searchWordsOf(
  operation: DescribedOperation,
  { schemas, responses }: Components,
): Set<string> {
  const { parameters, requestBody } = operation;
  const words = new Set(parameters.map((one) => ('name' in one ? one.name : schemaNameOf(one.$ref))));
  addWords(words, requestBody?.content['application/json'].schema, schemas, new Set());
  for (const one of Object.values(operation.responses)) {
    const response = '$ref' in one ? responses[schemaNameOf(one.$ref)] : one;
    for (const name of Object.keys(response?.headers ?? {})) words.add(name);
    addWords(words, response?.content?.['application/json']?.schema, schemas, new Set());
  }
  return words;
}

function addWords(
  words: Set<string>,
  schema: Schema,
  schemas: Components['schemas'],
  seen: Set<string>,
): void {
  if (schema === undefined || typeof schema === 'boolean') return;
  if (schema.$ref !== undefined) {
    const name = schemaNameOf(schema.$ref);
    if (seen.has(name)) return;
    seen.add(name);
    return addWords(words, schemas[name], schemas, seen);
  }
  for (const value of schema.enum ?? []) if (typeof value === 'string') words.add(value);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    words.add(name);
    addWords(words, property, schemas, seen);
  }
  const { items, additionalProperties } = schema;
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    additionalProperties,
  ];
  for (const one of [...inner, ...(Array.isArray(items) ? items : [items])])
    addWords(words, one, schemas, seen);
}
