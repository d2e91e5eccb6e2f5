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

// Keywords that change the type, and keywords that only limit values. All others are errors.
const typing = 'type $ref const enum anyOf properties required items additionalProperties description';
const limits =
  'minimum maximum minLength maxLength minProperties maxProperties minItems maxItems pattern format propertyNames';
const known = new Set(`${typing} ${limits} default x-default examples contentMediaType`.split(' '));

/** Returns the TypeScript type of a schema. Throws for an unknown keyword. */
export function typeOf(schema: Schema): string {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`no type is known for the keyword ${unknown.join(', ')}`);
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `Array<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`no type is known for ${schema.type}`);
  }
}

/** Returns a docstring, empty without text. */
export function commentOf(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines.join()} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function objectOf(schema: Schema): string {
  const { properties, required = [], additionalProperties, minProperties, maxProperties } = schema;
  if (!properties) return `Record<string, ${typeOf(additionalProperties || {})}>`;
  if (minProperties === 1 && maxProperties === 1) return exactlyOneOf(properties);
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${commentOf(schema.description)}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};\n`,
  );
  const others = additionalProperties ? `[name: string]: ${typeOf(additionalProperties)};\n` : '';
  return `{\n${fields.join('')}${others}}`;
}

function exactlyOneOf(properties: Record<string, Schema>): string {
  const names = Object.keys(properties);
  return Object.entries(properties)
    .map(([name, schema]) => {
      const others = names.filter((other) => other !== name).map((other) => `${other}?: never;`);
      return `{ ${name}: ${typeOf(schema)}; ${others.join(' ')} }`;
    })
    .join(' | ');
}
