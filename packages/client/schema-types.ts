/** A JSON Schema as the API's description has them. */
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
  description?: string;
}

// What a type can say, and what only limits the values of one. Anything else would be lost in silence.
const said = 'type $ref const enum anyOf properties required items additionalProperties description';
const limits =
  'minimum maximum minLength maxLength minProperties maxProperties minItems maxItems pattern format propertyNames';
const known = new Set(`${said} ${limits} default x-default examples contentMediaType`.split(' '));

/** The TypeScript type of a schema. Throws for what it cannot say. */
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

/** A docstring in front of something; nothing for no text. */
export function commentOf(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines.join()} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) return `Record<string, ${typeOf(additionalProperties || {})}>`;
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${commentOf(schema.description)}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};\n`,
  );
  return `{\n${fields.join('')}}`;
}
