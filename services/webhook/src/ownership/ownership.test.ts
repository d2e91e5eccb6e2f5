import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDead, leaseMs, observe, type Observed } from './ownership.ts';

const nobody: ReadonlyMap<string, Observed> = new Map();
const look = (known: ReadonlyMap<string, Observed>, heartbeats: number, nowMs: number) =>
  observe(known, [{ id: 'a', heartbeats }], nowMs);
const deadAt = (known: ReadonlyMap<string, Observed>, nowMs: number) => {
  const one = known.get('a');
  return one && isDead(one, nowMs);
};

test('a replica is dead when its heartbeats have stood still for longer than the lease', () => {
  const seen = look(nobody, 3, 1_000);
  const again = look(seen, 3, 1_000 + leaseMs);
  expect(deadAt(again, 1_000 + leaseMs)).toBe(false);
  expect(deadAt(again, 1_001 + leaseMs)).toBe(true);
});

test('any other count is a heartbeat, also a lower one: a replica that was removed counts from 1 again', () => {
  const seen = look(nobody, 40, 0);
  expect(deadAt(look(seen, 1, 10_000), 10_000)).toBe(false);
});

test('a replica is not known as dead at the first look, however long ago its last heartbeat was', () => {
  expect(deadAt(look(nobody, 40, 1_000_000), 1_000_000)).toBe(false);
});

test('a replica whose row is gone is forgotten', () => {
  expect(observe(look(nobody, 1, 0), [], 1)).toEqual(nobody);
});

test('no replica is dead within the lease after a heartbeat, and each one is at the second look after it', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(times, times, (beats, looks) => {
      let known = nobody;
      for (const nowMs of looks.toSorted((one, other) => one - other)) {
        const before = beats.filter((atMs) => atMs <= nowMs);
        known = look(known, before.length, nowMs);
        if (deadAt(known, nowMs)) expect(nowMs - Math.max(0, ...before)).toBeGreaterThan(leaseMs);
      }
      const lastMs = Math.max(...beats, ...looks);
      const watched = look(known, beats.length, lastMs);
      const atMs = lastMs + leaseMs + 1;
      expect(deadAt(look(watched, beats.length, atMs), atMs)).toBe(true);
    }),
  );
});
