import { createClient } from '@parley/client';
import { pageSizeMax } from '@parley/contracts/limits';
import { expect, test } from 'vitest';
import { allMatching } from './matching.ts';
import { queryOf } from './filters.ts';

test('all pages of the filters are read up to the limit, with the customers by interaction', async () => {
  const total = 2 * pageSizeMax + 10;
  const asked: (string | null)[] = [];
  const answer = async (url: string): Promise<Response> => {
    const { searchParams } = new URL(url);
    asked.push(searchParams.get('status'));
    const first = (Number(searchParams.get('page')) - 1) * pageSizeMax;
    const count = Math.max(0, Math.min(pageSizeMax, total - first));
    const data = Array.from({ length: count }, (_, at) => ({ id: `i-${first + at}`, customerId: 'c' }));
    return Response.json({ success: true, code: 200, detail: 'OK', data, meta: { totalResults: total } });
  };
  const client = createClient({ baseUrl: 'https://api.example', session: true, fetch: answer }).workspace(
    'w',
  );
  const { signal } = new AbortController();
  let known = 0;
  const read = (most: number) =>
    allMatching(client, queryOf({ status: 'Pending' }), {
      most,
      onProgress: (count) => (known = count),
      signal,
    });
  const found = await read(5 * pageSizeMax);
  expect([found.size, known, found.get(`i-${total - 1}`)]).toEqual([total, total, 'c']);
  expect(new Set(asked)).toEqual(new Set(['Pending']));
  expect((await read(pageSizeMax)).size).toBe(pageSizeMax);
});

test('it rejects when it is aborted', async () => {
  const fetch = (_: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const client = createClient({ baseUrl: 'https://api.example', session: true, fetch }).workspace('w');
  const aborting = new AbortController();
  const { signal } = aborting;
  const reading = allMatching(client, queryOf({}), { most: 100, onProgress: () => {}, signal });
  aborting.abort();
  await expect(reading).rejects.toThrow();
});
