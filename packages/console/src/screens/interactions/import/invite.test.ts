import { readCsvLines } from '@parley/bulk/csv-lines';
import { createClient } from '@parley/client';
import { expect, test } from 'vitest';
import { invite, type Invited } from './invite.ts';

test('a run that is continued after a failure repeats the failed call with its key, and no other', async () => {
  const { lines } = readCsvLines(
    `customerId\n${Array.from({ length: 250 }, (_, n) => `c-${n}\n`).join('')}`,
    {
      botId: '1',
      status: 'Pending',
    },
  );
  const calls: [key: string | null, customers: string[]][] = [];
  let isAvailable = true;
  const answer = async (_: string, { headers, body }: RequestInit): Promise<Response> => {
    const { interactions } = JSON.parse(body as string) as { interactions: { customerId: string }[] };
    const customers = interactions.map(({ customerId }) => customerId);
    calls.push([new Headers(headers).get('idempotency-key'), customers]);
    if (!isAvailable)
      return Response.json(
        { success: false, code: 422, type: 'invalid-request', detail: 'No' },
        { status: 422 },
      );
    const data = customers.map((id, index) => ({
      index,
      interaction: { id, link: `https://a.example/${id}` },
    }));
    isAvailable = calls.length !== 1;
    return Response.json({ success: true, code: 200, detail: 'OK', data, meta: null });
  };
  const client = createClient({ baseUrl: 'https://api.example', session: true, fetch: answer }).workspace(
    '1',
  );
  let done: Invited[] = [];
  const run = () => invite(client, { runId: 'run', lines }, done, (next) => void (done = next));
  await expect(run()).rejects.toThrow('No');
  expect(done).toHaveLength(100);
  isAvailable = true;
  await run();
  expect(calls.map(([key, customers]) => [key, customers[0], customers.length])).toEqual([
    ['run-0', 'c-0', 100],
    ['run-100', 'c-100', 100],
    ['run-100', 'c-100', 100],
    ['run-200', 'c-200', 50],
  ]);
  expect(done.map(({ line, link }) => [line.row, link])).toEqual(
    Array.from({ length: 250 }, (_, n) => [n + 2, `https://a.example/c-${n}`]),
  );
});
