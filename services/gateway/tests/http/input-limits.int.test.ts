import { afterAll, beforeAll, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { knownDeliveries } from '../fakes/deliveries.ts';
import { type Answer, startSurface, type Surface } from '../fakes/surface.ts';

// Tests the size limits in the API's description: a value at the limit is accepted, a larger one is rejected with its
// name.

interface Schema {
  $ref?: string;
  type?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters: { $ref?: string; name: string; in: string; schema: Schema; example?: string }[];
  requestBody?: { content: { 'application/json': { schema: Schema; example: Record<string, unknown> } } };
}

interface Description {
  'x-limits': Record<
    'bodyBytesMax' | 'bodyValuesMax' | 'publicBodyValuesMax' | 'depthMax' | 'headerBytesMax',
    number
  >;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { schema: Schema }> };
}

const stack = new AsyncDisposableStack();
let surface: Surface;
let description: Description;
let session: string;

beforeAll(async () => {
  surface = stack.use(await startSurface());
  description = (await (await fetch(`${surface.url}/openapi.json`)).json()) as Description;
  const begun = await surface.call('POST', `/public/v1/workspaces/${known.workspaceId}/sessions`, {
    credentials: null,
    body: { customerToken: known.customerToken },
  });
  session = `Bearer ${(begun.envelope().data as { sessionToken: string }).sessionToken}`;
});
afterAll(() => stack.disposeAsync());

type Key = string | number;

interface Limit {
  at: Key[];
  /** Returns the largest and the smallest value that the description allows, and the values just outside. */
  inside: unknown[];
  outside: unknown[];
}

const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

/** Returns a text of this many code points in the form of its field. */
function textOf(length: number, field: Key | undefined): string {
  if (field === 'url') return `https://x.example/${'y'.repeat(length)}`.slice(0, length);
  if (field === 'logo') return `data:image/jpeg;base64,${'A'.repeat(length)}`.slice(0, length);
  // A key and a value, in a list.
  if (typeof field === 'number') return 'k:'.padEnd(length, 'v').slice(0, length);
  // Its limit is in bytes.
  if (field === 'value') return 'v'.repeat(length);
  if (field !== 'email' || length === 0) return '😀'.repeat(length);
  const label = 'd'.repeat(63);
  return `${'l'.repeat(64)}@${label}.${label}.${label}.${label}`.slice(0, length - 4).concat('.com');
}

/** Every limit inside a schema. */
function limitsOf(given: Schema, at: Key[] = []): Limit[] {
  const schema = resolve(given);
  const { minLength, maxLength, minimum, maximum, maxItems, properties = {}, items, anyOf = [] } = schema;
  const field = at.at(-1);
  const inside: unknown[] = [];
  const outside: unknown[] = [];
  if (maxLength !== undefined) {
    if (!(field === 'email' && maxLength > 300)) inside.push(textOf(maxLength, field));
    outside.push(textOf(maxLength + 1, field));
  }
  if (minLength !== undefined && field !== 'url') {
    // No address is as short as its limit.
    if (field !== 'email' || minLength === 0) inside.push(textOf(minLength, field));
    if (minLength > 0) outside.push(textOf(minLength - 1, field));
  }
  if (minimum !== undefined) outside.push(minimum - 1);
  if (minimum !== undefined) inside.push(minimum);
  if (maximum !== undefined) inside.push(maximum);
  if (maximum !== undefined) outside.push(maximum + 1);
  if (maxItems !== undefined) {
    const { enum: choices } = items ? resolve(items) : {};
    const entry = (n: number) => choices?.[n % choices.length] ?? { key: `k${n}`, value: '' };
    inside.push(Array.from({ length: maxItems }, (_, n) => entry(n)));
    outside.push(Array.from({ length: maxItems + 1 }, (_, n) => entry(n)));
  }
  const own = inside.length + outside.length > 0 ? [{ at, inside, outside }] : [];
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, inner]) => limitsOf(inner, [...at, name])),
    ...anyOf.flatMap((inner) => limitsOf(inner, at)),
    ...(items ? limitsOf(items, [...at, 0]) : []),
  ];
}

