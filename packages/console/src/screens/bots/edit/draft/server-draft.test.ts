import { createClient } from '@parley/client';
import { expect, test } from 'vitest';
import { readServerDraft } from './server-draft.ts';

const read = (status: number, body: object) => {
  const fetch = async () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', etag: '"1.x"' },
    });
  const client = createClient({
    baseUrl: 'https://parley.example',
    apiKey: 'k',
    apiSecret: 's',
    fetch,
    retries: 0,
  });
  return readServerDraft(client.workspace('w'), 'b');
};

test('a draft has its ETag, and a bot without one has null', async () => {
  const data = {
    definition: { n: 1 },
    baseVersion: 2,
    updatedAt: '2026-01-01T00:00:00Z',
    updatedBy: 'ada',
    faults: [],
  };
  const answer = { success: true, code: 200, detail: '', data, meta: null };
  const { definition, updatedAt: at } = data;
  expect(await read(200, answer)).toEqual({ definition, tag: '"1.x"', base: 2, at, by: 'ada' });
  const failure = (code: number, type: string) => ({
    success: false,
    code,
    type,
    detail: 'x',
    data: null,
    meta: null,
  });
  expect(await read(404, failure(404, 'not-found'))).toBeNull();
  await expect(read(403, failure(403, 'missing-scope'))).rejects.toMatchObject({ status: 403 });
});
