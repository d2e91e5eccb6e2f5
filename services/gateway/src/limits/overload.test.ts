import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOverload, type Overload } from './overload.ts';

/** Calls per second that the simulated system can answer. */
const capacity = 1_000;
/** How long a call takes without others, in milliseconds. */
const serviceMs = 5;

interface Kind {
  tenant?: string;
  perSecond: number;
  route?: Parameters<Overload['run']>[0]['route'];
  /** How long it takes besides: it waits for something of its own. */
  ownMs?: number;
}

interface Sent {
  kind: Kind;
  atMs: number;
  /** Undefined for a refused call. */
  tookMs?: number;
  refusedAfterMs?: number;
}

const read = { operationId: 'read', access: 'key' } as const;
const turn = { operationId: 'turn', access: 'session' } as const;
const exported = { operationId: 'export', access: 'key', streams: {} } as const;

/** A system with one queue, in front of which calls are admitted, in simulated time. */
function simulate() {
  let [nowMs, freeAtMs, seed] = [0, 0, 1];
  const overload = createOverload(() => nowMs);
  const endings: { atMs: number; end: () => void }[] = [];
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const send = (kind: Kind, sent: Sent[]): void => {
    const call: Sent = { kind, atMs: nowMs };
    sent.push(call);
    const work = () =>
      new Promise<void>((end) => {
        freeAtMs = Math.max(freeAtMs, nowMs) + 1_000 / capacity;
        endings.push({ atMs: freeAtMs + serviceMs + (kind.ownMs ?? 0), end });
      });
    const ran = overload.run({ route: kind.route ?? read, tenant: kind.tenant ?? 'one' }, work);
    void ran.then(
      () => (call.tookMs = nowMs - call.atMs),
      () => (call.refusedAfterMs = nowMs - call.atMs),
    );
  };
  /** Sends calls at random moments. Returns all of them, ended or not. */
  const load = async (seconds: number, ...kinds: Kind[]): Promise<Sent[]> => {
    const sent: Sent[] = [];
    for (const untilMs = nowMs + seconds * 1_000; nowMs < untilMs; nowMs += 1) {
      for (const kind of kinds)
        for (let left = kind.perSecond / 1_000; left > 0; left -= 1) if (random() < left) send(kind, sent);
      const over = endings.filter(({ atMs }) => atMs <= nowMs);
      for (const one of over) {
        endings.splice(endings.indexOf(one), 1);
        one.end();
      }
      if (over.length > 0) await setImmediate();
    }
    return sent;
  };
  /** Lets the system do nothing for so long, as on a busy machine. */
  const stall = (ms: number): void => void (freeAtMs = Math.max(freeAtMs, nowMs) + ms);
  return { load, overload, stall };
}

function percentile(values: readonly (number | undefined)[], share: number): number {
  const sorted = values.flatMap((value) => value ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

const p99 = (sent: readonly Sent[]): number =>
  percentile(
    sent.map(({ tookMs }) => tookMs),
    0.99,
  );

const refused = (sent: readonly Sent[], kind?: Kind): number =>
  sent.filter((call) => (!kind || call.kind === kind) && call.tookMs === undefined).length;

test('at twice the capacity, accepted calls stay quick, most of the capacity is used, and all is well soon after', async () => {
  const { load } = simulate();
  const normal = await load(30, { perSecond: capacity * 0.7 });
  expect(refused(normal.slice(0, -50))).toBe(0);
  // From its first moment.
  const over = (await load(90, { perSecond: capacity * 2 })).slice(0, -200);
  expect(p99(over)).toBeLessThan(100);
  const refusedAfter = over.map(({ refusedAfterMs }) => refusedAfterMs);
  expect(percentile(refusedAfter, 0.99)).toBeLessThan(20);
  expect(over.length - refused(over)).toBeGreaterThan(90 * capacity * 0.95);
  await load(5, { perSecond: capacity * 0.7 });
  const after = await load(10, { perSecond: capacity * 0.7 });
  expect(refused(after.slice(0, -50))).toBe(0);
  expect(p99(after)).toBeLessThan(p99(normal) * 2);
});

test('below the capacity nothing is refused, though the system stands still again and again', async () => {
  const { load, stall } = simulate();
  await load(30, { perSecond: capacity * 0.5 });
  const sent: Sent[] = [];
  for (let stalls = 0; stalls < 20; stalls += 1) {
    stall(600);
    sent.push(...(await load(1.2, { perSecond: capacity * 0.45 })));
  }
  expect(refused(sent.slice(0, -50))).toBe(0);
});

test('conversations are refused last, exports first', async () => {
  const { load } = simulate();
  const conversations = { perSecond: capacity * 0.5, route: turn };
  const calls = { perSecond: capacity, route: read };
  const exports = { perSecond: capacity * 0.2, route: exported };
  await load(
    30,
    { ...conversations, perSecond: 100 },
    { ...calls, perSecond: 100 },
    { ...exports, perSecond: 10 },
  );
  await load(3, conversations, calls, exports);
  const sent = (await load(30, conversations, calls, exports)).slice(0, -500);
  const shareOf = (kind: Kind) => refused(sent, kind) / sent.filter((call) => call.kind === kind).length;
  expect(shareOf(exports)).toBeGreaterThan(0.9);
  expect(shareOf(calls)).toBeGreaterThan(0.3);
  expect(shareOf(conversations)).toBeLessThan(0.01);
});

test('many calls at once, which are as quick as usual, leave room for exports', async () => {
  const { load, overload } = simulate();
  const calls = { perSecond: capacity * 0.4, ownMs: 300 };
  const exports = { perSecond: 10, route: exported };
  await load(30, calls);
  expect(refused(await load(10, calls, exports), exports)).toBeLessThan(5);
  expect(overload.isBusy()).toBe(false);
});

test('a burst that ends within the time is answered late, and nothing of it is refused', async () => {
  const { load } = simulate();
  await load(30, { perSecond: capacity * 0.5 });
  const burst = await load(0.3, { perSecond: capacity * 2 });
  await load(10, { perSecond: 10 });
  expect(refused(burst)).toBe(0);
});

test('a tenant that waits for something of its own is no overload for others, nor for itself', async () => {
  const { load, overload } = simulate();
  const others = ['two', 'three', 'four'].map((tenant) => ({ tenant, perSecond: 50 }));
  await load(30, { perSecond: 100 }, ...others);
  const sent = await load(30, { perSecond: 200, ownMs: 3_000 }, ...others);
  await load(5, ...others);
  expect(refused(sent)).toBe(0);
  expect(overload.isBusy()).toBe(false);
});

test('a tenant with few calls gets its answers while another one overloads the system', async () => {
  const { load } = simulate();
  const few = { tenant: 'few', perSecond: 20 };
  const many = { tenant: 'many', perSecond: capacity * 2 };
  await load(30, few, { ...many, perSecond: 100 });
  await load(3, few, many);
  const sent = (await load(30, few, many)).slice(0, -300);
  expect(refused(sent, few)).toBe(0);
});

test('a tenant with few calls gets its answers while all calls are slow and those of another one wait for long', async () => {
  const { load } = simulate();
  const few = { tenant: 'few', perSecond: 25 };
  await load(30, few, { tenant: 'many', perSecond: 25 });
  const slow = { ...few, ownMs: 600 };
  const waits = { tenant: 'many', perSecond: 200, ownMs: 5_000 };
  const sent = await load(30, slow, waits);
  await load(6, few);
  expect(refused(sent, slow)).toBe(0);
  expect(refused(sent, waits)).toBeGreaterThan(0);
});
