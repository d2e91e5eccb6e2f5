import { successOf } from '../http/answer/envelope.ts';
import { isCounted, type Route, takesIfMatch } from '../http/server/route.ts';
import { exampleOf } from './example.ts';
import type { GivenExamples } from './given-examples.ts';
import { headersOf, type requestFields, type ResponseField } from './fields.ts';
import { defaultKeyword, type JsonSchema, type Schemas } from './json-schema.ts';
import type { Responses } from './responses.ts';
import { anyRequestErrors, errorsOf } from './route-errors.ts';
import {
  placeholderAccess,
  returnedBodies,
  returnedParams,
  type SampleRequest,
  samplesOf,
} from './samples.ts';

export interface Parts {
  schemas: Schemas;
  responses: Responses;
  /** What the samples of the operations send, by `operationId`. */
  sent: Map<string, SampleRequest>;
}

export function operationOf(
  route: Route,
  { schemas, responses, sent: allSent }: Parts,
  given: GivenExamples,
) {
  const { operationId, clientMethod, tag, summary } = route;
  const description = descriptionOf(route);
  const isRepeatable = route.isRepeatable ?? route.idempotencyKey !== 'refused';
  const inPath = parametersOf('path', route.params, schemas, given);
  const inQuery = parametersOf('query', route.query, schemas, given);
  const requestBody = route.body && requestBodyOf(route.body, schemas, given.bodies[operationId]);
  const sent = {
    route,
    params: Object.fromEntries(
      inPath.map(({ name, example }) => [
        name,
        given.params[name] ??
          returnedParams[name] ??
          (typeof example === 'number' ? example : String(example)),
      ]),
    ),
    query: Object.fromEntries(
      inQuery.flatMap(({ name, required, example }) => (required ? [[name, example]] : [])),
    ),
    body:
      given.bodies[operationId] ??
      returnedBodies[operationId] ??
      requestBody?.content['application/json'].example,
  };
  allSent.set(operationId, sent);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(clientMethod !== undefined && { 'x-client-method': clientMethod }),
    // For clients that retry.
    ...(!isRepeatable && { 'x-repeatable': false }),
    security: securityOf(route),
    parameters: [
      ...inPath,
      ...inQuery,
      ...requestFieldsOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(requestBody && { requestBody }),
    responses: {
      200: answerOf(route, schemas),
      ...(route.method === 'GET' && !route.streams && { 304: responses.notModified() }),
      ...responses.errors(errorsOf(route)),
    },
    'x-codeSamples': samplesOf(sent, given.access ?? placeholderAccess),
  };
}

function securityOf(route: Route): Record<string, string[]>[] {
  const { access } = route;
  if (route.scope === 'operator') return [{ person: ['operator'] }];
  if (access === 'key') return [{ key: scopesOf(route) }, { person: scopesOf(route) }];
  return access === 'session' ? [{ session: [] }] : [];
}

/** Returns the scopes that a caller needs, as OpenAPI names the roles of a security requirement. */
function scopesOf({ scope }: Route): string[] {
  return scope === undefined || scope === 'any' || scope === 'operator' ? [] : [scope];
}

function descriptionOf(route: Route): string | undefined {
  const [scope] = scopesOf(route);
  const ofOperator = route.scope === 'operator' && 'Only for people who have signed in as operators.';
  const needs = scope ? `Needs the scope \`${scope}\`.` : ofOperator;
  return [route.description, needs].filter(Boolean).join('\n\n') || undefined;
}

/** Returns the operation of the document itself. It is not in the route table: its answer has no envelope. */
export function ownOperation(
  { responses }: Pick<Parts, 'responses'>,
  { access = placeholderAccess }: GivenExamples,
) {
  const schema = { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } };
  const own = { operationId: 'getOpenApi', method: 'GET', path: '/openapi.json', access: 'public' } as const;
  return {
    operationId: own.operationId,
    tags: ['System'],
    summary: 'This description',
    security: [],
    parameters: [
      { $ref: '#/components/parameters/If-Match' },
      { $ref: '#/components/parameters/If-None-Match' },
      { $ref: '#/components/parameters/X-Request-Id' },
    ],
    responses: {
      200: {
        description: 'An OpenAPI document.',
        headers: headersOf(['X-Request-Id', 'ETag']),
        content: { 'application/json': { schema, example: { openapi: '3.1.1' } } },
      },
      304: responses.notModified(),
      ...responses.errors([...anyRequestErrors, 'precondition-failed']),
    },
    'x-codeSamples': samplesOf({ route: own, params: {}, query: {}, body: undefined }, access),
  };
}

function parametersOf(
  place: 'path' | 'query',
  schema: Route['params'],
  { describe, components }: Schemas,
  given: GivenExamples,
) {
  if (!schema) return [];
  const { properties = {}, required = [] } = describe(schema, 'input');
  return Object.entries(properties).map(([name, property]) => {
    const { description, [defaultKeyword]: standard, ...schema } = property as JsonSchema;
    // Tools would send the example of a filter.
    delete schema.examples;
    const isRequired = required.includes(name);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description !== undefined && { description }),
      schema: { ...schema, ...(standard !== undefined && { default: standard }) },
      ...(isRequired && { example: given.params[name] ?? exampleOf(property, components) }),
    };
  });
}

function requestFieldsOf(route: Route): (keyof typeof requestFields)[] {
  const { method, idempotencyKey, streams } = route;
  if (streams) return ['X-Request-Id'];
  return [
    ...(idempotencyKey === 'accepted' ? (['Idempotency-Key'] as const) : []),
    ...(takesIfMatch(route) ? (['If-Match'] as const) : []),
    ...(method === 'GET' || method === 'PUT' ? (['If-None-Match'] as const) : []),
    'X-Request-Id',
  ];
}

function requestBodyOf(body: NonNullable<Route['body']>, { describe, components }: Schemas, given: unknown) {
  const schema = describe(body, 'input');
  return {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema, example: given ?? exampleOf(schema, components) } },
  };
}

function answerOf(route: Route, { describe, components }: Schemas) {
  const others = route.streams ?? route.files;
  if (others) {
    const content = Object.entries(others).map(([type, example]) => [
      type,
      { schema: { type: 'string' }, example },
    ]);
    return {
      description: 'The call succeeded.',
      headers: headersOf(answerFieldsOf(route)),
      content: Object.fromEntries(content) as Record<string, { schema: JsonSchema; example: unknown }>,
    };
  }
  const schema = describe(successOf(route.data, route.query), 'output');
  return {
    description: 'The call succeeded.',
    headers: headersOf(answerFieldsOf(route)),
    content: { 'application/json': { schema, example: exampleOf(schema, components) } },
  };
}

// An answer with one row has its version.
function answerFieldsOf(route: Route): ResponseField[] {
  const { method, idempotencyKey, isVersioned = true, streams } = route;
  const isCreated = idempotencyKey === 'accepted';
  const isTagged =
    (method === 'GET' && !streams) || method === 'PATCH' || method === 'PUT' || (isCreated && isVersioned);
  return [
    'X-Request-Id',
    ...(isTagged ? (['ETag'] as const) : []),
    ...(isCreated ? (['Idempotency-Replayed'] as const) : []),
    ...(isCounted(route) ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ];
}
