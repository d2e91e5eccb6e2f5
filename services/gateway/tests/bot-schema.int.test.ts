import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startSurface } from './surface.ts';

test('editors of any origin load the JSON Schema of bots, and revalidate it', async () => {
  await using surface = await startSurface();
  const address = `${surface.url}/schemas/bot-v1.json`;
  const answer = await fetch(address, { headers: { origin: 'https://editor.example' } });
  expect(answer.status).toBe(200);
  const { headers } = answer;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const file = new URL('../../../packages/bot/schema/bot-v1.schema.json', import.meta.url);
  expect(await answer.text()).toBe(await readFile(file, 'utf8'));

  const again = await fetch(address, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  const posted = await fetch(address, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
