import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema (draft 2020-12) of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The default of a request field. The keyword `default` misleads generators of clients. */
export const defaultKeyword = 'x-default';

/** The schemas of one document. Schemas with an `id` become components, to which the others refer. */
export interface Schemas {
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  components: Map<string, JsonSchema>;
}

/** `describe` throws if two schemas have the same name. */
export function createSchemas(): Schemas {
  const components = new Map<string, JsonSchema>();
  return {
    components,
    describe: (schema, io) => {
      // Only nested schemas become components.
      const inside = z.toJSONSchema(z.object({ it: schema }), { io, override: complete(io) });
      const { $defs, properties } = withReferences(inside);
      for (const [name, definition] of Object.entries($defs ?? {})) {
        const known = components.get(name);
        if (known && !isDeepStrictEqual(known, definition)) throw new Error(`two schemas are named ${name}`);
        components.set(name, definition);
      }
      return toSchema(properties?.['it']);
    },
  };
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

// Transformations hide examples and defaults of inputs. The bounds of safe integers are dropped.
function complete(io: 'input' | 'output'): Override {
  return ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    const { examples } = z.globalRegistry.get(zodSchema) ?? {};
    if (io === 'input' && ['default', 'prefault', 'catch'].includes(def.type)) delete jsonSchema.default;
    if (io === 'input' && def.type === 'default') stateDefault(jsonSchema, def.defaultValue);
    if (io === 'input' && Array.isArray(examples) && jsonSchema.$ref === undefined) {
      jsonSchema.examples ??= examples;
    }
    if (io === 'output' && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (io === 'output' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  };
}

// openapi-typescript makes properties with `default` required, and Orval generates invalid code for some.
function stateDefault(schema: JsonSchema, value: unknown): void {
  const stated = `Default: \`${JSON.stringify(value)}\``;
  const { description } = schema;
  if (!description?.endsWith(stated)) schema.description = [description, stated].filter(Boolean).join('. ');
  schema[defaultKeyword] = value;
}

function withReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

function toSchema(schema: JsonSchema | boolean | undefined): JsonSchema {
  if (schema === undefined || typeof schema === 'boolean') throw new Error('a schema describes nothing');
  return schema;
}
