import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { version } from '../version.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Longer than a test may take. */
const unlimitedMs = '600000';

interface Exported {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: {
      spans: {
        name: string;
        parentSpanId?: string;
        status: { code?: number };
        attributes?: { key: string; value: { stringValue?: string } }[];
      }[];
    }[];
  }[];
}

/** Runs a program with telemetry on, whose exports are answered with the status: what it has exported and written. */
async function exportedBy(work: string, status: number, variables: NodeJS.ProcessEnv = {}) {
  const bodies: string[] = [];
  const keys: unknown[] = [];
  const collector = createServer((request, response) => {
    keys.push(request.headers['api-key']);
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const moduleUrl = (name: string): string => JSON.stringify(resolve(import.meta.dirname, name));
  const program = `
    import { inSpan, inSpans, SpanKind, startTelemetry } from ${moduleUrl('telemetry.ts')};
    import { notFound, unavailable } from ${moduleUrl('../errors.ts')};
    const told = Promise.withResolvers();
    const logger = {
      warn: (fields, message) => told.resolve(console.log(JSON.stringify({ ...fields, message }))),
    };
    const stop = await startTelemetry('test', process.env, logger);
    ${work}
    // Stopping waits for at most a second. The process ends when everything is exported, however slow the machine is.
    await stop();`;
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_EXPORTER_OTLP_TIMEOUT: unlimitedMs,
    OTEL_BSP_EXPORT_TIMEOUT: unlimitedMs,
    ...variables,
  };
  const args = ['--input-type=module', '-e', program];
  const written = await promisify(execFile)(process.execPath, args, { env });
  collector.close();
  const exports = bodies.flatMap((body) => (JSON.parse(body) as Exported).resourceSpans);
  const spans = exports.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const attributes = exports.flatMap(({ resource }) => resource.attributes);
  const resource = new Map(attributes.map(({ key, value }) => [key, value.stringValue]));
  return { ...written, spans, resource, keys };
}

test.concurrent('a span starts a trace only where allowed, and only our own faults mark a call as failed', async () => {
  const { spans } = await exportedBy(
    `
    const kind = SpanKind.CLIENT;
    const ways = [['succeeds', undefined], ['is refused', notFound()], ['is away', unavailable('x')], ['breaks', new Error('x')]];
    for (const [way, error] of ways) {
      const work = async () => { if (error) throw error; };
      for (const asRoot of [undefined, 'always', 'recorded', 'failed', 'never']) {
        await inSpan(asRoot + ' ' + way, { kind, asRoot }, work).catch(() => {});
        await inSpan(asRoot + ' as child ' + way, { kind, asRoot, parent: '${traceparent}' }, work).catch(() => {});
      }
    }
    const refuse = async () => { throw notFound(); };
    await inSpan('work of ours', {}, refuse).catch(() => {});
    await inSpans('work on several', [{ kind, parent: '${traceparent}' }], refuse).catch(() => {});`,
    200,
  );
  const ofWay = (way: string, mark: string): string[] => [
    ...['undefined', 'always', 'recorded', ...(mark === 'error' ? ['failed'] : [])].map(
      (root) => `${root} ${way}: ${mark}`,
    ),
    ...['undefined', 'always', 'recorded', 'failed', 'never'].map(
      (root) => `${root} as child ${way}: ${mark}`,
    ),
  ];
  const expected = [
    ...ofWay('succeeds', 'none'),
    ...ofWay('is refused', 'none'),
    ...ofWay('is away', 'error'),
    ...ofWay('breaks', 'error'),
    'work of ours: error',
    'work on several: error',
  ];
  const marked = spans.map(({ name, status }) => `${name}: ${status.code === 2 ? 'error' : 'none'}`);
  expect(marked.toSorted()).toEqual(expected.toSorted());
  for (const { name, parentSpanId } of spans) {
    expect([name, parentSpanId !== undefined]).toEqual([name, /child|on several/.test(name)]);
  }
});

test.concurrent('spans name the service, its version and its host without a machine id, which containers lack', async () => {
  const { resource, stdout, stderr } = await exportedBy(`await inSpan('one', {}, async () => {});`, 200);
  expect(resource.get('service.name')).toBe('parley-test');
  expect(resource.get('service.version')).toBe(version);
  expect(resource.get('host.name')).toBe(hostname());
  expect(resource.get('service.instance.id')).toBeTruthy();
  expect(resource.has('host.id')).toBe(false);
  expect(stdout + stderr).toBe('');
});

test.concurrent('header fields of the exports can be a file', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'telemetry-'));
  const path = join(folder.path, 'headers');
  await writeFile(path, 'api-key=of-a-file\n');
  const { keys } = await exportedBy(`await inSpan('one', {}, async () => {});`, 200, {
    OTEL_EXPORTER_OTLP_HEADERS_FILE: path,
  });
  expect(new Set(keys)).toEqual(new Set(['of-a-file']));
});

test.concurrent('spans have the ids of their parent in the same process, and those that are added to it', async () => {
  const { spans } = await exportedBy(
    `
    const { addSpanIds, idAttributes, idsOf } = await import(${JSON.stringify(resolve(import.meta.dirname, 'span-ids.ts'))});
    const attributes = { ...idAttributes({ requestId: 'r1' }), other: 'x' };
    const workspaceId = '019aa5d8-0000-7000-8000-000000000001';
    await inSpan('request', { kind: SpanKind.SERVER, attributes }, async () => {
      await inSpan('before', {}, async () => {});
      addSpanIds(idsOf({ session: { workspaceId }, interactionId: 'ada@example.com' }));
      await inSpan('after', {}, () => inSpan('inside', { attributes: idAttributes({ requestId: 'r2' }) }, async () => {}));
      await inSpan('elsewhere', { parent: '${traceparent}' }, async () => {});
    });`,
    200,
  );
  const seen = spans.map(({ name, attributes = [] }) => [
    name,
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue])),
  ]);
  const workspace = { 'parley.workspace.id': '019aa5d8-0000-7000-8000-000000000001' };
  const request = { 'parley.request.id': 'r1' };
  expect(Object.fromEntries(seen)).toEqual({
    request: { ...workspace, ...request, other: 'x' },
    before: request,
    after: { ...workspace, ...request },
    inside: { ...workspace, 'parley.request.id': 'r2' },
    elsewhere: {},
  });
});

test.concurrent('an exporter that cannot send causes one log warning, and nothing else is written', async () => {
  // What exports at intervals lets the process end.
  const work = `const staying = setInterval(() => {}, 1_000);
    await inSpan('one', {}, async () => {});
    await told.promise;
    clearInterval(staying);`;
  const { stdout, stderr } = await exportedBy(work, 400, {
    OTEL_LOG_LEVEL: 'debug',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { reason: string });
  expect(lines).toEqual([expect.objectContaining({ message: 'telemetry has a fault', leftOut: 0 })]);
  expect(lines[0]?.reason).toContain('400');
  expect(stderr).toBe('');
});
