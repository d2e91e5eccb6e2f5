import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSurface } from '../fakes/surface.ts';

test('the description and the page have the examples of their file, also after it appears or changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-docs-examples-'));
  const docsExamplesFile = join(folder, 'examples.json');
  try {
    await using surface = await startSurface({ docsExamplesFile });
    const describe = async () => {
      const answer = await surface.call('GET', '/openapi.json');
      return { text: answer.text, tag: answer.headers['etag'] };
    };
    const made = await describe();
    expect(await describe()).toEqual(made);
    for (const note of ['First.', 'Second.']) {
      await writeFile(docsExamplesFile, JSON.stringify({ note, params: { botId: note }, bodies: {} }));
      const { text, tag } = await describe();
      expect(text).toContain(`"example":"${note}"`);
      expect((await surface.call('GET', '/docs')).text).toContain(note);
      expect(tag).not.toBe(made.tag);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('every guide is a page whose links and pictures work', async () => {
  await using surface = await startSurface();
  const ids = new Map<string, Set<string>>();
  const load = async (path: string): Promise<string> => {
    const { status, text, headers } = await surface.call('GET', path, { credentials: null });
    expect(status, path).toBe(200);
    if (!String(headers['content-type']).startsWith('text/html')) return '';
    ids.set(path, new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id)));
    return text;
  };
  const wanted: string[] = [];
  const open = ['/guides'];
  for (const path of open) {
    const html = await load(path);
    for (const [, href = ''] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^https?:/.test(href)) continue;
      const { pathname, hash } = new URL(href, `http://gateway${path}`);
      if (hash) wanted.push(pathname + hash);
      if (!open.includes(pathname)) open.push(pathname);
    }
  }
  expect(open).toEqual(expect.arrayContaining(['/guides/sdk', '/guides/cli', '/guides/images/choice.png']));
  for (const address of wanted) {
    const [path = '', id = ''] = address.split('#');
    expect(ids.get(path), address).toContain(id);
  }
  const missing = await surface.call('GET', '/guides/..%2f..%2fpackage', { headers: { accept: '*/*' } });
  expect(missing.envelope()).toMatchObject({ code: 404, type: 'unknown-route' });
  expect((await surface.call('GET', '/guides/sdk.md')).status).toBe(200);
});
