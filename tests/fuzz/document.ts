import type { ApiDocument } from '@parley/testing/setup/contract';

/** A JSON Schema, as far as values are derived from it. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: JsonSchema;
}

/** An operation of the API, with resolved references of parameters and body. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  access: 'key' | 'session' | 'public';
  parameters: Parameter[];
  body: JsonSchema | undefined;
  bodyExample: unknown;
}

/** The operations, and the function that resolves references. */
export interface Surface {
  operations: Operation[];
  follow: (schema: JsonSchema) => JsonSchema;
}

export function surfaceOf(document: ApiDocument): Surface {
  const follow = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined
      ? schema
      : follow({ ...at<JsonSchema>(document, schema.$ref), $ref: undefined });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [security = {}] = operation.security;
      const content = operation.requestBody?.content['application/json'] as
        | { schema: JsonSchema; example: unknown }
        | undefined;
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        access: 'key' in security ? 'key' : 'session' in security ? 'session' : 'public',
        parameters: operation.parameters.map((one) =>
          '$ref' in one ? at<Parameter>(document, String(one.$ref)) : (one as Parameter),
        ),
        body: content?.schema,
        bodyExample: content?.example,
      };
    }),
  );
  return { operations, follow };
}

function at<T>(document: ApiDocument, reference: string): T {
  const steps = reference.slice(2).split('/');
  const found = steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document);
  return found as T;
}
