import { expect, test } from 'vitest';
import type { z } from 'zod';
import { failureBody, successOf } from '../http/answer/envelope.ts';
import { isCounted, type Route } from '../http/server/route.ts';
import { routes } from '../routes.ts';
import { describeApi } from './document.ts';
import { withoutKey } from './given-examples.ts';
import type { CodeSample } from './samples.ts';

const limits = {
  callsPerSecond: 200,
  callsBurst: 400,
  sessionsPerMinute: 60,
  pendingPerMinute: 12,
  conversationCallsPerMinute: 120,
  messagesPerMinute: 30,
  workspaceLookupsPerMinute: 600,
  signInsPerMinute: 300,
  authFailuresPerMinute: 100,
  startsPerAddressPerMinute: 10,
  startsPerLinkPerMinute: 600,
};
const document = await describeApi(routes, limits);

interface Described {
  security: unknown;
  description?: string;
  parameters: { in?: string; name?: string; example?: unknown }[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
  'x-codeSamples': CodeSample[];
  responses: Record<string, { content: { 'application/json': { example: unknown } } }>;
}

const operations = routes.map((route): [string, Route, Described] => {
  const item = document.paths[route.path] as Record<string, Described>;
  const described = item[route.method.toLowerCase()];
  if (!described) throw new Error(`${route.operationId} is not described`);
  return [route.operationId, route, described];
});

const faultsOf = (schema: z.ZodType | undefined, value: unknown): unknown =>
  schema?.safeParse(value).error?.issues;

test('the document is always the same, byte by byte', async () => {
  expect(JSON.stringify(await describeApi(routes, limits))).toBe(JSON.stringify(document));
});

test.each(operations)('the examples of %s match the schemas of its requests', (_id, route, described) => {
  const { parameters, requestBody, responses } = described;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const params = Object.fromEntries(inPath.map(({ name = '', example }) => [name, example]));
  expect(faultsOf(route.params, params)).toBeUndefined();
  expect(requestBody === undefined).toBe(route.body === undefined);
  if (requestBody) {
    expect(faultsOf(route.body, requestBody.content['application/json'].example)).toBeUndefined();
  }
  const content: Record<string, { example?: unknown }> = responses['200']?.content ?? {};
  expect(Object.keys(content)).toEqual(
    Object.keys(route.streams ?? route.files ?? { 'application/json': '' }),
  );
  // The example of a stream or file is text.
  if (route.streams || route.files) return;
  const answer = content['application/json']?.example;
  expect(faultsOf(successOf(route.data, route.query), answer)).toBeUndefined();
});

test('names of operations are unique, and a route lists only errors that do not follow from its other fields', () => {
  expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
  for (const { operationId, errors = [] } of routes) {
    expect(new Set(errors).size, operationId).toBe(errors.length);
  }
});

test('the scope of an operation is in its security and its text', () => {
  for (const [id, { access, scope }, { security, description = '' }] of operations) {
    if (access !== 'key') continue;
    const needed = scope === 'any' ? [] : [scope];
    const isOfOperator = scope === 'operator';
    expect([id, security]).toEqual([
      id,
      isOfOperator ? [{ person: needed }] : [{ key: needed }, { person: needed }],
    ]);
    const needsScope = scope !== 'any' && !isOfOperator;
    expect([id, description.endsWith(`Needs the scope \`${scope}\`.`)]).toEqual([id, needsScope]);
    expect([id, description.endsWith('signed in as operators.')]).toEqual([id, isOfOperator]);
  }
});

test('every operation except the health checks has a limit', () => {
  const unlimited = routes.filter((one) => !isCounted(one) && one.tag !== 'System');
  expect(unlimited.map(({ operationId }) => operationId)).toEqual([]);
});

test('given examples replace made-up ones', async () => {
  const body = { status: 'Expired' };
  const access = { baseUrl: 'http://here.example', apiKey: 'key-1', apiSecret: 'secret-1' };
  const given = { access, note: 'Here.', params: { botId: 'b' }, bodies: { updateInteraction: body } };
  const text = JSON.stringify((await describeApi(routes, limits, given)).paths);
  expect(text).toContain('"name":"botId","in":"path","required":true,"description":"The id of the bot"');
  expect(text.split('"example":"b"')).toHaveLength(18);
  expect(text).toContain("curl 'http://here.example/v1/workspaces' \\\\\\n  --user 'key-1:secret-1'");
  expect(text).toContain(`"example":${JSON.stringify(body)}`);
  expect(JSON.stringify(await describeApi(routes, limits, withoutKey(given)))).not.toMatch(/key-1|secret-1/);
});

test('every operation has a sample in curl, and in TypeScript, Python and Go, which use the SDKs', () => {
  for (const [id, { access, path, scope, streams, clientMethod }, described] of operations) {
    const [shell, typescript, ...others] = described['x-codeSamples'];
    const hasSdks = clientMethod !== undefined && scope !== 'operator';
    const languages = ['Shell', 'TypeScript', ...(hasSdks ? ['Python', 'Go'] : [])];
    expect(
      [shell, typescript, ...others].map((one) => one?.lang),
      id,
    ).toEqual(languages);
    expect(typescript?.source.includes("from '@parley/client"), `${id} ${path}`).toBe(access !== 'public');
    expect(typescript?.source.includes('for await'), id).toBe(streams !== undefined);
  }
});

test('samples have placeholders for ids that other calls return', () => {
  const samples = operations.flatMap(([, , described]) => described['x-codeSamples']);
  const ids = samples.filter(({ source }) =>
    /\/webhooks\/(?!WEBHOOK_ID|portal-links)|webhooks\.\w+\('(?!WEBHOOK_ID)/.test(source),
  );
  expect(ids).toEqual([]);
  const text = samples.map(({ source }) => source).join('\n');
  expect(text).toContain('/webhooks/WEBHOOK_ID/deliveries/DELIVERY_ID/retry');
  expect(text).toContain('/webhooks/WEBHOOK_ID/recoveries/RECOVERY_ID');
  expect(text).toContain('"customerToken": "CUSTOMER_TOKEN"');
  expect(text).toContain("parley.createSession('");
  expect(text).toContain("{ customerToken: 'CUSTOMER_TOKEN' });");
});

test('the example of every error is an envelope with its status', () => {
  for (const [type, { value }] of Object.entries(document.components.examples)) {
    const { success, data: failure } = failureBody.safeParse(value);
    expect(success, type).toBe(true);
    expect(failure?.type).toBe(type);
  }
});

test('the limits are stated', () => {
  expect(document['x-limits']).toEqual({
    bodyBytesMax: 262_144,
    publicBodyBytesMax: 16_384,
    bodyValuesMax: 10_000,
    publicBodyValuesMax: 1_000,
    depthMax: 64,
    headerBytesMax: 16_384,
    ...limits,
  });
});
