import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultsOf, protoFaults } from './faults.ts';

test('every fault has the pointer of its place, unknown fields their own', () => {
  const schema = z.strictObject({ a: z.array(z.strictObject({ b: z.string() })) });
  const { error } = schema.safeParse({ a: [{ b: 1, 'c/d': 1 }], 'e~f': 1, g: 1 });
  const pointers = error && faultsOf('body', error).map(({ pointer }) => pointer);
  expect(pointers?.sort()).toEqual(['/a/0/b', '/a/0/c~1d', '/e~0f', '/g']);
});

test('pointers outside the body begin with their part', () => {
  const { error } = z.object({ page: z.int() }).safeParse({ page: 'x' });
  expect(error && faultsOf('query', error)[0]?.pointer).toBe('/query/page');
});

test('a member that zod drops silently is reported at any depth', () => {
  const body: unknown = JSON.parse(
    '{"__proto__":1,"a":[{"__proto__":{"b":1}}],"c/d":{"__proto__":null},"proto":{}}',
  );
  expect(protoFaults(body).map(({ pointer }) => pointer)).toEqual([
    '/__proto__',
    '/a/0/__proto__',
    '/c~1d/__proto__',
  ]);
  expect(protoFaults('__proto__')).toEqual([]);
});

test('faults beyond the limit have no pointers', () => {
  const { error } = z.array(z.string()).safeParse(Array.from({ length: 1_000 }, () => 1));
  expect(error && faultsOf('body', error)).toHaveLength(100);
  const names = Array.from({ length: 1_000 }, (_, n) => [`p${n}`, n]);
  const unknown = z.strictObject({}).safeParse(Object.fromEntries(names));
  expect(unknown.error && faultsOf('body', unknown.error)).toHaveLength(100);
  const proto = `[${Array.from({ length: 1_000 }, () => '{"__proto__":1}').join(',')}]`;
  expect(protoFaults(JSON.parse(proto))).toHaveLength(100);
});
