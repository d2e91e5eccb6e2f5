import { defaultKeyword, type JsonSchema } from './json-schema.ts';

/**
 * Returns the example of a schema, or one composed of the examples of its parts. Throws with the path of a part without
 * an example.
 */
export function exampleOf(
  schema: JsonSchema | boolean,
  components: ReadonlyMap<string, JsonSchema>,
  path = '',
): unknown {
  if (typeof schema === 'boolean') throw new Error(`no example at ${path}`);
  const { examples, const: constant, [defaultKeyword]: standard, enum: values, $ref: reference } = schema;
  if (examples !== undefined && examples.length > 0) return examples[0];
  if (constant !== undefined) return constant;
  if (standard !== undefined) return standard;
  if (values !== undefined) return values[0];
  if (reference !== undefined) return exampleOf(resolve(reference, components), components, path);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first, components, path);
  const { items } = schema;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          exampleOf(property, components, `${path}/${name}`),
        ]),
      );
    case 'array':
      return items === undefined || Array.isArray(items) ? [] : [exampleOf(items, components, `${path}/0`)];
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      throw new Error(`no example at ${path}`);
  }
}

function resolve(reference: string, components: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const component = components.get(reference.slice(reference.lastIndexOf('/') + 1));
  if (!component) throw new Error(`no component ${reference}`);
  return component;
}
