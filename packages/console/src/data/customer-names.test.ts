import { createClient, type Customer } from '@parley/client';
import { expect, test } from 'vitest';
import { nameIn, nameOf } from './customer-names.ts';

const customer = (id: string, firstName: string, lastName = ''): Customer =>
  ({ id, firstName, lastName }) as Customer;

test('a name has both parts; there is none if it is empty or hidden', () => {
  expect(nameIn(customer('a', 'Ada', 'Lovelace'))).toBe('Ada Lovelace');
  expect(nameIn(customer('a', '', 'Lovelace'))).toBe('Lovelace');
  expect(nameIn(customer('a', '', ''))).toBeUndefined();
  expect(nameIn(customer('a', '[hidden]', '[hidden]'))).toBeUndefined();
});

test('names that are asked for together are read by one call for each hundred', async () => {
  const asked: string[][] = [];
  const answer = async (url: string): Promise<Response> => {
    const ids = new URL(url).searchParams.get('ids')?.split(',') ?? [];
    asked.push(ids);
    const data = ids.filter((id) => id !== 'c-7').map((id) => customer(id, `Name of ${id}`));
    return Response.json({ success: true, code: 200, detail: 'OK', data, meta: { nextCursor: null } });
  };
  const client = createClient({ baseUrl: 'https://api.example', session: true, fetch: answer }).workspace(
    'w',
  );
  const workspace = { id: 'w', client };
  const names = await Promise.all(Array.from({ length: 130 }, (_, at) => nameOf(workspace, `c-${at}`)));
  expect(asked.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([30, 100]);
  expect(names[129]).toBe('Name of c-129');
  expect(names[7]).toBeNull();
});
