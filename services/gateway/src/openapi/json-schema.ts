import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** States the default of a request field for programs, where `default` misleads generators of clients. */
export const defaultKeyword = 'x-default';

/** Schemas of one document. Those with an `id` in their metadata become its components, which the others refer to. */
export interface Schemas {
  /** How a schema reads what comes in, or what it lets out. */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** What has been referred to so far, by name. */
  components: Map<string, JsonSchema>;
}

/** Throws, later on, when two schemas have the same name. */
export function createSchemas(): Schemas {
  const components = new Map<string, JsonSchema>();
  return {
    components,
    describe: (schema, io) => {
      // Only what is inside of another becomes a component.
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

// A transformation hides examples and defaults of what comes in. Bounds of all safe integers say nothing.
function complete(io: 'input' | 'output'): Override {
  return ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod;
    const { examples } = z.globalRegistry.get(zodSchema) ?? {};
    if (io === 'input' && (def.type === 'default' || def.type === 'prefault')) delete jsonSchema.default;
    if (io === 'input' && def.type === 'default') stateDefault(jsonSchema, def.defaultValue);
    if (io === 'input' && Array.isArray(examples) && jsonSchema.$ref === undefined) {
      jsonSchema.examples ??= examples;
    }
    if (io === 'output' && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (io === 'output' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  };
}

// openapi-typescript makes a property with `default` required, and Orval emits invalid code for some.
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
