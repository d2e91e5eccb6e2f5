import { randomUUID } from 'node:crypto';
import { browserFiles, consoleDist } from '@parley/browser-files/files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const files = browserFiles(consoleDist);

test.each([
  '/console',
  '/console/w/019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b/interactions',
  '/console/no/such/screen',
])('%s is the page of the console, which no cache stores and no site frames', async (path) => {
  const page = await fetch(surface.url + path);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const policy = page.headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]),
  );
  expect(policy.join()).not.toContain('unsafe');
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=/);
  const loaded = Array.from(
    html.matchAll(/(?:src|href)="(\/console\/files\/[^"]+)"/g),
    ([, one = '']) => one,
  );
  expect(loaded.length).toBe(files.filter(({ isFirst }) => isFirst).length);
  for (const one of loaded) {
    const file = await fetch(surface.url + one);
    expect([file.status, file.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('a file of another build does not exist', async () => {
  const answer = await fetch(`${surface.url}/console/files/main-00000000.js`);
  expect(answer.status).toBe(404);
});

test('the sign-in pages are not hidden by the console', async () => {
  const page = await fetch(`${surface.url}/console/sign-in/link`);
  expect(await page.text()).toContain('Signing in');
});

test('pages of the portal and of links ask for the branding once in a second, and seldom for unknown workspaces', async () => {
  await using limited = await startSurface({ limits: { workspaceLookupsPerMinute: 3 } });
  const portal = (id: string) => fetch(`${limited.url}/console/portal/${id}`).then(({ status }) => status);
  const reads = () => limited.services.seen.filter(({ method }) => method === 'getBranding').length;
  const opened = await Promise.all(Array.from({ length: 20 }, () => portal(known.workspaceId)));
  expect(new Set(opened)).toEqual(new Set([200]));
  expect(reads()).toBe(1);
  await Promise.all([
    fetch(`${limited.url}/interactions/${known.linkToken}`),
    fetch(`${limited.url}/interactions/${known.linkToken}`),
  ]);
  expect(reads()).toBeLessThanOrEqual(2);
  const before = reads();
  const unknown = await Promise.all(Array.from({ length: 20 }, () => portal(randomUUID())));
  expect(unknown.filter((status) => status === 429).length).toBeGreaterThanOrEqual(17);
  expect(reads() - before).toBeLessThanOrEqual(3);
});
