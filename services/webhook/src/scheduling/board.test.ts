import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBoard, type Flight, type Grant, slowAttemptMs } from './board.ts';
import { capacity, type Lane, openLane } from './lane.ts';

const monotonicMs = 100_000;
const now = { nowMs: 0, monotonicMs, most: 1_000 };
const slots = 512;
const reserved = 128;

function laneOf(workspaceId: string, of: Partial<Lane> = {}): Lane {
  const read = {
    webhookId: '-',
    workspaceId,
    target: { url: '', event: '', secretToken: '', headers: null, secrets: [] },
    revision: 1,
    epoch: 1,
    openings: 0,
    pausedUntilMs: null,
    pauseReason: null,
    lastSuccessAtMs: null,
    failingSinceMs: null,
    failingAgainAtMs: null,
    warnedForMs: null,
    bucket: null,
  };
  return Object.assign(openLane(read, 0), { inFlightMax: 32, ...of });
}

const lanesOf = (workspaceId: string, number: number, of?: Partial<Lane>): Lane[] =>
  Array.from({ length: number }, () => laneOf(workspaceId, of));

/** So many flights of a lane; the ones that last are in their second second. */
function flightsOf(lane: Lane, number: number, { isSlowAttempt = false, isOver = false } = {}): Flight[] {
  const startedAtMs = isSlowAttempt ? monotonicMs - 1_500 : monotonicMs - slowAttemptMs;
  return Array.from({ length: number }, () => ({ lane, startedAtMs, isOver }));
}

function boardOf(...lanes: Lane[]) {
  const board = createBoard();
  for (const lane of lanes) board.add(lane);
  return board;
}

const granted = (grants: readonly Grant[], has: (lane: Lane) => boolean = () => true): number =>
  grants.reduce((sum, { lane, number }) => sum + (has(lane) ? number : 0), 0);
const grantedTo = (grants: readonly Grant[], lane: Lane): number => granted(grants, (one) => one === lane);
const ofWorkspace =
  (id: string) =>
  ({ workspaceId }: Lane): boolean =>
    workspaceId === id;

/** How many are started at once when nothing is in flight. */
const startsMax = granted(boardOf(...['a', 'b', 'c', 'd'].flatMap((id) => lanesOf(id, 100))).grant([], now));

test('workspaces take turns: one with many lanes gets no more than one with one', () => {
  const one = laneOf('small');
  const board = boardOf(...lanesOf('large', 100), one);
  const grants = board.grant([], { ...now, most: 20 });
  expect(grantedTo(grants, one)).toBe(10);
  expect(granted(grants, ofWorkspace('large'))).toBe(10);
});

test('the lanes of a workspace take turns', () => {
  const lanes = lanesOf('a', 5);
  const grants = boardOf(...lanes).grant([], { ...now, most: 12 });
  expect(lanes.map((lane) => grantedTo(grants, lane))).toEqual([3, 3, 2, 2, 2]);
});

test('the next round goes on where the last one ended', () => {
  const lanes = ['a', 'b', 'c'].map((id) => laneOf(id));
  const board = boardOf(...lanes);
  const rounds = Array.from({ length: 3 }, () => board.grant([], { ...now, most: 2 }));
  expect(lanes.map((lane) => rounds.map((grants) => grantedTo(grants, lane)))).toEqual([
    [1, 1, 0],
    [1, 0, 1],
    [0, 1, 1],
  ]);
});

test('lanes that can take more go behind the others nevertheless, and so do their workspaces', () => {
  const lanes = ['a', 'a', 'b', 'b'].map((id) => laneOf(id));
  const board = boardOf(...lanes);
  const rounds = Array.from({ length: 4 }, () => board.grant([], { ...now, most: 3 }));
  expect(lanes.map((lane) => grantedTo(rounds.flat(), lane))).toEqual([3, 3, 3, 3]);
});

test('a lane that can take no more leaves the board until it is added again', () => {
  const lane = laneOf('a', { inFlightMax: 2 });
  const board = boardOf(lane);
  expect(board.grant([], now)).toEqual([{ lane, number: 2 }]);
  expect(board.grant([], now)).toEqual([]);
  board.add(lane);
  board.remove(lane);
  expect(board.grant([], now)).toEqual([]);
  board.add(lane);
  expect(board.grant([], now)).toEqual([{ lane, number: 2 }]);
});

