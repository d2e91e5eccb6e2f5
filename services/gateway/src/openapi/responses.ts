import { failureBody } from '../http/answer/envelope.ts';
import { snapshot } from '../api/conversations/present.ts';
import { type ErrorType, errorTypes } from './error-types.ts';
import { headersOf, type ResponseField } from './fields.ts';
import type { Schemas } from './json-schema.ts';
import { anyRequestErrors } from './route-errors.ts';

interface Reference {
  $ref: string;
}

export interface Responses {
  notModified(): Reference;
  /** By HTTP status. */
  errors(types: ErrorType[]): Record<string, Reference>;
  components: Map<string, unknown>;
}

/** Returns the shared answers. Error answers are named by their types: `NotFound`, `IllegalTransitionOrLostRace`. */
export function createResponses(schemas: Schemas): Responses {
  const components = new Map<string, unknown>();
  const refer = (name: string, describe: () => unknown): Reference => {
    if (!components.has(name)) components.set(name, describe());
    return { $ref: `#/components/responses/${name}` };
  };
  return {
    components,
    notModified: () =>
      refer('NotModified', () => ({
        description: 'The client has the current content.',
        headers: headersOf(['X-Request-Id', 'ETag']),
      })),
    errors: (errors) => {
      const byCode = Map.groupBy(errors, (type) => errorTypes[type].code);
      return Object.fromEntries(
        Array.from(byCode, ([code, types]) => [
          code,
          refer(nameOf(types), () => failureOf(code, types, schemas)),
        ]),
      );
    },
  };
}

// Leaves out the errors of every request if there are others.
function nameOf(types: ErrorType[]): string {
  const own = types.filter((type) => !anyRequestErrors.includes(type));
  const named = own.length > 0 ? own : types;
  return named
    .map((type) => type.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase()))
    .join('Or');
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
