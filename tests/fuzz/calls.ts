import fc from 'fast-check';
import { bodies } from './bodies.ts';
import type { JsonSchema, Operation, Surface } from './document.ts';
import { type Known, mostly, oddText, valuesOf } from './values.ts';
import type { World } from './world.ts';

export interface WireCall {
  operationId: string;
  method: string;
  path: string;
  bytes: Buffer;
}

type Field = [name: string, value: string];

// After these few objects are left for calls.
const destructive = new Set([
  'anonymiseCustomer',
  'deleteCustomer',
  'deleteInteraction',
  'deleteTestInteractions',
  'deleteWebhook',
]);

/** Calls of all operations: most are valid, the others have one fault or several. */
export function callsOf(surface: Surface, world: World, host: string): fc.Arbitrary<WireCall> {
  return fc.oneof(
    ...surface.operations.map((operation) => ({
      weight: destructive.has(operation.id) ? 1 : 10,
      arbitrary: callOf(surface, operation, world, host),
    })),
  );
}

function callOf(surface: Surface, operation: Operation, world: World, host: string): fc.Arbitrary<WireCall> {
  const { known } = world;
  const parts = fc.record({
    method: methods(operation),
    path: paths(surface, operation, known),
    query: queries(surface, operation, known),
    fields: headers(surface, operation, world),
    body: operation.body ? bodies(surface, operation.body, known) : straySometimes,
    isChunked: fc.nat(9).map((one) => one === 0),
  });
  return parts.map(({ method, path, query, fields, body, isChunked }) => {
    const target = query === '' ? path : `${path}?${query}`;
    const head = [
      `${method} ${target} HTTP/1.1`,
      `Host: ${host}`,
      ...fields.map(([name, value]) => `${name}: ${value}`),
    ];
    const framed = body && framing(body, isChunked);
    if (framed) head.push(framed.field);
    const bytes = Buffer.concat([
      Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
      framed?.bytes ?? Buffer.alloc(0),
    ]);
    return { operationId: operation.id, method, path: target, bytes };
  });
}

function framing(body: Buffer, isChunked: boolean): { field: string; bytes: Buffer } {
  if (!isChunked) return { field: `Content-Length: ${body.length}`, bytes: body };
  const chunk = (part: Buffer): Buffer =>
    part.length === 0
      ? part
      : Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  const half = body.length >> 1;
  const chunks = [chunk(body.subarray(0, half)), chunk(body.subarray(half)), Buffer.from('0\r\n\r\n')];
  return { field: 'Transfer-Encoding: chunked', bytes: Buffer.concat(chunks) };
}

