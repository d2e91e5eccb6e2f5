import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOverload, limitMin, type Overload, slowMsMin } from './overload.ts';

/** Calls per second that the simulated system can answer. */
const capacity = 500;
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
      () => undefined,
    );
  };
  /** Sends calls at random moments. Returns all of them, ended or not. */
  const load = async (seconds: number, ...kinds: Kind[]): Promise<Sent[]> => {
    const sent: Sent[] = [];
    for (const untilMs = nowMs + seconds * 1_000; nowMs < untilMs; nowMs += 1) {
      for (const kind of kinds) if (random() < kind.perSecond / 1_000) send(kind, sent);
      const over = endings.filter(({ atMs }) => atMs <= nowMs);
      for (const one of over) {
        endings.splice(endings.indexOf(one), 1);
        one.end();
      }
      if (over.length > 0) await setImmediate();
    }
    return sent;
  };
  return { load, overload };
}

function percentile(sent: readonly Sent[], share: number): number {
  const took = sent.flatMap(({ tookMs }) => tookMs ?? []).toSorted((a, b) => a - b);
  return took[Math.floor(took.length * share)] ?? Number.NaN;
}

const refused = (sent: readonly Sent[], kind?: Kind): number =>
  sent.filter((call) => (!kind || call.kind === kind) && call.tookMs === undefined).length;

test('at twice the capacity, accepted calls stay quick, most of the capacity is used, and all is well soon after', async () => {
  const { load } = simulate();
  const normal = await load(60, { perSecond: capacity * 0.7 });
  expect(refused(normal.slice(0, -50))).toBe(0);
  await load(2, { perSecond: capacity * 2 });
  const over = (await load(60, { perSecond: capacity * 2 })).slice(0, -200);
  expect(percentile(over, 0.99)).toBeLessThan(limitMin * 4);
  expect(over.length - refused(over)).toBeGreaterThan(60 * capacity * 0.9);
  await load(5, { perSecond: capacity * 0.7 });
  const after = await load(10, { perSecond: capacity * 0.7 });
  expect(refused(after.slice(0, -50))).toBe(0);
  expect(percentile(after, 0.99)).toBeLessThan(percentile(normal, 0.99) * 2);
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

test('a burst that ends within the time is answered late, and nothing of it is refused', async () => {
  const { load } = simulate();
  await load(30, { perSecond: capacity * 0.5 });
  const burst = await load(slowMsMin / 2 / 1_000, { perSecond: capacity * 2 });
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
