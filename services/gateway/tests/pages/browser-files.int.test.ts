import { readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { browserFiles, widgetDist } from '@parley/browser-files/files';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
const dispatcher = new Agent();
const files = browserFiles(widgetDist);
const loader = '/sdk/v1/loader.js';

beforeAll(async () => {
  surface = await startSurface();
});
afterAll(async () => {
  await dispatcher.close();
  await surface[Symbol.asyncDispose]();
});

/** The answer with its body as received. */
async function fetchRaw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await request(surface.url + path, { method, headers, dispatcher });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

test('every file exists, for any page, and is cached for ever if its name has a hash', async () => {
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['loader.js', 'ui.js', 'landing.js']));
  for (const { path, type, isImmutable, content } of files) {
    const { status, headers, body } = await fetchRaw(`/sdk/v1/${path}`);
    expect(status, path).toBe(200);
    expect(body.equals(content), path).toBe(true);
    expect(headers, path).toMatchObject({
      'content-type': type,
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect(headers['set-cookie']).toBeUndefined();
  }
  expect(files.find(({ name }) => name === 'loader.js')).toMatchObject({
    type: 'text/javascript; charset=utf-8',
    isImmutable: false,
  });
});

test('each encoding has the same content and its own tag, and is the smallest that the client accepts', async () => {
  const plain = await fetchRaw(loader);
  const gzip = await fetchRaw(loader, { 'accept-encoding': 'gzip, deflate' });
  const brotli = await fetchRaw(loader, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([
    undefined,
    'gzip',
    'br',
  ]);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  expect(brotli.body.length).toBeLessThan(gzip.body.length);
  expect(new Set([plain, gzip, brotli].map(({ headers }) => headers['etag'])).size).toBe(3);
  for (const refusing of ['br;q=0, gzip', 'identity', 'br;q=0, gzip;q=0']) {
    const { headers } = await fetchRaw(loader, { 'accept-encoding': refusing });
    expect(headers['content-encoding'], refusing).not.toBe('br');
  }
});

test('a client with the newest content gets 304', async () => {
  const coding = { 'accept-encoding': 'br' };
  const tag = String((await fetchRaw(loader, coding)).headers['etag']);
  const again = await fetchRaw(loader, { ...coding, 'if-none-match': tag });
  expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, tag]);
  expect(again.headers).toMatchObject({ vary: 'Accept-Encoding', 'access-control-allow-origin': '*' });
  expect((await fetchRaw(loader, { 'if-none-match': tag })).status).toBe(200);
});

test('a query has no effect, HEAD returns no body, and other methods are rejected', async () => {
  const [plain, queried] = [await fetchRaw(loader), await fetchRaw(`${loader}?v=2`)];
  expect(queried.body.equals(plain.body)).toBe(true);
  const head = await fetchRaw(loader, {}, 'HEAD');
  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(head.headers['content-length']).toBe(String(plain.body.length));
  expect((await fetchRaw(loader, {}, 'POST')).status).toBe(405);
});

test('under the name of another build each file has the current content, uncached', async () => {
  const hashed = files.filter(({ isImmutable }) => isImmutable);
  expect(hashed.map(({ name }) => name).toSorted()).toEqual(['fields.js', 'landing.js', 'ui.js']);
  for (const { path, type, content } of hashed) {
    const former = path.replace(/[A-Z0-9]{8}(?=\.js$)/, 'AAAA2222');
    const { status, headers, body } = await fetchRaw(`/sdk/v1/${former}?1`);
    expect([former, status, headers['content-type']]).toEqual([former, 200, type]);
    expect(body.equals(content)).toBe(true);
    expect(headers).toMatchObject({
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
    });
    const held = { 'if-none-match': String(headers['etag']) };
    expect((await fetchRaw(`/sdk/v1/${former}`, held)).status).toBe(304);
  }
});

test('an unknown file is a 404', async () => {
  const outside = ['', 'nope.js', 'chunks/', 'manifest.json', 'src/loader.ts'];
  const above = ['../package.json', '..%2fpackage.json', '%2e%2e/package.json'];
  const unlike = ['', 'short', 'AAAAAAAAA', 'aaaaaaaa', '..%2fA222'].map((hash) => `chunks/ui-${hash}.js`);
  for (const path of [
    ...outside,
    ...above,
    ...unlike,
    'chunks/ui-AAAAAAAA.css',
    'ui-AAAAAAAA.js',
    'loader-AAAAAAAA.js',
  ]) {
    const { status, body } = await fetchRaw(`/sdk/v1/${path}`);
    expect([path, status, JSON.parse(body.toString())]).toMatchObject([path, 404, { type: 'unknown-route' }]);
  }
});

test('editors of any origin load the JSON Schema of bots, and revalidate it', async () => {
  const address = `${surface.url}/schemas/bot-v1.json`;
  const answer = await fetch(address, { headers: { origin: 'https://editor.example' } });
  expect(answer.status).toBe(200);
  const { headers } = answer;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const file = new URL('../../../../packages/bot/bot-v1.schema.json', import.meta.url);
  expect(await answer.text()).toBe(await readFile(file, 'utf8'));

  const again = await fetch(address, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  const posted = await fetch(address, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
