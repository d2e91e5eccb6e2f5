import { longForm } from '@parley/testing/long-form';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptResult } from '../sending/attempt.ts';
import { Agenda } from './agenda.ts';
import { standardDelaysMs } from './attempts/backoff.ts';
import { type Board, createBoard, type Flight, type Grant, slowAttemptMs } from './board.ts';
import { type Bucket, drainedAt } from './attempts/bucket.ts';
import {
  capacity,
  type Lane,
  type LaneState,
  openLane,
  settle,
  startAttempt,
  startableAtMs,
} from './lane.ts';
import { decideNextState, type NextState } from './attempts/next-state.ts';
import { ownerOf } from './shard.ts';

// The scheduler in virtual time: the real rules, with a store, receivers and replicas that are simulated. What
// `serve.ts` and the statements do between the rules is done here in the same order, with similar delays: see
// docs/decisions/0018-lane-owners.md.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const slots = 512;
const reservedSlots = 128;
const slowSlots = 256;
const workspaceSlots = 128;
const idleMs = 6 * minute;
/** Rarer than in truth: what was not notified waits for longer. */
const scanMs = 10 * second;
/** From the death of a replica until others have seized its shards. */
const seizureMs = 5_500;

type Kind = 'fast' | 'limited' | 'ordered' | 'slow' | 'hanging' | 'failing' | 'busy';

/** A webhook: what the database has of it, and what is counted for the checks. */
interface Hook {
  webhookId: string;
  workspaceId: string;
  kind: Kind;
  shard: number;
  /** How many ordering keys its deliveries have; 0: none. */
  keys: number;
  limit: { perSecond: number; burst: number } | null;
  state: LaneState;
  /** Its open deliveries by the time when they are due. */
  open: Delivery[];
  /** Deliveries by ordering key, oldest first. */
  lines: Map<number, Delivery[]>;
  starts: number;
  /** The lowest `starts - perSecond * seconds` of all its starts. */
  lowest: number;
  waitingSinceMs: number | null;
}

interface Delivery {
  id: number;
  hook: Hook;
  key: number | null;
  createdAtMs: number;
  dueAtMs: number;
  /** Nothing else was open for its webhook when it came. */
  isAlone: boolean;
  /** When its owner recorded the end of the delivery for which it had to wait. */
  releasedAtMs: number | null;
  attempts: number;
  claimedBy: Replica | null;
  /** Who makes an attempt of it. */
  sender: Replica | null;
}

interface Result {
  delivery: Delivery;
  epoch: number;
  next: NextState;
  dueAtMs: number | null;
}

interface Replica {
  id: string;
  isAlive: boolean;
  board: Board;
  /** The lanes on the board. */
  offered: Set<Lane>;
  lanes: Map<Hook, Lane>;
  flights: Map<Delivery, Flight>;
  asked: Set<Hook>;
  /** When deliveries become due in its lanes. */
  agenda: Agenda;
  dirty: Set<Hook>;
  results: Result[];
  isServing: boolean;
  isWoken: boolean;
  /** Raised by each round: a timer of an earlier one does nothing. */
  rounds: number;
}

interface Shard {
  owner: Replica | null;
  epoch: number;
  seizedAtMs: number | null;
}

interface World {
  nowMs: number;
  random: () => number;
  timeline: Timeline;
  hooks: Map<string, Hook>;
  busyHooks: Set<Hook>;
  shards: Shard[];
  replicas: Replica[];
  /** Since when no owner has been missing. */
  ownedSinceMs: number;
  /** How long first attempts had to wait of deliveries that nothing but the scheduler delayed. */
  waitsMs: number[];
  lastId: number;
  seen: {
    attempts: number;
    inFlightMax: number;
    slowMax: number;
    openings: number;
    finished: number;
    overShare: number;
  };
}

/** What happens when: a binary heap. */
interface Timeline {
  add(atMs: number, run: () => void): void;
  /** Returns what happens next, unless it is later than that. */
  take(untilMs: number): { atMs: number; run: () => void } | undefined;
}

