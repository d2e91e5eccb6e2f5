import { rename, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Answer, type Surface, startSurface } from '../fakes/surface.ts';

const origin = 'https://talk.example';
const host = 'talk.example';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let surface: Surface;

beforeAll(async () => {
  folder = await temporaryFolder('demo');
  file = `${folder.path}/demo.json`;
  const order = {
    botId: known.botId,
    priority: 'High',
    context: [{ key: 'productName', value: "Robin's tea" }],
  };
  const { workspaceId, apiKey, apiSecret, customerId } = known;
  const demo = { workspaceId, apiKey, apiSecret, customerId, offers: { order } };
  await writeFile(file, JSON.stringify(demo));
  surface = await startSurface({ demoFile: file, landingUrl: origin, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await surface[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  surface.call(method, path, { credentials: null, headers: { host, ...headers }, body });
const offer = (body: unknown, headers: Record<string, string> = { origin }): Promise<Answer> =>
  call('POST', '/demo/conversations', headers, body);

test('without its file there is no demo', async () => {
  await using plain = await startSurface();
  for (const path of ['/demo', '/demo/token', '/demo/conversations', '/demo/requests', '/demo/shop.js']) {
    const answer = await plain.call('GET', path, { credentials: null });
    expect(answer.envelope(), path).toMatchObject({ code: 404, type: 'unknown-route' });
  }
});

test('the page has the widget under a strict policy, and all its files exist', async () => {
  const page = await call('GET', '/demo', {});
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  );
  expect(page.text).toContain(`data-workspace="${known.workspaceId}"`);
  const addresses = Array.from(
    page.text.matchAll(/(?:src|href)="(\/[^"]*)"/g),
    ([, address = '']) => address,
  );
  expect(addresses).toEqual(expect.arrayContaining(['/sdk/v1/loader.js', '/demo/shop.js', '/demo/shop.css']));
  for (const path of addresses) expect((await call('GET', path, {})).status, path).toBe(200);
  expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
});

test('under another host name it redirects to the origin that may use the SDK', async () => {
  const answer = await call('GET', '/demo', { host: 'localhost:3000' });
  expect([answer.status, answer.headers['location']]).toEqual([303, `${origin}/demo`]);
});

test('it is unavailable while the run has not written its file', async () => {
  const written = `${file}.written`;
  await rename(file, written);
  const answer = await call('GET', '/demo', {});
  await rename(written, file);
  expect(answer.envelope()).toMatchObject({ code: 503, type: 'unavailable' });
});

test('only its page gets a token of its customer', async () => {
  const answer = await call('GET', '/demo/token', { 'sec-fetch-site': 'same-origin' });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { customerToken: 'jwt' }]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  const asked = surface.services.seen.findLast(({ method }) => method === 'mintCustomerToken');
  expect(asked?.request).toMatchObject({ workspaceId: known.workspaceId, customerId: known.customerId });
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-origin', host: 'evil.example:3000' },
  ];
  for (const headers of foreign) {
    expect((await call('GET', '/demo/token', headers)).envelope()).toMatchObject({ type: 'foreign-origin' });
  }
});

test('only its page gets the request of each button, as a shell command', async () => {
  const answer = await call('GET', '/demo/requests', { 'sec-fetch-site': 'same-origin' });
  expect(answer.headers['cache-control']).toBe('no-store');
  const body = {
    customerId: known.customerId,
    status: 'Pending',
    botId: known.botId,
    priority: 'High',
    context: [{ key: 'productName', value: "Robin's tea" }],
  };
  expect(answer.envelope().data).toEqual({
    order: [
      `curl ${origin}/v1/workspaces/${known.workspaceId}/interactions`,
      `-u ${known.apiKey}:${known.apiSecret}`,
      "-H 'content-type: application/json'",
      `-d '${JSON.stringify(body).replace("'", String.raw`'\''`)}'`,
    ].join(' \\\n  '),
  });
  expect((await call('GET', '/demo/requests', { origin: 'https://evil.example' })).status).toBe(403);
});

test('a button expires what waits and offers a new conversation', async () => {
  surface.services.seen.length = 0;
  const answer = await offer({ offer: 'order' });
  expect(answer.envelope().data).toEqual({
    interactionId: known.interactionId,
    link: `${origin}/interactions/${known.linkToken}`,
  });
  expect(surface.services.seen).toMatchObject([
    { method: 'authenticate' },
    { method: 'listCustomerInteractions' },
    { method: 'updateInteraction', request: { id: known.interactionId, status: 'Expired' } },
    {
      method: 'createInteraction',
      request: { customerId: known.customerId, botId: known.botId, status: 'Pending', priority: 'High' },
    },
  ]);
  const newest = await call('GET', '/demo/conversations', { 'sec-fetch-site': 'same-origin' });
  expect(newest.envelope().data).toMatchObject({ interactionId: known.interactionId, evaluation: null });
});

test('only its own page can press buttons, and only existing ones', async () => {
  const foreign: Record<string, string>[] = [{}, { origin: 'https://evil.example' }, { origin: 'null' }];
  for (const headers of foreign) {
    expect((await offer({ offer: 'order' }, headers)).status).toBe(403);
  }
  for (const body of [{}, { offer: 'constructor' }, { offer: 5 }, { offer: 'order', more: 1 }]) {
    expect((await offer(body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await offer('offer=order', { origin, 'content-type': 'text/plain' })).status).toBe(415);
  expect((await offer({ offer: 'x'.repeat(16 * 1024) })).status).toBe(413);
});

test('the buttons have a limit per address', async () => {
  const press = () => offer({}, { origin, 'x-forwarded-for': '192.0.2.1' });
  const from = performance.now();
  const answers = await Promise.all(Array.from({ length: 120 }, press));
  const refused = answers.filter(({ status }) => status === 429);
  // Sixty at once, and one more with each second that this has taken.
  const taken = answers.length - refused.length;
  expect(taken).toBeGreaterThanOrEqual(60);
  expect(taken).toBeLessThanOrEqual(61 + Math.floor((performance.now() - from) / 1_000));
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});
