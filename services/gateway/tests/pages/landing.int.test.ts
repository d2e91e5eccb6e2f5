import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { unavailable } from '@parley/runtime/errors';
import { known, longLinkTokens } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

const policyOf = (connect: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${connect}; img-src 'self' https:; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

const open = (surface: Surface, method: string, path: string) =>
  surface.call(method, path, { credentials: null, headers: { accept: 'text/html' } });

/** The script of the page, at the address in the page. */
function scriptOf(html: string, path: string): string {
  const src = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';
  return new URL(src, `http://gateway${path}`).pathname;
}

describe('the landing page', () => {
  let surface: Surface;
  const path = `/interactions/${known.linkToken}`;
  const within = (added: string): string =>
    `${known.linkToken.slice(0, 9)}${added}${known.linkToken.slice(9)}`;
  /** The paths to which the page redirects, one after another. */
  async function follow(from: string): Promise<string[]> {
    const paths: string[] = [];
    for (let at = from; paths.length < 5; paths.push(at)) {
      const { status, headers } = await open(surface, 'GET', at);
      if (status !== 301) break;
      expect(headers['cache-control']).toBe('no-store');
      const base = `http://gateway${at}`.replace('gateway//', 'gateway/');
      at = new URL(String(headers['location']), base).pathname;
    }
    return paths;
  }
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

  test('shows name and state in the place of its script, for browsers without scripts', async () => {
    const { text } = await open(surface, 'GET', path);
    const [, shown = ''] = /<body>\s*<main id="parley">([^]*)<\/main>\s*<\/body>/.exec(text) ?? [];
    const [seen, unscripted] = shown.split('<noscript>');
    expect(seen).toMatch(/^\s*<h1>NPS &lt;b&gt;<\/h1>\s*<p>This conversation is ready to begin\.<\/p>\s*$/);
    expect(unscripted).toContain('JavaScript');
  });

  test('has an existing style sheet that browsers revalidate', async () => {
    const { text } = await open(surface, 'GET', path);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const sheet = await open(surface, 'GET', new URL(href, `http://gateway${path}`).pathname);
    expect([sheet.status, sheet.headers['content-type'], sheet.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, no-cache',
    ]);
  });

  test('has an existing script, and nothing inline', async () => {
    const { text } = await open(surface, 'GET', path);
    const script = await open(surface, 'GET', scriptOf(text, path));
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  test('supports HEAD, and has the same page for an unknown link', async () => {
    const page = await open(surface, 'GET', path);
    const head = await open(surface, 'HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(page.headers['content-length']);
    const nowhere = await open(surface, 'GET', `/interactions/${'n'.repeat(45)}`);
    expect(nowhere.status).toBe(404);
    expect(nowhere.text).toContain('<title>Not available</title>');
    expect(nowhere.text).toMatch(/<main id="parley">\s*<h1>Not available<\/h1>/);
    expect(nowhere.text).not.toContain('JavaScript');
    expect(scriptOf(nowhere.text, path)).toBe(scriptOf(page.text, path));
    expect(nowhere.headers['content-security-policy']).toBe(policyOf("'self'"));
    expect((await open(surface, 'POST', path)).status).toBe(405);
  });

  test.each([
    `/interactions/${known.linkToken}/`,
    `//interactions/${known.linkToken}`,
    `/interactions//${known.linkToken}//`,
    `/INTERACTIONS/${known.linkToken}`,
    `/Interactions/${known.linkToken}%`,
    `/interactions/${known.linkToken}%20`,
    `/interactions/${known.linkToken}%3E`,
    `/interactions/${known.linkToken}%ff`,
    `/interactions/${known.linkToken}.?utm_source=mail&x=%`,
    `/%/interactions/${known.linkToken}%zz`,
    `/interactions/${known.linkToken}%0A`,
    `/interactions/${known.linkToken}.Thanks`,
    `/interactions/${within('%E2%80%8B')}`,
    `/interactions/${within('%0A')}`,
    `/interactions/${within('%250A')}`,
    `/interactions/${within('=%0D%0A')}`,
    `/interactions/${within('%C2%AD')}%E2%80%8B`,
    `/interactions//${within('%26shy%3B')}%20and`,
  ])('the link that a mail program made of it leads to it: %s', async (changed) => {
    const redirects = await follow(changed);
    expect(redirects.length).toBeOneOf([1, 2]);
    expect(redirects.at(-1)).toBe(path);
  });

  test('a link with a foreign character at any place leads to it, whatever the length of its version', async () => {
    const tokens = [known.linkToken, ...longLinkTokens];
    const texts = ['%E2%80%8B', '%0A', '%C2%AD'];
    for (const [token, text] of tokens.map((one, index) => [one, texts[index % texts.length]] as const)) {
      const behind = ['', `${text}and`, '.'];
      for (let at = 0; at <= token.length; at += 1) {
        const changed = token.slice(0, at) + text + token.slice(at) + behind[at % behind.length];
        expect((await follow(`/interactions/${changed}`)).at(-1), changed).toBe(`/interactions/${token}`);
      }
    }
  });

  test('a link with a foreign character is kept while it cannot be looked up', async () => {
    const [token = ''] = longLinkTokens;
    surface.services.before.set('openLink', () => {
      throw unavailable(new Error('away'));
    });
    const answer = await open(surface, 'GET', `/interactions/${token.slice(0, 45)}%0A${token.slice(45)}`);
    surface.services.before.delete('openLink');
    expect([answer.status, answer.headers['location']]).toEqual([503, undefined]);
    expect(answer.text).toContain('Please open this link again in a moment.');
  });

  test('a link that is too short is called incomplete, without a call of a service', async () => {
    const asked = vi.fn();
    surface.services.before.set('openLink', asked);
    const short = await open(surface, 'GET', path.slice(0, -1));
    surface.services.before.delete('openLink');
    expect(short.status).toBe(404);
    expect(short.text).toContain('This link is incomplete.');
    expect(asked).not.toHaveBeenCalled();
  });

  test('parameters that others add to a link do not matter', async () => {
    expect((await open(surface, 'GET', `${path}?utm_source=mail&fbclid=%&x`)).status).toBe(200);
  });

  test.each([
    '/interactions',
    '/interactions/',
    '/interactions/%',
    '/interactions/x/y',
    '/interactions/%ff%',
  ])('a broken link gets a page, whatever the browser accepts: %s', async (broken) => {
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const answer = await surface.call('GET', broken, { credentials: null, headers: { accept } });
      expect(answer.headers['content-type'] ?? answer.status, accept).toBeOneOf([
        'text/html; charset=utf-8',
        301,
      ]);
    }
  });

  test('a page that cannot be shown has the id of its request as a reference', async () => {
    surface.services.before.set('openLink', () => {
      throw new Error('no');
    });
    const answer = await open(surface, 'GET', path);
    surface.services.before.delete('openLink');
    expect(answer.status).toBe(500);
    expect(answer.text).toContain(
      `quote this reference: <code>${String(answer.headers['x-request-id'])}</code>`,
    );
  });

  test('only reads the link', async () => {
    surface.services.seen.length = 0;
    await open(surface, 'GET', path);
    await open(surface, 'HEAD', path);
    await open(surface, 'GET', `/interactions/${known.draftLinkToken}`);
    const seen = new Set(
      surface.services.seen.map(({ method }) => method).filter((one) => one !== 'getBranding'),
    );
    expect(seen).toEqual(new Set(['openLink']));
  });

  test('has an icon for pages without one of their own at /favicon.ico', async () => {
    const answer = await open(surface, 'GET', '/favicon.ico');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/x-icon']);
  });
});

describe('branding', () => {
  let surface: Surface;
  const logo = `/logos/${known.workspaceId}/${'0'.repeat(32)}.png`;
  beforeAll(async () => {
    surface = await startSurface();
    surface.services.branding = {
      displayName: 'Fog & <b>',
      logoName: `${'0'.repeat(32)}.png`,
      endText: 'Bye "<i>"',
      endLink: { url: 'https://shop.example/?a&b', label: 'Shop <s>' },
      version: 1,
    };
  });
  afterAll(() => surface[Symbol.asyncDispose]());

  test('a page shows it escaped, the company before the bot, and passes it to its script', async () => {
    const { text } = await open(surface, 'GET', `/interactions/${known.linkToken}`);
    expect(text).toContain('<title>Fog &amp; &lt;b&gt; – NPS &lt;b&gt;</title>');
    expect(text).toMatch(/<main id="parley">\s*<h1>Fog &amp; &lt;b&gt;<\/h1>\s*<p>NPS &lt;b&gt;<\/p>/);
    expect(text).toContain(`<link rel="icon" href="https://talk.example${logo}">`);
    const [, content = ''] = /<meta name="parley-branding" content="([^"]*)">/.exec(text) ?? [];
    expect(
      JSON.parse(
        content
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&'),
      ),
    ).toEqual({
      displayName: 'Fog & <b>',
      logoUrl: `https://talk.example${logo}`,
      accentColor: null,
      endText: 'Bye "<i>"',
      privacyText: null,
      endLink: { url: 'https://shop.example/?a&b', label: 'Shop <s>' },
    });
    expect(text).not.toContain('Bye "');
  });

  test('a link of a draft has the end text and link of its workspace; an unknown one is neutral', async () => {
    const draft = await open(surface, 'GET', `/interactions/${known.draftLinkToken}`);
    expect([draft.status, draft.text]).toEqual([
      404,
      expect.stringContaining('<title>Fog &amp; &lt;b&gt; – Not available</title>'),
    ]);
    expect(draft.text).toContain('<p>Bye &quot;&lt;i&gt;&quot;</p>');
    expect(draft.text).toContain(
      '<a href="https://shop.example/?a&amp;b" target="_blank" rel="noopener noreferrer">Shop &lt;s&gt;</a>',
    );
    const unknown = await open(surface, 'GET', `/interactions/${'n'.repeat(45)}`);
    expect(unknown.text).toContain('<title>Not available</title>');
    expect(unknown.text).toContain('<link rel="icon" href="../favicon.ico">');
    expect(unknown.text).not.toMatch(/parley-branding|Fog/);
  });

  test('a page is shown without branding that cannot be read', async () => {
    await using another = await startSurface();
    another.services.before.set('getBranding', () => {
      throw new Error('no');
    });
    const { status, text } = await open(another, 'GET', `/interactions/${known.linkToken}`);
    expect([status, text]).toEqual([200, expect.stringContaining('<title>NPS &lt;b&gt;</title>')]);
  });

  test('pages without a script have its logo, colour and words about privacy, and a policy for this style only', async () => {
    await using another = await startSurface();
    const privacyText = 'Privacy: "https://shop.example/p?a&b". <i>';
    const accentColor = '#ffd400';
    another.services.branding = { ...surface.services.branding, accentColor, privacyText };
    for (const path of [
      `/open/${known.openLinkToken}`,
      `/interactions/${known.linkToken}/answer?step=score&answer=9`,
    ]) {
      const { status, text, headers } = await open(another, 'GET', path);
      expect(status).toBe(200);
      expect(text).toContain(`<img class="logo" src="https://talk.example${logo}" alt="">`);
      // Black on yellow: white would not be readable.
      const style = ':root{--fill:#ffd400;--on-fill:#000000}';
      expect(text).toContain(`<style>${style}</style>`);
      const digest = createHash('sha256').update(style).digest('base64');
      expect(headers['content-security-policy']).toContain(`; style-src 'self' 'sha256-${digest}'; img-src `);
      const address = 'https://shop.example/p?a&amp;b';
      const link = `<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`;
      expect(text).toContain(`<p class="privacy">Privacy: &quot;${link}&quot;. &lt;i&gt;</p>`);
    }
  });

  test('the logo can be cached for ever, loaded by any page, and executed by none', async () => {
    const answer = await open(surface, 'GET', logo);
    expect([answer.status, answer.text]).toEqual([200, 'logo']);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    for (const path of [logo.replace('.png', '.svg'), logo.replace('.png', '.jpg'), '/logos/x/y.png']) {
      expect((await open(surface, 'GET', path)).status, path).toBe(404);
    }
  });
});

test('a landing page below a path uses its files there, and the configured API', async () => {
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
  expect((await open(surface, 'GET', '/t/x/favicon.ico')).status).toBe(200);
});

test('below a path, the gateway serves all that a link page needs, also by changed links', async () => {
  await using surface = await startSurface({ landingUrl: 'https://talk.example/t/x' });
  const path = `/t/x/interactions/${known.linkToken}`;
  const { text, headers } = await open(surface, 'GET', path);
  expect(text).toContain('<meta name="parley-api" content="https://talk.example/t/x">');
  expect(headers['content-security-policy']).toContain("connect-src 'self'");
  const session = await surface.call('POST', '/t/x/public/v1/link-sessions', {
    body: { token: known.linkToken },
    headers: { origin: 'https://talk.example' },
  });
  expect(session.status).toBe(200);
  for (const changed of [
    `${path}/`,
    `/T/X/INTERACTIONS/${known.linkToken}`,
    `//t/x//interactions/${known.linkToken}%`,
  ]) {
    const answer = await open(surface, 'GET', changed);
    expect([answer.status, answer.headers['location']], changed).toEqual([301, path]);
  }
  const start = await open(surface, 'GET', '/t/x/');
  expect(start.text).toContain('<a href="/t/x/docs">');
  expect((await open(surface, 'GET', '/t/x/docs/')).headers['location']).toBe('/t/x/docs');
  expect((await open(surface, 'GET', '/t/xx/docs')).status).toBe(404);
});

test('a page of the prefix under a second prefix is unknown, and never leads to itself', async () => {
  await using surface = await startSurface({ landingUrl: 'https://talk.example/t/x' });
  for (const path of ['/t/x/t/x/docs', '/t/x/T/X/docs/', `/t/x/t/x/interactions/${known.linkToken}`]) {
    expect((await open(surface, 'GET', path)).status, path).toBe(404);
  }
});

test.each(['public', 'v1', 'docs', 'sdk/x', 'Interactions', 'openapi.json', '%67uides', 'healthz'])(
  'the gateway does not start with a landing URL that would hide a path of its own: /%s',
  async (path) => {
    const starting = startSurface({ landingUrl: `https://talk.example/${path}` });
    await expect(starting).rejects.toThrow(/LANDING_URL: its path must not begin with \/[\w.]+, which the/);
  },
);

test('the path of the landing URL is taken literally', async () => {
  const { pathname } = new URL('https://talk.example/:x//a(b)*c/{t}+[ü]!');
  await using surface = await startSurface({ landingUrl: `https://talk.example${pathname}` });
  expect((await open(surface, 'GET', `${pathname}/interactions/${known.linkToken}`)).status).toBe(200);
  for (const changed of [`${pathname}/docs/`, `/${pathname.toUpperCase()}//docs`]) {
    const answer = await open(surface, 'GET', changed);
    expect([answer.status, answer.headers['location']], changed).toEqual([301, `${pathname}/docs`]);
  }
  for (const other of [`${pathname.replace(':x', 'y')}/docs`, '/:x//ab/docs', '/v1']) {
    expect((await open(surface, 'GET', other)).status, other).toBe(404);
  }
});