test('no more is started at once than a part of the slots, nor than is asked for', () => {
  expect(startsMax).toBeGreaterThan(0);
  expect(startsMax).toBeLessThan(slots);
  const board = boardOf(...lanesOf('a', 100));
  expect(granted(board.grant([], { ...now, most: 7 }))).toBe(7);
  expect(board.grant([], { ...now, most: 0 })).toEqual([]);
});

test('a workspace with 128 in flight comes after all others, and gets what they leave', () => {
  const busy = laneOf('busy');
  const flights = flightsOf(busy, 128);
  const board = boardOf(busy, laneOf('idle', { inFlightMax: 16 }));
  const grants = board.grant(flights, now);
  expect(granted(grants, ofWorkspace('idle'))).toBe(16);
  expect(grantedTo(grants, busy)).toBe(32);
  board.add(busy);
  board.add(laneOf('idle'));
  expect(granted(board.grant(flights, { ...now, most: 20 }), ofWorkspace('idle'))).toBe(20);
});

test('the last 128 slots are for workspaces with fewer than eight in flight', () => {
  const [busy, few] = [laneOf('busy'), laneOf('few')];
  const flights = [...flightsOf(laneOf('others'), slots), ...flightsOf(busy, 8), ...flightsOf(few, 7)];
  expect(boardOf(busy, few).grant(flights, now)).toEqual([{ lane: few, number: 1 }]);
  const full = [...flights, ...flightsOf(laneOf('others'), reserved)];
  expect(boardOf(busy, few).grant(full, now)).toEqual([]);
});

test('lanes that are not responsive get half of the slots, and 32 at once', () => {
  const slow = lanesOf('slow', 10, { isResponsive: false });
  const grants = boardOf(...slow, laneOf('fast')).grant([], now);
  expect(granted(grants, ofWorkspace('slow'))).toBe(32);
  expect(granted(grants, ofWorkspace('fast'))).toBe(32);
  const others = flightsOf(laneOf('others', { isResponsive: false }), 250);
  expect(granted(boardOf(...slow).grant(others, now))).toBe(6);
});

test('slow lanes that have to wait keep their turn, and delay nobody', () => {
  const slow = laneOf('a', { isResponsive: false });
  const fast = laneOf('a');
  const board = boardOf(slow, fast);
  const full = flightsOf(laneOf('others', { isResponsive: false }), 256);
  expect(board.grant(full, { ...now, most: 1 })).toEqual([{ lane: fast, number: 1 }]);
  expect(board.grant([], { ...now, most: 1 })).toEqual([{ lane: slow, number: 1 }]);
});

test('a lane with an attempt that lasts counts as slow, until that attempt is over', () => {
  const lane = laneOf('a');
  const others = flightsOf(laneOf('others', { isResponsive: false }), 256);
  const grantedWith = (flights: Flight[]): number => granted(boardOf(lane).grant(flights, now));
  expect(grantedWith([...others, ...flightsOf(lane, 1, { isSlowAttempt: true })])).toBe(0);
  expect(grantedWith([...others, ...flightsOf(lane, 1, { isSlowAttempt: true, isOver: true })])).toBe(32);
  expect(grantedWith([...others, ...flightsOf(lane, 1)])).toBe(32);
});

test('receivers that all stop answering at once take no slots from the others, up to 512 beyond their half', () => {
  const lasting = (number: number) => flightsOf(laneOf('hanging'), number, { isSlowAttempt: true });
  const free = (flights: Flight[]): number => {
    const board = boardOf(...Array.from({ length: 100 }, (_, at) => laneOf(`w-${at}`)));
    return granted(board.grant(flights, now));
  };
  expect(free(lasting(slots + reserved))).toBe(startsMax);
  expect(free(lasting(256 + slots))).toBe(startsMax);
  expect(free(lasting(256 + slots + 300))).toBe(Math.min(startsMax, 84));
  expect(free(lasting(256 + slots + 384))).toBe(0);
});

interface Case {
  lanes: Lane[];
  flights: Flight[];
}

