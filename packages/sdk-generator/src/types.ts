import { pascalCase, singular } from './words.ts';

// The types of the intermediate form, read from the schemas of the OpenAPI document.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: false | Schema;
  minProperties?: number;
  maxProperties?: number;
  description?: string;
}

const scalars = ['string', 'integer', 'number', 'boolean', 'null', 'unknown'] as const;

export type Scalar = (typeof scalars)[number];

export type Type =
  | { kind: Scalar }
  /** A constant has one value. `name` is unique, for languages that declare enums. */
  | { kind: 'enum'; name: string; values: unknown[] }
  | { kind: 'array'; items: Type }
  | { kind: 'map'; values: Type }
  /** A declared type. */
  | { kind: 'ref'; name: string }
  /** An object inside another type. `name` is unique, for languages that declare it. */
  | ObjectType
  | { kind: 'union'; of: Type[] };

export interface ObjectType {
  kind: 'object';
  name: string;
  fields: Field[];
  /** The type of other fields, if the object may have them. */
  others?: Type;
  /** Exactly one of the fields is present. */
  isOneOf: boolean;
}

export interface Field {
  /** As in JSON. */
  name: string;
  description: string;
  type: Type;
  isRequired: boolean;
}

/** A declared type. */
export interface Declaration {
  name: string;
  description: string;
  type: Type;
}

// Keywords that change the type, and keywords that only limit values. All others are errors.
const typing = 'type $ref const enum anyOf properties required items additionalProperties description';
const limits =
  'minimum maximum minLength maxLength minProperties maxProperties minItems maxItems pattern format propertyNames';
const known = new Set(`${typing} ${limits} default x-default examples contentMediaType`.split(' '));

/** Returns the type of a schema. `name` is for types inside it. Throws for an unknown keyword. */
export function typeOf(schema: Schema, name: string): Type {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`no type is known for the keyword ${unknown.join(', ')}`);
  if (schema.$ref !== undefined)
    return { kind: 'ref', name: schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) };
  if (schema.const !== undefined) return { kind: 'enum', name, values: [schema.const] };
  if (schema.enum) return { kind: 'enum', name, values: schema.enum };
  if (schema.anyOf) return { kind: 'union', of: schema.anyOf.map((one) => typeOf(one, name)) };
  if (Array.isArray(schema.type))
    return { kind: 'union', of: schema.type.map((type) => typeOf({ ...schema, type }, name)) };
  if (schema.type === 'array') return { kind: 'array', items: typeOf(schema.items ?? {}, singular(name)) };
  if (schema.type === 'object') return objectOf(schema, name);
  const kind = scalars.find((one) => one === (schema.type ?? 'unknown'));
  if (!kind) throw new Error(`no type is known for ${schema.type}`);
  return { kind };
}

function objectOf(schema: Schema, name: string): Type {
  const { properties, required = [], additionalProperties, minProperties, maxProperties } = schema;
  if (!properties) return { kind: 'map', values: typeOf(additionalProperties || {}, singular(name)) };
  const isTaken = (field: string): boolean => singular(field) !== field && singular(field) in properties;
  const fields = Object.entries(properties).map(([field, inner]) => ({
    name: field,
    description: inner.description ?? '',
    // `states` beside `state` has items of another type.
    type: typeOf(inner, `${name}${pascalCase(field)}${isTaken(field) ? 'Item' : ''}`),
    isRequired: required.includes(field),
  }));
  return {
    kind: 'object',
    name,
    fields,
    ...(additionalProperties && { others: typeOf(additionalProperties, name) }),
    isOneOf: minProperties === 1 && maxProperties === 1,
  };
}

/** Returns whether a field has a secret, which no program should print. */
export function isSecret({ name, type }: Field): boolean {
  return /secret|token$/i.test(name) && withoutNull(type).type.kind === 'string';
}

/** Returns the type without `null`, and whether it can be null. */
export function withoutNull(type: Type): { type: Type; isNullable: boolean } {
  if (type.kind !== 'union') return { type, isNullable: false };
  const of = type.of.filter(({ kind }) => kind !== 'null');
  const [only] = of;
  const isNullable = of.length < type.of.length;
  return { type: of.length === 1 && only ? only : { kind: 'union', of }, isNullable };
}
