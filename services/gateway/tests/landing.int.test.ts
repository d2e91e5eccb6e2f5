import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { known } from './behind.ts';
import { type Surface, startSurface } from './surface.ts';

const policyOf = (connect: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${connect}; img-src 'self' https:; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

const open = (surface: Surface, method: string, path: string) =>
  surface.call(method, path, { credentials: null, headers: { accept: 'text/html' } });

/** The script of the page, as its address leads to it from there. */
function scriptOf(html: string, path: string): string {
  const src = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';
  return new URL(src, `http://gateway${path}`).pathname;
}

describe('the landing page', () => {
  let surface: Surface;
  const path = `/interactions/${known.linkToken}`;
  beforeAll(async () => {
    surface = await startSurface();
  });
  afterAll(() => surface[Symbol.asyncDispose]());

  test('names the bot, escaped, under headers that keep the link private', async () => {
    const answer = await open(surface, 'GET', path);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<title>NPS &lt;b&gt;</title>');
    expect(answer.text).not.toContain(known.linkToken);
    expect(answer.text).not.toContain('parley-api');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyOf("'self'"),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('tells name and state where its script puts itself, seen by whom the script does not reach', async () => {
    const { text } = await open(surface, 'GET', path);
    const [, shown = ''] = /<body>\s*<main id="parley">([^]*)<\/main>\s*<\/body>/.exec(text) ?? [];
    const [seen, unscripted] = shown.split('<noscript>');
    expect(seen).toMatch(/^\s*<h1>NPS &lt;b&gt;<\/h1>\s*<p>This conversation is ready to begin\.<\/p>\s*$/);
    expect(unscripted).toContain('JavaScript');
  });

  test('has a style sheet that is there, and asked about each time', async () => {
    const { text } = await open(surface, 'GET', path);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const sheet = await open(surface, 'GET', new URL(href, `http://gateway${path}`).pathname);
    expect([sheet.status, sheet.headers['content-type'], sheet.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, no-cache',
    ]);
  });

  test('has a script that is there, and nothing inline', async () => {
    const { text } = await open(surface, 'GET', path);
    const script = await open(surface, 'GET', scriptOf(text, path));
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  test('answers HEAD, and a link that leads nowhere with a page of the same shape', async () => {
    const page = await open(surface, 'GET', path);
    const head = await open(surface, 'HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(page.headers['content-length']);
    const nowhere = await open(surface, 'GET', '/interactions/nowhere');
    expect(nowhere.status).toBe(404);
    expect(nowhere.text).toContain('<title>Not available</title>');
    expect(nowhere.text).toMatch(/<main id="parley">\s*<h1>Not available<\/h1>/);
    expect(nowhere.text).not.toContain('JavaScript');
    expect(scriptOf(nowhere.text, path)).toBe(scriptOf(page.text, path));
    expect(nowhere.headers['content-security-policy']).toBe(policyOf("'self'"));
    expect((await open(surface, 'POST', path)).status).toBe(405);
  });

  test('only looks the link up', async () => {
    surface.behind.seen.length = 0;
    await open(surface, 'GET', path);
    await open(surface, 'HEAD', path);
    expect(surface.behind.seen.map(({ method }) => method)).toEqual(['openLink', 'openLink']);
  });

  test('without the service behind it says to come back', async () => {
    await using alone = await startSurface();
    await alone.behind.stop('interaction');
    const answer = await open(alone, 'GET', path);
    expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.text).toContain('Not available now');
    expect(scriptOf(answer.text, path)).toContain('/sdk/v1/landing');
  });
});

test('a landing page below a path finds its files there, and the API where it is told', async () => {
  await using surface = await startSurface({
    landingUrl: 'https://talk.example/t/x',
    publicUrl: 'https://api.example/"><b>',
  });
  const path = `/t/x/interactions/${known.linkToken}`;
  const { status, text, headers } = await open(surface, 'GET', path);
  expect(status).toBe(200);
  expect(text).toContain('<meta name="parley-api" content="https://api.example/&quot;&gt;&lt;b&gt;">');
  expect(headers['content-security-policy']).toBe(policyOf("'self' https://api.example"));
  expect(scriptOf(text, path)).toMatch(/^\/t\/x\/sdk\/v1\/landing-/);
  expect((await open(surface, 'GET', scriptOf(text, path))).status).toBe(200);
  expect((await open(surface, 'GET', '/sdk/v1/loader.js')).status).toBe(200);
  expect((await open(surface, 'GET', `/interactions/${known.linkToken}`)).status).toBe(404);
});
