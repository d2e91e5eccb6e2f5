import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownerOf, shardOf } from './shard.ts';

const shards = Array.from({ length: 256 }, (_, id) => id);
const replicas = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 5 });

test('the shard of a webhook is the last byte of its id', () => {
  expect(shardOf('0198c0de-0000-7000-8000-000000000000')).toBe(0);
  expect(shardOf('0198c0de-0000-7000-8000-0000000000ff')).toBe(255);
  expect(shardOf('ffffffff-ffff-7fff-bfff-ffffffffff0A')).toBe(10);
});

test('without replicas a shard has no owner', () => {
  expect(ownerOf(7, [])).toBeUndefined();
});

test('all replicas agree on the owners, in whatever order they list each other', () => {
  fc.assert(
    fc.property(replicas, (ids) => {
      for (const shard of shards) expect(ownerOf(shard, ids.toReversed())).toBe(ownerOf(shard, ids));
    }),
    { numRuns: 20 },
  );
});

test('when a replica joins or leaves, only its own shards change owner', () => {
  fc.assert(
    fc.property(replicas, fc.uuid(), (ids, other) => {
      const without = ids.filter((id) => id !== other);
      for (const shard of shards) {
        const owner = ownerOf(shard, [...without, other]);
        if (owner !== other) expect(ownerOf(shard, without)).toBe(owner);
      }
    }),
    { numRuns: 20 },
  );
});

test('replicas own similar numbers of shards', () => {
  const ids = ['a', 'b', 'c', 'd'].map((letter) => `0198c0de-0000-7000-8000-00000000000${letter}`);
  const owned = Map.groupBy(shards, (shard) => ownerOf(shard, ids));
  for (const id of ids) {
    expect(owned.get(id)?.length).toBeGreaterThan(40);
    expect(owned.get(id)?.length).toBeLessThan(90);
  }
});
