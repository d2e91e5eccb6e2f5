import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, expect, inject, test } from 'vitest';
import { linkTokenOf, openLink } from './public-sessions.ts';
import { npsBot } from './sample-bots.ts';

// The page of a link, without a browser: its parts, and that opening it has no effect.

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

const create = async (status: string) => {
  const body = { customerId: 'c', botId, status };
  return (await workspace.api.post<{ id: string; link: string }>('/interactions', body)).body.data;
};

/** Returns the addresses of all that the page loads. */
const loadedBy = (html: string, link: string): string[] =>
  Array.from(html.matchAll(/\b(?:src|href)="([^"]+)"/g), ([, path = '']) => new URL(path, link).href);

test('its policy allows only what it loads', async () => {
  const { link } = await create('Pending');
  const page = await fetch(link);
  const policy = page.headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ]);
  const loaded = loadedBy(await page.text(), link);
  expect(loaded.length).toBe(4);
  for (const address of loaded) {
    expect(new URL(address).origin).toBe(new URL(link).origin);
    const file = await fetch(address);
    expect([file.status, file.headers.get('cache-control')]).toEqual([
      200,
      /-[\w-]{8}\.js$/.test(address) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    ]);
  }
});

test('fifty concurrent openings by GET and HEAD, with all loaded files, and five sessions change nothing', async () => {
  for (const status of ['Pending', 'InProgress', 'Completed', 'Expired']) {
    const { id, link } = await create(status);
    const before = await workspace.api.get(`/interactions/${id}`);
    const loaded = loadedBy(await (await fetch(link)).text(), link);
    expect(loaded.length).toBeGreaterThan(0);
    const open = async (method: string): Promise<void> => {
      const answers = await Promise.all([link, ...loaded].map((address) => fetch(address, { method })));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    };
    await Promise.all(Array.from({ length: 50 }, (_, round) => open(round % 2 ? 'GET' : 'HEAD')));
    for (let round = 0; round < 5; round += 1)
      expect((await openLink(baseUrl, linkTokenOf({ link }))).status).toBe(200);
    const after = await workspace.api.get(`/interactions/${id}`);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  }
});

test('drafts and unknown links get the same page', async () => {
  const draft = await create('Draft');
  const pages = [draft.link, `${draft.link}x`, `${baseUrl}/interactions/${'x'.repeat(45)}`].map(
    async (link) => {
      const page = await fetch(link);
      return [page.status, page.headers.get('cache-control'), await page.text()];
    },
  );
  const [first, ...others] = await Promise.all(pages);
  expect(first?.slice(0, 2)).toEqual([404, 'no-store']);
  for (const other of others) expect(other).toEqual(first);
});
