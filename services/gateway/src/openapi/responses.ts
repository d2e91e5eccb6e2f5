import { failureBody } from '../envelope.ts';
import { snapshot } from '../present/conversation.ts';
import { type ErrorType, errorTypes } from './error-types.ts';
import { headersOf, type ResponseField } from './fields.ts';
import type { Schemas } from './json-schema.ts';

interface Reference {
  $ref: string;
}

/** The answers that operations have in common, each described once. */
export interface Responses {
  notModified(): Reference;
  /** By HTTP status. */
  errors(types: ErrorType[]): Record<string, Reference>;
  /** What has been referred to so far. */
  components: Map<string, unknown>;
}

/** Error answers are named by their status and the types that they can have. */
export function createResponses(schemas: Schemas): Responses {
  const components = new Map<string, unknown>();
  const refer = (name: string, describe: () => unknown): Reference => {
    if (!components.has(name)) components.set(name, describe());
    return { $ref: `#/components/responses/${name}` };
  };
  return {
    components,
    notModified: () =>
      refer('304', () => ({
        description: 'What the client holds is still current.',
        headers: headersOf(['X-Request-Id', 'ETag']),
      })),
    errors: (errors) => {
      const byCode = Map.groupBy(errors, (type) => errorTypes[type].code);
      return Object.fromEntries(
        Array.from(byCode, ([code, types]) => [
          code,
          refer([code, ...types].join('.'), () => failureOf(code, types, schemas)),
        ]),
      );
    },
  };
}

function failureOf(code: number, types: ErrorType[], { describe }: Schemas) {
  const data = types.includes('stale-sequence') ? describe(snapshot.nullable(), 'output') : { type: 'null' };
  const narrowed = {
    type: 'object',
    required: ['code', 'type', 'data'],
    properties: { code: { type: 'integer', const: code }, type: { type: 'string', enum: types }, data },
  };
  return {
    description: types.map((type) => `- \`${type}\`: ${errorTypes[type].when}`).join('\n'),
    headers: headersOf(['X-Request-Id', ...fieldsOf(code)]),
    content: {
      'application/json': {
        schema: { allOf: [describe(failureBody, 'output'), narrowed] },
        examples: Object.fromEntries(types.map((type) => [type, { $ref: `#/components/examples/${type}` }])),
      },
    },
  };
}

function fieldsOf(code: number): ResponseField[] {
  if (code === 401) return ['WWW-Authenticate'];
  if (code === 429) return ['Retry-After', 'RateLimit', 'RateLimit-Policy'];
  return code === 503 ? ['Retry-After'] : [];
}
