import { createClient } from '@parley/client';
import { expect, test } from 'vitest';
import { type Progress, runAll } from './run-bulk.ts';

const names = new Map(Array.from({ length: 9 }, (_, at) => [`i-${at}`, `Customer ${at}`]));

/** Returns a client whose answers have these codes by the id of the interaction, and what it was asked. */
function clientOf(codes: Record<string, number> = {}) {
  const asked: string[] = [];
  const answer = async (url: string, { method }: RequestInit): Promise<Response> => {
    const id = String(new URL(url).pathname.split('/').at(-1));
    asked.push(`${method} ${id}`);
    const code = codes[id] ?? 200;
    const body = { success: code === 200, code, type: 'of-a-test', detail: 'No', data: null, meta: null };
    return Response.json(body, { status: code });
  };
  const options = { baseUrl: 'https://api.example', session: true, retries: 0, fetch: answer } as const;
  return { client: createClient(options).workspace('w'), asked };
}
const fresh = (): Progress => ({ done: [], failures: [] });
const never = (): boolean => false;

test('all are handled, those that fail are named, and one that is gone counts as deleted', async () => {
  const { client, asked } = clientOf({ 'i-2': 409, 'i-5': 404 });
  const progress = fresh();
  const counts: number[] = [];
  await runAll(client, 'delete', names, progress, (count) => counts.push(count), never);
  expect(progress.done.toSorted()).toEqual([...names.keys()].filter((id) => id !== 'i-2'));
  expect(progress.failures).toMatchObject([{ id: 'i-2', name: 'Customer 2', error: { status: 409 } }]);
  expect(counts).toEqual(Array.from({ length: 9 }, (_, at) => at + 1));
  expect(new Set(asked)).toEqual(new Set([...names.keys()].map((id) => `DELETE ${id}`)));
});

test('one that is gone has not been ended', async () => {
  const { client } = clientOf({ 'i-5': 404 });
  const progress = fresh();
  await runAll(client, 'end', names, progress, () => {}, never);
  expect(progress.failures.map(({ id }) => id)).toEqual(['i-5']);
});

test('it rejects when the session ends, and then goes on with those that are left', async () => {
  const ended = clientOf({ 'i-1': 401 });
  const progress = fresh();
  const run = runAll(ended.client, 'end', names, progress, () => {}, never);
  await expect(run).rejects.toMatchObject({ status: 401 });
  expect(progress.failures).toEqual([]);
  const done = [...progress.done];
  const next = clientOf();
  await runAll(next.client, 'end', names, progress, () => {}, never);
  expect(progress.done.toSorted()).toEqual([...names.keys()]);
  for (const id of done) expect(next.asked).not.toContain(`PATCH ${id}`);
});

test('it can be stopped between two calls', async () => {
  const { client, asked } = clientOf();
  const progress = fresh();
  await runAll(
    client,
    'end',
    names,
    progress,
    () => {},
    () => asked.length >= 4,
  );
  expect(progress.done).toHaveLength(4);
});