function methods({ method }: Operation): fc.Arbitrary<string> {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
  return mostly(fc.constant(method), fc.constantFrom(...others));
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

// As an encoding client writes it, and as one that does not encode may send it.
function inUrl(value: unknown): fc.Arbitrary<string> {
  const text = plain(value);
  const encoded = encodeURIComponent(text.toWellFormed());
  const raw = Buffer.from(text.toWellFormed())
    .toString('latin1')
    .replaceAll(/[^\x21-\xff]|[?#]/g, '')
    .slice(0, 500);
  return mostly(
    fc.constant(encoded),
    fc.constantFrom(raw, `${encoded}%`, `${encoded}%zz`, `${encoded}%ff`, `%c0%af${encoded}`),
  );
}

function paths(surface: Surface, { path, parameters }: Operation, known: Known): fc.Arbitrary<string> {
  const steps = path.split(/(\{\w+\})/).map((step) => {
    const parameter = parameters.find(({ name }) => step === `{${name}}`);
    if (!parameter) return fc.constant(step);
    return valuesOf(parameter.schema, surface, known, parameter.name).chain(inUrl);
  });
  const whole = fc.tuple(...steps).map((parts) => parts.join(''));
  const bent = whole.chain((text) =>
    fc.constantFrom(
      `${text}/`,
      `/${text}`,
      text.toUpperCase(),
      `${text}/..`,
      `${text}%2f`,
      `${text};a=b`,
      `${text}//x`,
    ),
  );
  return mostly(whole, bent, 60);
}

function queries(surface: Surface, { parameters }: Operation, known: Known): fc.Arbitrary<string> {
  const own = parameters.filter((one) => one.in === 'query');
  const pairs = own.map(({ name, schema }) =>
    fc.option(
      valuesOf(schema, surface, known, name)
        .chain(inUrl)
        .map((value) => `${name}=${value}`),
      { nil: '' },
    ),
  );
  const stray = fc.constantFrom(
    '',
    '',
    '',
    'x=1',
    'page=1&page=2',
    '&&==&',
    'page[]=1',
    '__proto__=1',
    '%',
    `q=${'x'.repeat(4_000)}`,
  );
  return fc.tuple(...pairs, mostly(fc.constant(''), stray, 10)).map((all) => all.filter(Boolean).join('&'));
}

function headers(surface: Surface, operation: Operation, world: World): fc.Arbitrary<Field[]> {
  const { authorizations, known } = world;
  // A rotated key is useless, so later calls use the first one.
  const key = operation.id === 'rotateApiKeySecret' ? authorizations.other : authorizations.key;
  const right = { key, session: authorizations.session, public: undefined }[operation.access];
  const wrong = [
    authorizations.other,
    'Basic !!!',
    'Basic Og==',
    'Bearer e30.e30.',
    'Digest x',
    `Basic ${'A'.repeat(2_000)}`,
  ];
  const authorized = (value: string): Field[] => [['Authorization', value]];
  const authorization = mostly<Field[]>(
    fc.constant<Field[]>(right === undefined ? [] : authorized(right)),
    fc.oneof(
      fc.constant<Field[]>([]),
      fc.constantFrom(...wrong).map(authorized),
      fc.constant<Field[]>([...authorized(right ?? ''), ...authorized('Basic x')]),
    ),
  );
  const own = operation.parameters
    .filter((one) => one.in === 'header')
    .map(({ name, schema }) => sometimes(name, mostly(headerTexts(surface, schema, known), oddHeader, 8)));
  const typed = (value: string): Field[] => [['Content-Type', value]];
  const type = operation.body
    ? mostly(fc.constant('application/json'), fc.constantFrom(...types)).map(typed)
    : fc.constant<Field[]>([]);
  const stray = sometimes('X-Odd', oddHeader);
  const several = [
    ['Accept', ['*/*', 'application/json', 'text/html', 'application/json;q=0', ';;,', '*']],
    ['Content-Encoding', ['identity', 'gzip', 'br', 'x']],
    ['Origin', ['https://evil.example', 'null', '']],
    ['Expect', ['100-continue', 'x']],
    ['X-HTTP-Method-Override', ['DELETE']],
    ['Traceparent', ['00-0-0-0', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']],
    ['Idempotency-Key', ['k', '']],
    ['Range', ['bytes=0-1']],
    ['Upgrade', ['h2c']],
    ['X-Forwarded-For', ['127.0.0.1, ::1']],
  ] as const;
  const rare = fc.oneof(
    ...several.map(([name, values]) => fc.constantFrom(...values).map((value): Field[] => [[name, value]])),
  );
  return fc
    .tuple(authorization, type, stray, mostly(fc.constant<Field[]>([]), rare, 8), ...own)
    .map((all) => all.flat());
}

const types = [
  'application/json; charset=UTF-8',
  'application/merge-patch+json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'json',
  '',
];

function sometimes(name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Field[]> {
  return mostly(
    fc.constant<Field[]>([]),
    values.map((value): Field[] => [[name, value]]),
    5,
  );
}

// No control characters: the tests with raw sockets send them.
const oddHeader = oddText.map((text) =>
  Buffer.from(text.toWellFormed())
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e\x80-\xff]/g, ''),
);

function headerTexts(surface: Surface, schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  return valuesOf(schema, surface, known).map((value) =>
    plain(value)
      .replaceAll(/[^\x20-\x7e]/g, '')
      .slice(0, 2_000),
  );
}

const straySometimes = mostly(
  fc.constant<Buffer | undefined>(undefined),
  fc.constantFrom(Buffer.from('{}'), Buffer.from('{'), Buffer.alloc(300_000, ' ')),
  40,
);
