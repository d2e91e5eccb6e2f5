import { busyTime } from '../measure/processor-time.ts';
import { spreadText } from '../measure/turns.ts';
import type { Worker } from '../setup/worker.ts';
import type { ReceiverState } from './receiver.ts';

/** The cost of a delivery in a turn: microseconds of processor time. */
export interface Cost {
  workerUs: number;
  /** Postgres or Redis. */
  storeUs: number;
  perSecond: number;
  /** How many processors other processes kept busy, including the receiver. */
  busyElsewhere: number;
}

export interface Measured {
  /** Returns the microseconds of processor time so far. */
  times(): { worker: number; store: number };
  /** Rejects when its process has ended. */
  ended: Promise<never>;
}

/** The first fifth of a turn and its last twentieth are not counted, because queues start and end differently. */
const countedFrom = 0.2;
const countedUntil = 0.95;

/** Starts this many deliveries, and returns the cost of the ones in the middle. */
export async function costOf(
  measured: Measured,
  { receiver, deliveries, start }: { receiver: Worker; deliveries: number; start: () => Promise<void> },
): Promise<Cost> {
  const { count: before } = await receiver.ask<ReceiverState>({});
  const now = () => ({ ...measured.times(), busy: busyTime(), at: performance.now() });
  const received = (share: number): Promise<ReceiverState> =>
    receivedBy(measured, receiver, before + Math.floor(share * deliveries));
  await start();
  const { count: first } = await received(countedFrom);
  const from = now();
  const { count: last } = await received(countedUntil);
  const to = now();
  const counted = last - first;
  const seconds = (to.at - from.at) / 1_000;
  const worker = to.worker - from.worker;
  const store = to.store - from.store;
  return {
    workerUs: worker / counted,
    storeUs: store / counted,
    perSecond: counted / seconds,
    busyElsewhere: Math.max(0, to.busy - from.busy - worker - store) / 1e6 / seconds,
  };
}

/** Waits until the receiver has had this many in all. */
export function receivedBy({ ended }: Measured, receiver: Worker, until: number): Promise<ReceiverState> {
  return Promise.race([receiver.ask<ReceiverState>({ until }), ended]);
}

/** Worker and store together. */
export function totalOf({ workerUs, storeUs }: Cost): number {
  return workerUs + storeUs;
}

export function costLines(costs: ReadonlyMap<string, readonly Cost[]>): string[] {
  const columns: [head: string, of: (cost: Cost) => number, digits: number][] = [
    ['us a delivery', totalOf, 0],
    ['worker', ({ workerUs }) => workerUs, 0],
    ['store', ({ storeUs }) => storeUs, 0],
    ['deliveries/s', ({ perSecond }) => perSecond, 0],
    ['processors busy elsewhere', ({ busyElsewhere }) => busyElsewhere, 2],
  ];
  const line = (name: string, cells: string[]): string =>
    `${name.padEnd(26)}${cells.map((cell) => cell.padEnd(22)).join('')}`.trimEnd();
  return [
    line(
      '',
      columns.map(([head]) => head),
    ),
    ...[...costs].map(([name, own]) =>
      line(
        name,
        columns.map(([, of, digits]) => spreadText(own.map(of), digits)),
      ),
    ),
  ];
}
