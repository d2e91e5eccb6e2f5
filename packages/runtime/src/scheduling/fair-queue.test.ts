import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { FairQueue, type Slot, waitMsMax } from './fair-queue.ts';
import { inWork } from './work.ts';

let nowMs = 0;
const now = (): number => nowMs;
beforeEach(() => {
  nowMs = 0;
});

const enter = (queue: FairQueue, tenant: string, signal?: AbortSignal): Promise<Slot> =>
  inWork({ tenant, signal }, () => queue.enter());

/** Enters and records the tenant when it gets its slot. */
function enterAll(queue: FairQueue, tenants: string, started: { tenant: string; slot: Slot }[] = []) {
  for (const tenant of tenants) {
    // What the test leaves waiting is refused after it.
    enter(queue, tenant).then(
      (slot) => started.push({ tenant, slot }),
      () => {},
    );
  }
  return { started, names: () => started.map(({ tenant }) => tenant).join('') };
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ends each started piece of work after the time that its tenant needs, in the order of starting. */
async function drain(started: { tenant: string; slot: Slot }[], msOf: Record<string, number>): Promise<void> {
  await settle();
  for (let n = 0; n < started.length; n += 1) {
    const one = started[n];
    nowMs += msOf[one?.tenant ?? ''] ?? 1;
    one?.slot.release();
    await settle();
  }
}

test('tenants take turns, however much work one of them has', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1, now });
  const { started, names } = enterAll(queue, 'aaaaaabbc');
  await drain(started, {});
  expect(names()).toBe('abcabaaaa');
});

test('a tenant with expensive work gets the same time as one with cheap work', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1, now });
  const { started, names } = enterAll(queue, 'aaabbbbbbbbbbbb');
  await drain(started, { a: 4, b: 1 });
  expect(names()).toBe('abbbbabbbbabbbb');
});

test('a tenant that was idle gets no more than its share afterwards', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1, now });
  const { started, names } = enterAll(queue, 'aaaaa');
  await settle();
  nowMs += 1_000;
  enterAll(queue, 'bbb', started);
  await drain(started, {});
  expect(names()).toBe('abababaa');
});

test('a tenant that used slots which nobody wanted does not pay for them with a long wait', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 2, inFlightPerTenantMax: 2, now });
  const { started, names } = enterAll(queue, 'ac');
  await settle();
  nowMs += 60_000;
  started.splice(0).forEach(({ slot }, index) => index === 0 && slot.release());
  enterAll(queue, 'xxxxxxxxxx', started);
  enterAll(queue, 'a', started);
  await drain(started, { x: 400 });
  expect(names().indexOf('a')).toBeLessThan(5);
});

test('work of the process goes first', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1, now });
  const { started } = enterAll(queue, 'aab');
  const order: string[] = [];
  for (const _ of [1, 2]) void enter(queue, '').then((slot) => started.push({ tenant: '', slot }));
  await settle();
  for (let n = 0; n < started.length; n += 1) {
    order.push(started[n]?.tenant ?? '');
    nowMs += 1;
    started[n]?.slot.release();
    await settle();
  }
  expect(order).toEqual(['a', '', '', 'b', 'a']);
});

test('a slot that rests stays taken for a multiple of its time', async () => {
  vi.useFakeTimers();
  try {
    const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1 });
    const slot = await enter(queue, 'a');
    const next = enter(queue, 'a');
    await vi.advanceTimersByTimeAsync(10);
    slot.rest(2);
    await vi.advanceTimersByTimeAsync(19);
    expect(queue.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    (await next).release();
  } finally {
    vi.useRealTimers();
  }
});

test('one tenant never takes the last slots', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 3, inFlightPerTenantMax: 2, now });
  const { names } = enterAll(queue, 'aaaab');
  await settle();
  expect(names()).toBe('aab');
});

test('work whose caller gives up while it waits never starts', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1, now });
  const slot = await enter(queue, 'a');
  const caller = new AbortController();
  const waiting = enter(queue, 'a', caller.signal);
  caller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'deadline_exceeded' });
  await expect(enter(queue, 'a', caller.signal)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(queue.waiting).toBe(0);
  slot.release();
  (await enter(queue, 'a')).release();
});

test('too much waiting work of a tenant is refused with 429, and other tenants are not', async () => {
  const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1, waitingMax: 2 });
  const { started } = enterAll(queue, 'aaa');
  await expect(enter(queue, 'a')).rejects.toMatchObject({
    code: 'resource_exhausted',
    type: 'workspace-busy',
    retryAfterSeconds: 1,
  });
  const other = enter(queue, 'b');
  await settle();
  started[0]?.slot.release();
  (await other).release();
  expect(queue.waiting).toBe(1);
});

test('work that waits too long is refused: 429 behind work of its tenant that ends, else 503', async () => {
  vi.useFakeTimers();
  try {
    const queue = new FairQueue({ name: 'test', inFlightMax: 1, inFlightPerTenantMax: 1 });
    const first = await enter(queue, 'a');
    const refusals = Promise.allSettled(['a', 'a', 'b'].map((tenant) => enter(queue, tenant)));
    first.release();
    await vi.advanceTimersByTimeAsync(waitMsMax);
    expect(await refusals).toMatchObject([
      { status: 'fulfilled' },
      { reason: { type: 'workspace-busy' } },
      { reason: { code: 'unavailable' } },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('no limit is ever exceeded, all work runs, and no slot stays idle while work may run', async () => {
  const step = fc.record({
    tenant: fc.constantFrom('a', 'b', 'c'),
    ends: fc.nat({ max: 3 }),
    ms: fc.nat({ max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const queue = new FairQueue({ name: 'test', inFlightMax: 3, inFlightPerTenantMax: 2, now });
      const running: { tenant: string; slot: Slot }[] = [];
      let begun = 0;
      const countOf = (tenant: string): number => running.filter((one) => one.tenant === tenant).length;
      for (const { tenant, ends, ms } of steps) {
        void enter(queue, tenant).then((slot) => {
          begun += 1;
          running.push({ tenant, slot });
        });
        await settle();
        nowMs += ms;
        for (const { slot } of running.splice(0, ends)) slot.release();
        await settle();
        expect(running.length).toBeLessThanOrEqual(3);
        for (const one of ['a', 'b', 'c']) expect(countOf(one)).toBeLessThanOrEqual(2);
        if (queue.waiting > 0) expect(running.length).toBeGreaterThanOrEqual(2);
      }
      while (running.length > 0) {
        for (const { slot } of running.splice(0)) slot.release();
        await settle();
      }
      expect(begun).toBe(steps.length);
      expect(queue.waiting).toBe(0);
    }),
    { numRuns: 50 },
  );
});
