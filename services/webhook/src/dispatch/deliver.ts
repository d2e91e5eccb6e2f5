import { setTimeout } from 'node:timers/promises';
import { broadcastSubjects } from '@parley/contracts/subjects';
import type { Broadcast } from '@parley/events/nats';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { watchBacklog, watchShards } from '../metrics.ts';
import { createDatabaseClock } from '../ownership/database-clock.ts';
import { Ownership } from '../ownership/ownership.ts';
import { Agenda } from '../scheduling/agenda.ts';
import { createBoard, type Flight, slowAttemptMs } from '../scheduling/board.ts';
import type { Lane } from '../scheduling/lane.ts';
import { shardOf } from '../scheduling/shard.ts';
import { openSender, type SenderOptions } from '../sending/attempt.ts';
import { watchEgress } from '../sending/egress.ts';
import { claimFlights, type Flights } from './flights.ts';
import type { FollowUpOptions } from './follow-up.ts';
import { Lanes, saveMs } from './lanes.ts';
import { createMutex } from './mutex.ts';
import type { Outcome } from './record-store.ts';
import { startRecorder } from './recorder.ts';
import { startScanner } from './scanner.ts';
import { release, type DelivererContext, serveLanes } from './serve.ts';
import type { TryOptions } from './try-delivery.ts';

const pollMs = 500;
const drainMsMax = 3_000;
/** Broadcast: ids of webhooks with due deliveries or changed lanes, separated by spaces. */
const dueSubject = broadcastSubjects.deliveriesDue;

type DelivererOptions = SenderOptions & Omit<TryOptions, 'egress'> & FollowUpOptions & { broker: Broadcast };

/**
 * Delivers what is due in the lanes that this replica owns (docs/webhooks/delivery.md): grants slots to lanes, reads as
 * many due deliveries, makes their attempts, and records their results. Disposing hands the lanes over, then waits up
 * to 3 seconds for the attempts in flight.
 */
export class Deliverer implements AsyncDisposable {
  readonly #context: DelivererContext;
  readonly #serving: Schedule;
  readonly #saving: Schedule;
  readonly #scanner: ReturnType<typeof startScanner>;
  readonly #recorder: ReturnType<typeof startRecorder>;
  readonly #sender: AsyncDisposable;
  readonly #measuring = new DisposableStack();
  /** Claiming must not overlap with recording, which releases claims. */
  readonly #runExclusive = createMutex();

  constructor(options: DelivererOptions) {
    const { db, logger, broker } = options;
    const onGained = () => this.#scanner.wake();
    const onHandOver = (shards: ReadonlySet<number>) => this.#closeLanes(shards);
    const wake = () => this.#serving.wake();
    const sender = openSender(options);
    const egress = watchEgress(sender, { logger, onBack: wake });
    const clock = createDatabaseClock();
    const agenda = new Agenda();
    const board = createBoard();
    const ownership = new Ownership({ db, logger, broker, clock, onGained, onHandOver });
    const lanes = new Lanes({ db, clock, ownership, onClose: board.remove });
    const flights: Flights = new Map();
    const record = (outcome: Outcome) => this.#recorder.add(outcome);
    const notified = new Set<string>();
    this.#sender = sender;
    this.#context = { ...options, notified, clock, agenda, ownership, egress, lanes, board, flights, record };
    this.#serving = repeat('deliver', pollMs, logger, () => serveLanes(this.#context));
    const onRecorded = (batch: readonly Outcome[]) => this.#release(batch);
    const runExclusive = this.#runExclusive;
    this.#recorder = startRecorder({ ...this.#context, runExclusive, onRecorded });
    this.#scanner = startScanner({ ...this.#context, onFound: wake });
    this.#saving = repeat('save lanes', saveMs, logger, () => this.#save());
    this.#measuring.use(watchBacklog(() => this.#scanner.backlog()));
    this.#measuring.use(watchShards(() => ownership.held()));
    broker.subscribe(dueSubject, (text) => this.#enqueue(text.split(' ')));
  }

  /** Call after a commit that made deliveries of these webhooks due, or changed their lanes. */
  notify(webhookIds: readonly string[]): void {
    const { ownership, broker } = this.#context;
    const { mine = [], others = [] } = Object.groupBy(webhookIds, (id) =>
      ownership.of(id) ? 'mine' : 'others',
    );
    if (mine.length > 0) this.#enqueue(mine);
    if (others.length > 0) broker.broadcast(dueSubject, others.join(' '));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { flights, ownership } = this.#context;
    const attempts = () => Promise.all(Array.from(flights.values(), ({ attempt }) => attempt));
    this.#measuring[Symbol.dispose]();
    await this.#serving[Symbol.asyncDispose]();
    await this.#scanner[Symbol.asyncDispose]();
    await ownership.leave();
    await Promise.race([attempts(), setTimeout(drainMsMax, undefined, { ref: false })]);
    await this.#sender[Symbol.asyncDispose]();
    await attempts();
    await this.#recorder[Symbol.asyncDispose]();
    await this.#saving[Symbol.asyncDispose]();
    await ownership[Symbol.asyncDispose]();
  }

  #enqueue(webhookIds: readonly string[]): void {
    for (const id of webhookIds) this.#context.notified.add(id);
    this.#serving.wake();
  }

  async #closeLanes(shards: ReadonlySet<number>): Promise<boolean> {
    const { lanes } = this.#context;
    const isClosing = (lane: Lane) => shards.has(shardOf(lane.webhookId));
    const isClaimed = await this.#claim(({ lane }) => isClosing(lane));
    return isClaimed && lanes.close(isClosing);
  }

  #claim(isMatch: (flight: Flight) => boolean): Promise<boolean> {
    const { db, ownership, flights } = this.#context;
    return this.#runExclusive(() => claimFlights(db, ownership.replicaId, flights, isMatch));
  }

  #release(batch: readonly Outcome[]): void {
    release(this.#context, batch);
    // The next delivery in order may have waited for one that was in flight when its lane was handed over.
    const handedOver = batch.filter(({ webhookId }) => !this.#context.ownership.of(webhookId));
    this.notify([...new Set(handedOver.map(({ webhookId }) => webhookId))]);
    this.#serving.wake();
  }

  async #save(): Promise<void> {
    const { lanes } = this.#context;
    const oldMs = performance.now() - slowAttemptMs;
    await this.#claim(({ startedAtMs }) => startedAtMs < oldMs);
    await lanes.save();
    lanes.removeUnused();
  }
}