function createTimeline(): Timeline {
  const heap: { atMs: number; place: number; run: () => void }[] = [];
  let places = 0;
  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [heap[one], heap[other]];
    if (!a || !b) return a !== undefined;
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.place < b.place);
  };
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]];
    if (a && b) [heap[one], heap[other]] = [b, a];
  };
  return {
    add: (atMs, run) => {
      places += 1;
      heap.push({ atMs, place: places, run });
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    take: (untilMs) => {
      const first = heap[0];
      if (!first || first.atMs > untilMs) return undefined;
      const last = heap.pop();
      if (last && heap.length > 0) heap[0] = last;
      for (let at = 0; ; ) {
        const child = isBefore(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
        if (child >= heap.length || !isBefore(child, at)) return first;
        swap(at, child);
        at = child;
      }
    },
  };
}

/** Pseudo-random numbers in [0, 1), determined by the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const after = (world: World, ms: number, run: () => void): void => world.timeline.add(world.nowMs + ms, run);
const between = ({ random }: World, from: number, to: number): number => from + random() * (to - from);

function run(world: World, untilMs: number): void {
  for (let next = world.timeline.take(untilMs); next; next = world.timeline.take(untilMs)) {
    world.nowMs = next.atMs;
    next.run();
  }
  world.nowMs = untilMs;
}

// The store.

const isEarlier = (one: Delivery, other: Delivery): boolean =>
  one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.id < other.id);

function placeOf({ hook: { open } }: Delivery, delivery: Delivery): number {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = open[middle];
    if (one && isEarlier(one, delivery)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(delivery: Delivery, dueAtMs: number): void {
  delivery.dueAtMs = dueAtMs;
  delivery.hook.open.splice(placeOf(delivery, delivery), 0, delivery);
}

function reschedule(delivery: Delivery, dueAtMs: number): void {
  delivery.hook.open.splice(placeOf(delivery, delivery), 1);
  insert(delivery, dueAtMs);
}

const lineOf = ({ hook, key }: Delivery): Delivery[] => (key === null ? [] : (hook.lines.get(key) ?? []));
const isBlocked = (delivery: Delivery): boolean => delivery.key !== null && lineOf(delivery)[0] !== delivery;

function finish(world: World, delivery: Delivery, isOwner: boolean): void {
  delivery.hook.open.splice(placeOf(delivery, delivery), 1);
  if (delivery.hook.open.length === 0) world.busyHooks.delete(delivery.hook);
  world.seen.finished += 1;
  const line = lineOf(delivery);
  line.splice(line.indexOf(delivery), 1);
  if (line[0]?.dueAtMs !== Number.POSITIVE_INFINITY) return;
  reschedule(line[0], world.nowMs);
  line[0].releasedAtMs = isOwner ? world.nowMs : null;
}

/** A delivery as it was read. */
interface Due {
  delivery: Delivery;
  isBlocked: boolean;
}

function readDue(hook: Hook, number: number, nowMs: number, flights: ReadonlyMap<Delivery, Flight>): Due[] {
  const read: Due[] = [];
  for (const delivery of hook.open) {
    if (delivery.dueAtMs > nowMs || read.length === number) break;
    if (delivery.claimedBy !== null || flights.has(delivery)) continue;
    read.push({ delivery, isBlocked: isBlocked(delivery) });
  }
  return read;
}

function parkBlocked(hook: Hook, nowMs: number): void {
  const isWaiting = (one: Delivery) => one.dueAtMs <= nowMs && one.claimedBy === null && isBlocked(one);
  for (const delivery of hook.open.filter(isWaiting)) reschedule(delivery, Number.POSITIVE_INFINITY);
}

/** Events come: so many deliveries are due now. */
function arrive(world: World, hook: Hook, number = 1): void {
  for (let at = 0; at < number; at += 1) {
    world.lastId += 1;
    const key = hook.keys > 0 ? Math.floor(between(world, 0, hook.keys)) : null;
    const delivery: Delivery = {
      id: world.lastId,
      hook,
      key,
      createdAtMs: world.nowMs,
      dueAtMs: world.nowMs,
      isAlone: hook.open.length === 0,
      releasedAtMs: null,
      attempts: 0,
      claimedBy: null,
      sender: null,
    };
    const line = lineOf(delivery);
    line.push(delivery);
    if (key !== null) hook.lines.set(key, line);
    insert(delivery, world.nowMs);
  }
  world.busyHooks.add(hook);
  ask(world, hook);
}

// The replicas.

function ownedBy(world: World, replica: Replica, hook: Hook): Shard | undefined {
  const shard = world.shards[hook.shard];
  return replica.isAlive && shard?.owner === replica ? shard : undefined;
}

function ask(world: World, hook: Hook): void {
  const owner = world.shards[hook.shard]?.owner;
  if (!owner?.isAlive) return;
  owner.asked.add(hook);
  wake(world, owner);
}

/** The lane in memory; it is read from the store when it is not there, or was idle. */
function laneOf(world: World, replica: Replica, hook: Hook, { epoch, seizedAtMs }: Shard): Lane {
  const known = replica.lanes.get(hook);
  if (known && (known.inFlight > 0 || known.isDirty || world.nowMs - known.usedAtMs < idleMs)) return known;
  if (known) withdraw(replica, known);
  const stored: Bucket | null = hook.state.bucket;
  const bucket = stored && seizedAtMs !== null ? drainedAt(stored, seizedAtMs) : stored;
  const { webhookId, workspaceId } = hook;
  const target = { url: '', event: '', secretToken: '', headers: null, secrets: [] };
  const row = { webhookId, workspaceId, target, revision: 1, epoch };
  const lane = openLane({ ...row, ...hook.state, bucket }, world.nowMs);
  lane.usedAtMs = world.nowMs;
  replica.lanes.set(hook, lane);
  return lane;
}

function save(hook: Hook, lane: Lane): void {
  const { openings, pausedUntilMs, pauseReason, lastSuccessAtMs, bucket } = lane;
  const { failingSinceMs, failingAgainAtMs, warnedForMs } = lane;
  const failing = { failingSinceMs, failingAgainAtMs, warnedForMs };
  hook.state = { openings, pausedUntilMs, pauseReason, lastSuccessAtMs, bucket, ...failing };
  Object.assign(lane, { isDirty: false, tallies: [] });
}

/** The lane has changed: it is saved within 250 milliseconds. */
function touch(world: World, replica: Replica, hook: Hook): void {
  replica.dirty.add(hook);
  if (replica.dirty.size > 1) return;
  after(world, 250 - (world.nowMs % 250), () => {
    if (!replica.isAlive) return;
    for (const one of replica.dirty) {
      const lane = replica.lanes.get(one);
      if (lane && ownedBy(world, replica, one)) save(one, lane);
    }
    replica.dirty.clear();
  });
}

function offer(world: World, replica: Replica, hook: Hook, lane: Lane): void {
  const isOwn = ownedBy(world, replica, hook) && replica.lanes.get(hook) === lane;
  if (!lane.hasDue || !isOwn) return withdraw(replica, lane);
  const atMs = startableAtMs(lane);
  if (atMs > world.nowMs) replica.agenda.add(hook.webhookId, atMs, world.nowMs);
  else {
    replica.board.add(lane);
    replica.offered.add(lane);
  }
}

function withdraw({ board, offered }: Replica, lane: Lane): void {
  board.remove(lane);
  offered.delete(lane);
}

function wake(world: World, replica: Replica): void {
  if (replica.isServing) replica.isWoken = true;
  else serve(world, replica);
}

/** A round: lanes are read, slots are granted, deliveries are read and started. */
function serve(world: World, replica: Replica): void {
  if (!replica.isAlive) return;
  replica.rounds += 1;
  replica.isServing = true;
  replica.isWoken = false;
  const due = replica.agenda.take(world.nowMs).map((webhookId) => hookOf(world, webhookId));
  const hooks = new Set([...replica.asked, ...due]);
  replica.asked.clear();
  const mustRead = [...hooks].some((hook) => !replica.lanes.has(hook));
  after(world, mustRead ? between(world, 1, 4) : 0, () => {
    for (const hook of hooks) {
      const shard = ownedBy(world, replica, hook);
      if (!shard) continue;
      const lane = laneOf(world, replica, hook, shard);
      Object.assign(lane, { usedAtMs: world.nowMs, hasDue: true });
      offer(world, replica, hook, lane);
    }
    grant(world, replica);
  });
}

function grant(world: World, replica: Replica): void {
  const { nowMs } = world;
  const grants = replica.board.grant(replica.flights.values(), { nowMs, monotonicMs: nowMs, most: slots });
  if (grants.length === 0) return rest(world, replica);
  checkGrants(world, replica, grants);
  const read = grants.map(({ lane, number }) => {
    const hook = hookOf(world, lane.webhookId);
    return { hook, lane, number, dues: readDue(hook, number, nowMs, replica.flights) };
  });
  after(world, between(world, 1, 6), () => {
    for (const { hook, lane, number, dues } of read) startLane(world, replica, hook, lane, dues, number);
    serve(world, replica);
  });
}

function rest(world: World, replica: Replica): void {
  replica.isServing = false;
  if (replica.isWoken) return serve(world, replica);
  const { rounds } = replica;
  const atMs = Math.max(world.nowMs + 10, replica.agenda.nextAtMs());
  if (atMs === Number.POSITIVE_INFINITY) return;
  world.timeline.add(atMs, () => {
    if (replica.rounds === rounds && !replica.isServing) serve(world, replica);
  });
}

function hookOf(world: World, webhookId: string): Hook {
  const hook = world.hooks.get(webhookId);
  if (!hook) throw new Error('no such webhook');
  return hook;
}

function startLane(
  world: World,
  replica: Replica,
  hook: Hook,
  lane: Lane,
  dues: readonly Due[],
  wanted: number,
): void {
  lane.hasDue = dues.length >= wanted;
  const shard = ownedBy(world, replica, hook);
  if (!shard || replica.lanes.get(hook) !== lane) return;
  for (const { delivery, isBlocked } of dues) {
    if (isBlocked || replica.flights.has(delivery)) continue;
    if (capacity(lane, world.nowMs) === 0) lane.hasDue = true;
    else startOne(world, replica, lane, delivery, shard.epoch);
  }
  if (dues.some(({ isBlocked }) => isBlocked)) {
    parkBlocked(hook, world.nowMs);
    lane.hasDue = true;
  }
  offer(world, replica, hook, lane);
}

function startOne(world: World, replica: Replica, lane: Lane, delivery: Delivery, epoch: number): void {
  const { hook } = delivery;
  checkStart(world, lane, delivery);
  startAttempt(lane, world.nowMs);
  if (lane.isDirty) touch(world, replica, hook);
  const isProbe = lane.openings > 0;
  const flight: Flight = { lane, startedAtMs: world.nowMs, isOver: false };
  replica.flights.set(delivery, flight);
  delivery.sender = replica;
  const answer = receive(world, hook);
  if (answer.durationMs > slowAttemptMs)
    after(world, slowAttemptMs + between(world, 0, 250), () => {
      if (replica.isAlive && replica.flights.get(delivery) === flight) delivery.claimedBy = replica;
    });
  after(world, answer.durationMs, () => end(world, replica, { flight, delivery, epoch, isProbe, answer }));
}

interface Ended {
  flight: Flight;
  delivery: Delivery;
  epoch: number;
  isProbe: boolean;
  answer: AttemptResult;
}

function end(world: World, replica: Replica, { flight, delivery, epoch, isProbe, answer }: Ended): void {
  if (!replica.isAlive || replica.flights.get(delivery) !== flight) return;
  const { nowMs } = world;
  const { hook, attempts, createdAtMs } = delivery;
  flight.isOver = true;
  const given = { nowMs, delaysMs: standardDelaysMs, random: world.random() };
  const next = decideNextState(answer, { attempt: attempts + 1, createdAtMs, plannedAtMs: null }, given);
  if (ownedBy(world, replica, hook)?.epoch === epoch) {
    const moved = settle(flight.lane, answer, { next, isProbe, nowMs });
    if (moved === 'open') world.seen.openings += 1;
    if (moved) save(hook, flight.lane);
    else touch(world, replica, hook);
  }
  const dueAtMs = 'delayMs' in next ? nowMs + next.delayMs : null;
  replica.results.push({ delivery, epoch, next, dueAtMs });
  if (replica.results.length === 1) after(world, between(world, 2, 25), () => record(world, replica));
}

function record(world: World, replica: Replica): void {
  if (!replica.isAlive) return;
  const batch = replica.results.splice(0);
  for (const { delivery, epoch, next, dueAtMs } of batch) {
    const isOwner = ownedBy(world, replica, delivery.hook)?.epoch === epoch;
    check(isOwner || delivery.claimedBy === replica, 'a result that nobody may record', world);
    if (next.state === 'retry') delivery.attempts += 1;
    Object.assign(delivery, { claimedBy: null, sender: null });
    if (dueAtMs === null) finish(world, delivery, isOwner);
    else reschedule(delivery, dueAtMs);
  }
  for (const { delivery, dueAtMs } of batch) {
    const lane = replica.flights.get(delivery)?.lane;
    replica.flights.delete(delivery);
    if (!lane) continue;
    lane.inFlight -= 1;
    if (dueAtMs !== null) replica.agenda.add(delivery.hook.webhookId, dueAtMs, world.nowMs);
    else if (delivery.key !== null) replica.asked.add(delivery.hook);
    offer(world, replica, delivery.hook, lane);
  }
  wake(world, replica);
}

// Owner changes.

function join(world: World): void {
  const id = `replica-${world.replicas.length}-${world.random()}`;
  const replica: Replica = {
    id,
    isAlive: true,
    board: createBoard(),
    offered: new Set(),
    lanes: new Map(),
    flights: new Map(),
    asked: new Set(),
    agenda: new Agenda(),
    dirty: new Set(),
    results: [],
    isServing: false,
    isWoken: false,
    rounds: 0,
  };
  world.replicas.push(replica);
  divide(world, world.replicas);
  wake(world, replica);
}

/** Hands shards over to the replicas that are to own them. What is in flight stays with the old owner. */
function divide(world: World, replicas: readonly Replica[]): void {
  const byId = new Map(replicas.map((replica) => [replica.id, replica]));
  const ids = [...byId.keys()];
  for (const [id, shard] of world.shards.entries()) {
    const owner = byId.get(ownerOf(id, ids) ?? '') ?? null;
    if (shard.owner === owner || shard.owner?.isAlive === false) continue;
    if (shard.owner) close(shard.owner, id);
    Object.assign(shard, { owner, epoch: shard.epoch + 1, seizedAtMs: null });
  }
  after(world, 20, () => scan(world));
}

function close(replica: Replica, shard: number): void {
  for (const delivery of replica.flights.keys()) {
    if (delivery.hook.shard === shard) delivery.claimedBy = replica;
  }
  for (const [hook, lane] of replica.lanes) {
    if (hook.shard !== shard) continue;
    save(hook, lane);
    replica.lanes.delete(hook);
    withdraw(replica, lane);
  }
}

/** The process ends, with or without a warning. What it had in flight is lost. */
function die(world: World, replica: Replica): void {
  replica.isAlive = false;
  world.replicas = world.replicas.filter((one) => one !== replica);
  for (const delivery of replica.flights.keys()) delivery.sender = null;
}

function crash(world: World, replica: Replica): void {
  die(world, replica);
  world.ownedSinceMs = Number.POSITIVE_INFINITY;
  after(world, seizureMs, () => {
    world.ownedSinceMs = world.nowMs;
    const ids = world.replicas.map(({ id }) => id);
    for (const [id, shard] of world.shards.entries()) {
      if (shard.owner !== replica) continue;
      const owner = world.replicas.find((one) => one.id === ownerOf(id, ids)) ?? null;
      Object.assign(shard, { owner, epoch: shard.epoch + 1, seizedAtMs: world.nowMs });
    }
    release(replica);
    scan(world);
  });
}

function leave(world: World, replica: Replica): void {
  divide(
    world,
    world.replicas.filter((one) => one !== replica),
  );
  after(world, 3 * second, () => {
    die(world, replica);
    release(replica);
  });
}

/** What a replica that is gone held is delivered by others. */
function release({ flights }: Replica): void {
  for (const delivery of flights.keys()) delivery.claimedBy = null;
}

/** Finds what nobody was notified of. */
function scan(world: World): void {
  for (const hook of world.busyHooks) {
    const owner = world.shards[hook.shard]?.owner;
    const first = hook.open.find(({ claimedBy }) => claimedBy === null);
    if (owner && first) owner.agenda.add(hook.webhookId, first.dueAtMs, world.nowMs);
  }
  for (const replica of world.replicas) wake(world, replica);
}

// The receivers.

const nothing = Buffer.of();

function receive(world: World, { kind }: Hook): AttemptResult {
  const dice = world.random();
  const answered = (status: number, durationMs: number, retryAfter: string | null = null) => ({
    startedAt: new Date(world.nowMs),
    durationMs,
    status,
    retryAfter,
    error: status < 300 ? null : (`http_${status}` as AttemptResult['error']),
    latency: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    excerpt: nothing,
    isCut: false,
  });
  const hung = { ...answered(200, 20 * second), status: null, error: 'timeout_total' as const };
  const soon = between(world, 5, 200);
  // A third of the day nobody answers.
  const isDown = world.nowMs % (3 * hour) < hour;
  if (kind === 'hanging') return hung;
  if (kind === 'slow') return answered(200, between(world, 2_500, 8_000));
  if (kind === 'failing') return isDown ? (dice < 0.5 ? hung : answered(500, soon)) : answered(200, soon);
  if (kind === 'busy' && dice < 0.2)
    return answered(dice < 0.1 ? 429 : 503, soon, String(1 + Math.floor(dice * 200)));
  return answered(dice < 0.01 ? 500 : 200, soon);
}

// The checks. An assertion of the test library for each of them would take most of the time.

function check(isTrue: boolean, otherwise: string, { nowMs }: World): void {
  if (!isTrue) throw new Error(`after ${nowMs} ms: ${otherwise}`);
}

function checkStart(world: World, lane: Lane, delivery: Delivery): void {
  const { hook } = delivery;
  const { nowMs } = world;
  check(capacity(lane, nowMs) > 0, 'started beyond the capacity', world);
  check(delivery.sender === null, 'in flight twice', world);
  check(!isBlocked(delivery), 'before its turn', world);
  const most = lane.openings > 0 ? 1 : Math.min(32, lane.inFlightMax);
  check(lane.inFlight < most, 'more in flight than the lane may have', world);
  if (hook.limit) {
    const { perSecond, burst } = hook.limit;
    const level = hook.starts - (perSecond * nowMs) / second;
    hook.lowest = Math.min(hook.lowest, level);
    check(level - hook.lowest <= burst - 1 + 1e-6, 'more starts than tokens', world);
  }
  hook.starts += 1;
  hook.waitingSinceMs = null;
  world.seen.attempts += 1;
  const { createdAtMs, attempts, isAlone, releasedAtMs } = delivery;
  const readyAtMs = releasedAtMs ?? (isAlone && hook.kind === 'fast' ? createdAtMs : Number.NaN);
  if (attempts === 0 && lane.isResponsive && readyAtMs >= world.ownedSinceMs)
    world.waitsMs.push(nowMs - readyAtMs);
}

/** The limits of the board, counted by another hand. */
function checkGrants(world: World, { flights, offered }: Replica, grants: readonly Grant[]): void {
  const { nowMs, seen } = world;
  const held = new Map<string, number>();
  const lasting = new Set<Lane>();
  let [lastingNumber, slow] = [0, 0];
  for (const { lane, startedAtMs, isOver } of flights.values()) {
    const lasts = !isOver && nowMs - startedAtMs > slowAttemptMs;
    if (lasts) lasting.add(lane);
    lastingNumber += Number(lasts);
    slow += Number(lasts || !lane.isResponsive);
    held.set(lane.workspaceId, (held.get(lane.workspaceId) ?? 0) + 1);
  }
  const isSlow = (lane: Lane): boolean => !lane.isResponsive || lasting.has(lane);
  const granted = new Map(grants.map(({ lane, number }) => [lane, number]));
  let [all, slowGranted] = [flights.size, 0];
  const over = new Set<string>();
  for (const [lane, number] of granted) {
    all += number;
    if (isSlow(lane)) slowGranted += number;
    held.set(lane.workspaceId, (held.get(lane.workspaceId) ?? 0) + number);
  }
  for (const { workspaceId } of granted.keys())
    if ((held.get(workspaceId) ?? 0) > workspaceSlots) over.add(workspaceId);
  const beyond = Math.min(slots, Math.max(0, lastingNumber - slowSlots));
  check(all <= slots + reservedSlots + beyond, 'more in flight than there are slots', world);
  check(slowGranted === 0 || slow + slowGranted <= slowSlots, 'more than half of the slots are slow', world);
  seen.inFlightMax = Math.max(seen.inFlightMax, all);
  seen.slowMax = Math.max(seen.slowMax, slow + slowGranted);
  seen.overShare += over.size;
  for (const lane of offered) {
    const isWaiting = capacity(lane, nowMs) > (granted.get(lane) ?? 0);
    if (!isWaiting) offered.delete(lane);
    const isServed = isSlow(lane) || (held.get(lane.workspaceId) ?? 0) >= workspaceSlots;
    check(!isWaiting || isServed || over.size === 0, 'a workspace has more than its share', world);
  }
}

/** How long a lane may wait that could start something, while others start. */
const waitMsMax = (kind: Kind): number => (['slow', 'hanging', 'failing'].includes(kind) ? 60 : 10) * second;

function checkWaiting(world: World): void {
  for (const hook of world.busyHooks) {
    const owner = world.shards[hook.shard]?.owner;
    const lane = owner?.lanes.get(hook);
    const pausedUntilMs = lane ? startableAtMs(lane) : (hook.state.pausedUntilMs ?? 0);
    const isStartable = lane ? capacity(lane, world.nowMs) > 0 : pausedUntilMs <= world.nowMs;
    const isReady = (one: Delivery) =>
      one.dueAtMs <= world.nowMs && !one.sender && !one.claimedBy && !isBlocked(one);
    if (!owner?.isAlive || !isStartable || !hook.open.some(isReady)) hook.waitingSinceMs = null;
    else hook.waitingSinceMs ??= world.nowMs;
    const waitedMs = world.nowMs - (hook.waitingSinceMs ?? world.nowMs);
    if (waitedMs > waitMsMax(hook.kind)) check(false, `a ${hook.kind} lane waits ${waitedMs} ms`, world);
  }
}

// The world.

const kinds: Kind[] = [
  ...Array<Kind>(13).fill('fast'),
  'limited',
  'ordered',
  'slow',
  'slow',
  'hanging',
  'failing',
  'busy',
];

function addHook(world: World, at: number, workspaces: number): void {
  const kind = kinds[at % kinds.length] ?? 'fast';
  // The first workspaces have more webhooks than the last ones.
  const workspace = at < workspaces ? at : Math.floor(workspaces * world.random() ** 2);
  const shard = Math.floor(between(world, 0, 256));
  const limit =
    kind === 'limited'
      ? { perSecond: 0.05 * 10 ** Math.floor(between(world, 0, 4)), burst: Math.floor(between(world, 1, 20)) }
      : null;
  const webhookId = at.toString(16).padStart(34, '0') + shard.toString(16).padStart(2, '0');
  world.hooks.set(webhookId, {
    webhookId,
    workspaceId: `w-${workspace}`,
    kind,
    shard,
    keys: kind === 'ordered' ? Math.floor(between(world, 1, 4)) : 0,
    limit,
    state: {
      openings: 0,
      pausedUntilMs: null,
      pauseReason: null,
      lastSuccessAtMs: null,
      failingSinceMs: null,
      failingAgainAtMs: null,
      warnedForMs: null,
      bucket: limit && { ...limit, fullAtMs: 0 },
    },
    open: [],
    lines: new Map(),
    starts: 0,
    lowest: Number.POSITIVE_INFINITY,
    waitingSinceMs: null,
  });
}

function createWorld({
  seed,
  lanes,
  workspaces,
}: {
  seed: number;
  lanes: number;
  workspaces: number;
}): World {
  const world: World = {
    nowMs: 0,
    random: randomOf(seed),
    timeline: createTimeline(),
    hooks: new Map(),
    busyHooks: new Set(),
    shards: Array.from({ length: 256 }, () => ({ owner: null, epoch: 0, seizedAtMs: null })),
    replicas: [],
    ownedSinceMs: 0,
    waitsMs: [],
    lastId: 0,
    seen: {
      attempts: 0,
      inFlightMax: 0,
      slowMax: 0,
      openings: 0,
      finished: 0,
      overShare: 0,
    },
  };
  for (let at = 0; at < lanes; at += 1) addHook(world, at, workspaces);
  for (let at = 0; at < 3; at += 1) join(world);
  every(world, scanMs, () => scan(world));
  every(world, scanMs, () => checkWaiting(world));
  return world;
}

function every(world: World, ms: number, act: () => void): void {
  after(world, ms, () => {
    act();
    every(world, ms, act);
  });
}

/** Events at random times, so many in an hour, each for one webhook. */
function sprinkle(world: World, hooks: readonly Hook[], anHour: number): void {
  after(world, (-Math.log(1 - world.random()) * hour) / anHour, () => {
    arrive(world, pick(world, hooks));
    sprinkle(world, hooks, anHour);
  });
}

/** A replica is killed, and another one takes its place; later one comes and another one goes. */
function changeOwners(world: World, everyMs: number): void {
  every(world, everyMs, () => {
    // Right after events came that are due by the minute: what was started is not saved yet.
    after(world, 100, () => crash(world, pick(world, world.replicas)));
    after(world, everyMs / 10, () => join(world));
    after(world, everyMs / 2, () => {
      join(world);
      leave(world, pick(world, world.replicas));
    });
  });
}

const longest = (waitsMs: readonly number[]): number =>
  waitsMs.reduce((one, other) => Math.max(one, other), 0);

const pick = <One>(world: World, all: readonly One[]): One => {
  const one = all[Math.floor(between(world, 0, all.length))];
  if (one === undefined) throw new Error('there is none');
  return one;
};

test('hours of 5,000 lanes: all limits hold at every instant, and no lane starves', () => {
  const hours = longForm(6);
  const world = createWorld({ seed: 1, lanes: 5_000, workspaces: 500 });
  const hooks = [...world.hooks.values()];
  sprinkle(world, hooks, 1_200);
  every(world, 4 * hour, () => hooks.forEach((hook) => arrive(world, hook)));
  every(world, 20 * minute, () => {
    const { workspaceId } = pick(world, hooks);
    for (const hook of hooks) if (hook.workspaceId === workspaceId) arrive(world, hook, 40);
  });
  every(world, 2 * hour, () => arrive(world, pick(world, hooks), 2_000));
  changeOwners(world, 3 * hour);
  run(world, hours * hour + minute);

  const { seen, waitsMs } = world;
  // The limits were reached: else none of them was tested.
  expect(seen.attempts).toBeGreaterThan(4_000 * hours);
  expect(seen.inFlightMax).toBeGreaterThanOrEqual(slots + reservedSlots);
  expect(seen.slowMax).toBeGreaterThanOrEqual(slowSlots);
  expect(seen.overShare).toBeGreaterThan(0);
  expect(waitsMs.length).toBeGreaterThan(1_250 * hours);
  expect(longest(waitsMs)).toBeLessThan(second);
  const isUnsent = ({ attempts, createdAtMs }: Delivery) =>
    attempts === 0 && createdAtMs < world.nowMs - minute;
  const late = hooks.filter(({ kind, open }) => kind === 'fast' && open.some(isUnsent));
  expect(late).toEqual([]);
});

test('limits, order and tokens hold in whatever order things happen, with owners that change every few minutes', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const world = createWorld({ seed, lanes: 80, workspaces: 5 });
      const hooks = [...world.hooks.values()];
      sprinkle(world, hooks, 4_000);
      every(world, minute, () => arrive(world, pick(world, hooks), 200));
      every(world, minute, () => {
        for (const hook of hooks) if (hook.limit || hook.keys > 0) arrive(world, hook, 20);
      });
      changeOwners(world, 4 * minute);
      run(world, 30 * minute);
      expect(longest(world.waitsMs)).toBeLessThan(second);
    }),
    { numRuns: 5 },
  );
});