const cases: fc.Arbitrary<Case> = fc
  .array(
    fc.record({
      workspace: fc.nat({ max: 5 }),
      isResponsive: fc.boolean(),
      inFlightMax: fc.integer({ min: 1, max: 32 }),
      inFlight: fc.integer({ min: 0, max: 32 }),
      openings: fc.constantFrom(0, 0, 0, 2),
      isSlowAttempt: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((all) => {
    const lanes = all.map(({ workspace, isResponsive, inFlightMax, inFlight, openings }) =>
      laneOf(`w-${workspace}`, { isResponsive, inFlightMax, inFlight, openings }),
    );
    const flights = lanes.flatMap((lane, at) => flightsOf(lane, lane.inFlight, all[at]));
    return { lanes, flights };
  });

const heldBy = (flights: readonly Flight[], grants: readonly Grant[], workspaceId: string): number => {
  const isTheirs = ofWorkspace(workspaceId);
  return flights.filter(({ lane }) => isTheirs(lane)).length + granted(grants, isTheirs);
};

test('whatever is in flight, grants keep all limits', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 300 }), ({ lanes, flights }, most) => {
      const grants = boardOf(...lanes).grant(flights, { ...now, most });
      for (const { lane, number } of grants) {
        expect(number).toBeGreaterThan(0);
        expect(number).toBeLessThanOrEqual(capacity(lane, 0));
      }
      const lasting = flights.filter(({ startedAtMs }) => startedAtMs < monotonicMs - slowAttemptMs);
      const lastingLanes = new Set(lasting.map(({ lane }) => lane));
      const isSlow = (lane: Lane) => !lane.isResponsive || lastingLanes.has(lane);
      const slow = flights.filter((one) => lasting.includes(one) || !one.lane.isResponsive).length;
      const most512 = Math.min(slots, Math.max(0, lasting.length - slots / 2));
      const all = flights.length + granted(grants);
      expect(granted(grants)).toBeLessThanOrEqual(Math.min(startsMax, most));
      expect(granted(grants, isSlow)).toBeLessThanOrEqual(Math.min(32, Math.max(0, slots / 2 - slow)));
      if (grants.length > 0) expect(all - most512).toBeLessThanOrEqual(slots + reserved);
    }),
    { numRuns: 200 },
  );
});

test('whatever is in flight, no slot stays free for which a lane waits', () => {
  fc.assert(
    fc.property(cases, ({ lanes, flights }) => {
      const grants = boardOf(...lanes).grant(flights, now);
      const lasting = flights.filter(({ startedAtMs }) => startedAtMs < monotonicMs - slowAttemptMs);
      const lastingLanes = new Set(lasting.map(({ lane }) => lane));
      const most512 = Math.min(slots, Math.max(0, lasting.length - slots / 2));
      const free = slots + reserved + most512 - flights.length - granted(grants);
      for (const lane of lanes) {
        const left = capacity(lane, 0) - grantedTo(grants, lane);
        if (left <= 0 || !lane.isResponsive || lastingLanes.has(lane)) continue;
        const hasFew = heldBy(flights, grants, lane.workspaceId) < 8;
        const isBlocked = granted(grants) === startsMax || free <= (hasFew ? 0 : reserved);
        expect(isBlocked).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('a workspace gets more than 128 only if no other one with less could have had the slot', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: startsMax }), ({ lanes, flights }, most) => {
      const grants = boardOf(...lanes).grant(flights, { ...now, most });
      const workspaceIds = new Set(lanes.map(({ workspaceId }) => workspaceId));
      const got = (id: string): number => granted(grants, ofWorkspace(id));
      const exceeds = [...workspaceIds].some((id) => got(id) > 0 && heldBy(flights, grants, id) > 128);
      if (!exceeds) return;
      const lasting = new Set(
        flights.flatMap((one) => (one.startedAtMs < monotonicMs - 500 ? [one.lane] : [])),
      );
      for (const lane of lanes) {
        const isFast = lane.isResponsive && !lasting.has(lane);
        const left = capacity(lane, 0) - grantedTo(grants, lane);
        if (isFast && left > 0) expect(heldBy(flights, grants, lane.workspaceId)).toBeGreaterThanOrEqual(128);
      }
    }),
    { numRuns: 200 },
  );
});
