import { expect, inject, test } from 'vitest';

// The script tag of a company's page, and its files.

const { baseUrl } = inject('local');

test('the loader is revalidated each time, and names an immutable chunk; pages of any origin may use both', async () => {
  const headers = { origin: 'https://shop.example', 'sec-fetch-mode': 'no-cors' };
  const loader = await fetch(`${baseUrl}/sdk/v1/loader.js?from=a-tag-manager`, { headers });
  expect(loader.status).toBe(200);
  expect(loader.headers.get('cache-control')).toBe('public, no-cache');
  expect(loader.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const [chunk = ''] = /chunks\/ui-[\w-]+\.js/.exec(await loader.text()) ?? [];
  const ui = await fetch(`${baseUrl}/sdk/v1/${chunk}`, { headers });
  expect(ui.status).toBe(200);
  expect(ui.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const { headers: fields } of [loader, ui]) {
    expect(fields.get('access-control-allow-origin')).toBe('*');
    expect(fields.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(fields.get('x-content-type-options')).toBe('nosniff');
    expect(fields.get('set-cookie')).toBeNull();
  }
  await ui.arrayBuffer();
});

test('a page from before a deployment gets the current chunk by its old name, uncached', async () => {
  const loader = await (await fetch(`${baseUrl}/sdk/v1/loader.js`)).text();
  const [chunk = ''] = /chunks\/ui-[\w-]+\.js/.exec(loader) ?? [];
  const now = await fetch(`${baseUrl}/sdk/v1/${chunk}`);
  const former = await fetch(`${baseUrl}/sdk/v1/chunks/ui-AAAAAAAA.js`);
  expect([former.status, former.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  expect(await former.text()).toBe(await now.text());
});

test('a browser with the current loader gets 304, without its content', async () => {
  const first = await fetch(`${baseUrl}/sdk/v1/loader.js`);
  await first.arrayBuffer();
  const tag = first.headers.get('etag') ?? '';
  const again = await fetch(`${baseUrl}/sdk/v1/loader.js`, { headers: { 'if-none-match': tag } });
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
});

test('no other file of the package is served', async () => {
  for (const path of ['', 'manifest.json', 'src/loader.ts', '%2e%2e/package.json', 'chunks/ui-AAAA.js']) {
    expect((await fetch(`${baseUrl}/sdk/v1/${path}`)).status, path).toBe(404);
  }
});