/** Returns a copy with another value in one place. */
function withValue(body: unknown, [key, ...rest]: Key[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const [first = { key: 'k', value: 'v' }] = (body as unknown[] | undefined) ?? [];
    return [withValue(first, rest, value)];
  }
  // A conversation's answer has exactly one of the forms.
  const base = key === 'text' ? {} : (body as Record<string, unknown> | undefined);
  return { ...base, [key]: withValue(base?.[key], rest, value) };
}

function operations(): { method: string; path: string; operation: Operation }[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function urlOf(path: string, change: Record<string, string> = {}): string {
  const names: Record<string, string> = { ...known, ...knownDeliveries, ...change };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
}

function credentialsOf({ security }: Operation): { credentials?: string | null } {
  if (security.length === 0) return { credentials: null };
  return security.some((one) => 'session' in one) ? { credentials: session } : {};
}

/** Returns the query with a parameter, which is repeated for a list of keys and values. */
function queryOf(name: string, value: unknown): string {
  const texts = [value].flat().map((one: unknown) => {
    if (typeof one !== 'object' || one === null) return String(one);
    return Object.values(one).join(':');
  });
  return `?${texts.map((text) => `${name}=${encodeURIComponent(text)}`).join('&')}`;
}

/** Returns the error of an answer. For a place in the only item of a bulk call, returns the item's error. */
function errorOf({ code, type, errors, data }: ReturnType<Answer['envelope']>, pointer: string) {
  const [, at] = /^(\/interactions\/0)\//.exec(pointer) ?? [];
  if (at === undefined || code !== 200)
    return { code, type, pointers: errors?.map((fault) => fault.pointer) };
  const [item] = data as { error?: ReturnType<Answer['envelope']> }[];
  const pointers = item?.error?.errors?.map((fault) => at + fault.pointer);
  return { code: item?.error?.code, type: item?.error?.type, pointers };
}

/** Webhooks of the workspace (tests/people/portal.e2e.test.ts), and origins (settings.browser.test.ts). */
const checkedElsewhere = new Set([
  'createPortalLink /webhookIds',
  'setAllowedDomains /allowedDomains',
  'createOpenLink /contextKeys',
  'updateOpenLink /contextKeys',
]);

test('every field of every body', async () => {
  let checked = 0;
  for (const { method, path, operation } of operations()) {
    const content = operation.requestBody?.content['application/json'];
    // A definition of a bot has its own checks, in the interaction service.
    if (!content || ['createBot', 'publishBotVersion'].includes(operation.operationId)) continue;
    const send = async (limit: Limit, value: unknown) =>
      surface.call(method, urlOf(path), {
        ...credentialsOf(operation),
        ...(method === 'PUT' && { headers: { 'if-none-match': '*' } }),
        body: withValue(content.example, limit.at, value),
      });
    for (const limit of limitsOf(content.schema)) {
      const pointer = `/${limit.at.join('/')}`;
      const name = `${operation.operationId} ${pointer}`;
      for (const value of limit.outside) {
        const { code, type, pointers } = errorOf((await send(limit, value)).envelope(), pointer);
        expect([name, code, type, pointers]).toEqual([name, 400, 'invalid-request', [pointer]]);
        checked += 1;
      }
      const inside = checkedElsewhere.has(name) ? [] : limit.inside;
      for (const value of inside) {
        const { code, pointers } = errorOf((await send(limit, value)).envelope(), pointer);
        expect([name, code === 400, pointers]).toEqual([name, false, undefined]);
        checked += 1;
      }
    }
  }
  expect(checked).toBeGreaterThan(40);
});

/** What some parameters need beside them. */
const neededBeside: Record<string, string> = {
  stoppedAt: '&botKey=nps',
  botVersion: '&botKey=nps&stoppedAt=score',
};

test('every parameter of every path and query, and the Idempotency-Key', async () => {
  let checked = 0;
  for (const { method, path, operation } of operations()) {
    const { parameters, requestBody } = operation;
    const body = requestBody?.content['application/json'].example;
    const options = { ...credentialsOf(operation), ...(body && { body }) };
    // The longest list of ids exceeds the header fields: tests/customers/customer-list.e2e.test.ts.
    for (const { name, in: place, schema } of parameters.filter(
      ({ $ref, name }) => !$ref && name !== 'ids',
    )) {
      for (const { at, inside, outside } of limitsOf(schema, [name])) {
        for (const value of place === 'query' ? inside : []) {
          // A wait takes as long as stated, and a cursor is the text of an earlier page.
          if (name === 'wait' || name === 'cursor') continue;
          const query = queryOf(name, value) + (neededBeside[name] ?? '');
          const answer = await surface.call(method, urlOf(path) + query, options);
          expect([path, name, value, answer.status]).toEqual([path, name, value, 200]);
          checked += 1;
        }
        for (const value of outside) {
          if (place === 'path' && value === '') continue;
          const url =
            place === 'query' ? urlOf(path) + queryOf(name, value) : urlOf(path, { [name]: String(value) });
          const answer = await surface.call(method, url, options);
          const { code, errors } = answer.envelope();
          if (place === 'path') expect([path, name, code]).toEqual([path, name, 404]);
          else expect([path, name, code]).toEqual([path, name, 400]);
          if (place === 'query') expect(errors?.[0]?.pointer).toBe(`/query/${at.join('/')}`);
          checked += 1;
        }
      }
    }
    const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
    const { maxLength = 0 } = description.components.parameters['Idempotency-Key']?.schema ?? {};
    for (const length of takesKey ? [maxLength, maxLength + 1, 0] : []) {
      const headers = { 'idempotency-key': 'k'.repeat(length) };
      const { code, errors } = (await surface.call(method, urlOf(path), { ...options, headers })).envelope();
      const isTaken = length === maxLength;
      expect([path, length, code, errors?.[0]?.pointer]).toEqual(
        isTaken ? [path, length, 200, undefined] : [path, length, 400, '/headers/idempotency-key'],
      );
    }
  }
  expect(checked).toBeGreaterThan(25);
});

test('the size of a body, its depth and values, and the size of the header fields', async () => {
  const { bodyBytesMax, bodyValuesMax, publicBodyValuesMax, depthMax, headerBytesMax } =
    description['x-limits'];
  const path = `/v1/workspaces/${known.workspaceId}/customers`;
  const post = async (body: string) => surface.call('POST', path, { body });
  const customer = '{"id":"c"}';
  expect((await post(customer.padEnd(bodyBytesMax))).status).toBe(200);
  expect((await post(customer.padEnd(bodyBytesMax + 1))).status).toBe(413);

  // The body itself is the first level.
  const nested = (depth: number): string => `{"id":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect((await post(nested(depthMax))).envelope()).toMatchObject({ errors: [{ pointer: '/id' }] });
  expect((await post(nested(depthMax + 1))).envelope()).toMatchObject({ code: 400 });

  // The object, its member and the elements.
  const listed = (values: number): string => `{"id":[${Array.from({ length: values - 2 }, () => 1).join()}]}`;
  expect((await post(listed(bodyValuesMax))).envelope()).toMatchObject({ errors: [{ pointer: '/id' }] });
  const tooMany = [{ pointer: '', detail: expect.stringContaining(`more than ${bodyValuesMax} values`) }];
  expect((await post(listed(bodyValuesMax + 1))).envelope()).toMatchObject({ code: 400, errors: tooMany });
  const begin = async (body: string) =>
    surface.call('POST', '/public/v1/link-sessions', { credentials: null, body });
  expect((await begin(listed(publicBodyValuesMax))).envelope()).toMatchObject({ type: 'invalid-request' });
  expect((await begin(listed(publicBodyValuesMax + 1))).envelope()).toMatchObject({ type: 'malformed-json' });

  const read = async (bytes: number) =>
    (await surface.call('GET', path, { headers: { 'x-padding': 'x'.repeat(bytes) } })).status;
  expect(await read(headerBytesMax - 1024)).toBe(200);
  expect(await read(headerBytesMax)).toBe(431);
});
