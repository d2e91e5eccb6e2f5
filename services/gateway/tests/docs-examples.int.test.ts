import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSurface } from './surface.ts';

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
