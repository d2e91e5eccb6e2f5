import { setImmediate } from 'node:timers/promises';
import { type ApiDocument, type Described, readApi } from '@parley/sdk-generator/api';
import { flatten } from '@parley/sdk-generator/flat';
import type { Route } from '../http/server/route.ts';
import { bodyBytesMax, publicBodyBytesMax, publicBodyValuesMax } from '../http/request/body.ts';
import { failure } from '../http/answer/envelope.ts';
import { depthMax, jsonValuesMax } from '@parley/runtime/json/json';
import { headerBytesMax } from '../http/server/http-server.ts';
import { sessionSeconds } from '../auth/session.ts';
import { errorTypes } from './error-types.ts';
import { requestFields, responseFields } from './fields.ts';
import { type GivenExamples, noExamples } from './given-examples.ts';
import { introduction, type Limits } from './introduction.ts';
import { createSchemas } from './json-schema.ts';
import { operationOf, ownOperation } from './operation.ts';
import { goSample } from './go-sample.ts';
import { pythonSample } from './python-sample.ts';
import { createResponses } from './responses.ts';
import { errorsOf } from './route-errors.ts';
import { type CodeSample, placeholderAccess, type SampleAccess, type SampleRequest } from './samples.ts';
import { tags } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

const securitySchemes = {
  key: { type: 'http', scheme: 'basic', description: 'API key and secret.' },
  person: {
    type: 'apiKey',
    in: 'cookie',
    name: 'parley-session',
    description:
      'The session of a person who has signed in to the console. Where the site is https, the cookie is ' +
      '`__Host-parley-session`. A call needs `Sec-Fetch-Site: same-origin`, or a matching `Origin`, and ' +
      '`x-parley-console: 1`.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `A session token, which lives ${sessionSeconds / 60} minutes.`,
  },
};

/**
 * Returns the OpenAPI 3.1 document of the API, made from the schemas that parse requests. Equal arguments give equal
 * bytes. Other work goes on between its operations: all of them take most of a second.
 */
export async function describeApi(routes: Route[], limits: Limits, given: GivenExamples = noExamples) {
  const schemas = createSchemas();
  const responses = createResponses(schemas);
  const sent = new Map<string, SampleRequest>();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, { schemas, responses, sent }, given);
    await setImmediate();
  }
  paths['/openapi.json'] = { get: ownOperation({ responses }, given) };
  const webhooks = webhooksOf(schemas);
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: '1.0.0',
      summary: 'Customers, bots, interactions and webhooks.',
      description: introduction(limits),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document comes from' }],
    'x-limits': {
      bodyBytesMax,
      publicBodyBytesMax,
      bodyValuesMax: jsonValuesMax,
      publicBodyValuesMax,
      depthMax,
      headerBytesMax,
      ...limits,
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: requestFields,
      headers: responseFields,
      schemas: inOrder(schemas.components),
      responses: inOrder(responses.components),
      examples: errorExamples(routes),
    },
  };
  await addSdkSamples(document, sent, given.access ?? placeholderAccess);
  return document;
}

/** The names of these SDKs come from the whole document, so their samples are added last. */
async function addSdkSamples(
  document: object,
  sent: Map<string, SampleRequest>,
  access: SampleAccess,
): Promise<void> {
  const described = document as ApiDocument;
  const api = flatten(readApi(described));
  for (const one of Object.values(described.paths).flatMap((item) => Object.values(item))) {
    const operation = api.operations.find(({ id }) => id === one.operationId);
    const request = sent.get(one.operationId);
    // Only people who have signed in are operators, and they have a browser.
    if (!operation || !request || request.route.scope === 'operator') continue;
    (one as Described & { 'x-codeSamples': CodeSample[] })['x-codeSamples'].push(
      { lang: 'Python', label: 'Python', source: pythonSample(api, operation, request, access) },
      { lang: 'Go', label: 'Go', source: goSample(api, operation, request, access) },
    );
    await setImmediate();
  }
}

function inOrder<Value>(components: Map<string, Value>): Record<string, Value> {
  return Object.fromEntries(Array.from(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function errorExamples(routes: Route[]) {
  const types = new Set(routes.flatMap(errorsOf));
  return Object.fromEntries(
    Array.from(types, (type) => {
      const { when, ...error } = errorTypes[type];
      const value = failure({ ...error, type }, '3f1c9a52-8d0b-4c6e-9a57-2b1de7f04c11');
      return [type, { summary: when, value }];
    }),
  );
}
