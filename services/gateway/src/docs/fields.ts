import { escaped } from '@parley/runtime/html';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { type DescribedField, type Description, nameOf } from './description.ts';
import { phrase } from './markdown.ts';

type Schemas = Description['components']['schemas'];
type Schema = JsonSchema | boolean | undefined;

/** Returns the fields of an object with types and limits. Nested fields can be opened. */
export function fieldList(schema: Schema, schemas: Schemas): string {
  const { properties = {}, required = [] } = objectIn(schema, schemas) ?? {};
  const items = Object.entries(properties).map(([name, property]) =>
    fieldItem(name, { ...describedBy(property), required: required.includes(name) }, schemas),
  );
  return items.length === 0 ? '' : `<ul class="fields">${items.join('')}</ul>`;
}

export function fieldItem(
  name: string,
  { description, required = false, schema }: DescribedField,
  schemas: Schemas,
): string {
  const inner = fieldList(schema, schemas);
  return `<li><code>${escaped(name)}</code> <span class="type">${escaped(typeOf(schema, schemas))}</span>
${required ? '<span class="required">required</span>' : ''}
${description === undefined ? '' : `<div>${phrase(description)}</div>`}
${inner === '' ? '' : `<details><summary>Fields of <code>${escaped(name)}</code></summary>${inner}</details>`}</li>`;
}

function describedBy(schema: JsonSchema | boolean): DescribedField {
  if (typeof schema === 'boolean') return { schema: {} };
  const { description } = schema;
  return { schema, ...(description !== undefined && { description }) };
}

/** Returns the schema of the object that a schema is, may be or lists. */
function objectIn(schema: Schema, schemas: Schemas): JsonSchema | undefined {
  if (schema === undefined || typeof schema === 'boolean') return undefined;
  if (schema.$ref !== undefined) return objectIn(schemas[nameOf(schema.$ref)], schemas);
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined && !Array.isArray(schema.items)) return objectIn(schema.items, schemas);
  return schema.anyOf?.map((one) => objectIn(one, schemas)).find((one) => one !== undefined);
}

/** Returns the type in words: `integer, 1 to 50`, `array of string`, `Draft | Pending`. */
function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema === undefined || typeof schema === 'boolean') return 'any';
  if (schema.$ref !== undefined) return typeOf(schemas[nameOf(schema.$ref)], schemas);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map((one) => typeOf(one, schemas)))].join(' | ');
  }
  if (schema.items !== undefined && !Array.isArray(schema.items)) {
    return `array of ${typeOf(schema.items, schemas)}`;
  }
  const { format, type = 'any' }: { format?: string; type?: string | string[] } = schema;
  return [format ?? [type].flat().join(' | '), limitsOf(schema)].filter(Boolean).join(', ');
}

function limitsOf({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return minimum === undefined ? '' : `at least ${minimum}`;
}
