import { channel } from 'node:diagnostics_channel';
import { deadlineExceeded, unavailable } from '@parley/runtime/errors';
import { FairQueue } from '@parley/runtime/scheduling/fair-queue';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { currentWork, detached } from '@parley/runtime/scheduling/work';
import { CompiledQuery, type QueryResult } from 'kysely';
import { Connection, type ConnectionConfig } from './connection.ts';
import { cancelledStatements, type PoolUsage, recordWait } from '../metrics.ts';

/** How many small reads share a connection. */
const sharedMax = 32;
const idleMsMax = 10_000;
const idleCheckMsMin = 1_000;

/** How many scans of a workspace wait in a process. Each takes up to seconds, so more would time out. */
export const waitingScansMax = 64;

/**
 * How a statement uses connections. A `read` costs the same for any number of rows and shares a connection. A `scan` is
 * a read whose cost grows with the data of its tenant. Everything else is a `write`.
 */
export type StatementKind = 'read' | 'scan' | 'write';

/** Has each statement outside of transactions with its kind: a test run checks them. */
const statements = channel('parley.postgres.statement');

const cancelStatement = `select pg_cancel_backend(pid) from pg_stat_get_activity($1)
  where wait_event is distinct from 'SyncRep'`;

interface Hold {
  release(): void;
  /** Settles when the server has been asked to cancel what the holder left running. */
  cancelling: Promise<unknown> | undefined;
}

/**
 * The connections of a process to its database. They are opened on demand and closed after ten idle seconds.
 *
 * Small reads are pipelined over two of ten. Three of ten run scans, one per tenant at a time. The rest runs writes and
 * transactions. So no class of statements waits for another one. Within a class, tenants take turns. The server cancels
 * a scan, write or transaction that its caller has given up.
 */
export class Connections {
  readonly #config: () => ConnectionConfig;
  readonly #readingMax: number;
  readonly #logger: Logger;
  readonly #queues: Record<StatementKind, FairQueue>;
  /** The connections that are not retired, in the order of their opening. */
  readonly #inService: Connection[] = [];
  /** All connections that are not closed, retired ones included. */
  readonly #notClosed = new Set<Connection>();
  readonly #holds = new Map<Connection, Hold>();
  readonly #connectionsMax: number;
  readonly #closed = Promise.withResolvers<void>();
  readonly #events = {
    onDrained: (connection: Connection): void => this.#settle(connection),
    onRetired: (connection: Connection, error?: Error): void => this.#takeOutOfService(connection, error),
    onServerLost: (): void => {
      const open = this.#inService.slice();
      for (const connection of open) connection.retire();
    },
    onClosed: (connection: Connection): void => this.#forget(connection),
  };
  #isClosing = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** `connectionsMax` is at least three. `config` is called for each new connection. */
  constructor(
    config: () => ConnectionConfig,
    { connectionsMax, logger }: { connectionsMax: number; logger: Logger },
  ) {
    this.#config = config;
    this.#connectionsMax = connectionsMax;
    this.#logger = logger;
    const reading = Math.max(1, Math.floor(connectionsMax / 5));
    const scanning = Math.max(1, Math.floor((connectionsMax * 3) / 10));
    const writing = connectionsMax - reading - scanning;
    const reads = reading * sharedMax;
    this.#readingMax = reading;
    this.#queues = {
      read: new FairQueue({ name: 'read', inFlightMax: reads, inFlightPerTenantMax: reads / 2 }),
      scan: new FairQueue({
        name: 'scan',
        inFlightMax: scanning,
        inFlightPerTenantMax: 1,
        waitingMax: waitingScansMax,
      }),
      write: new FairQueue({
        name: 'write',
        inFlightMax: writing,
        // A transaction may need another connection beside its own.
        inFlightPerTenantMax: Math.max(Math.min(writing, 2), writing - 1),
      }),
    };
  }

  async run<Row>(query: CompiledQuery, kind: StatementKind): Promise<QueryResult<Row>> {
    this.#refuseWhenClosing();
    if (statements.hasSubscribers) statements.publish({ text: query.sql, kind });
    if (kind === 'read') {
      return this.#queues.read.run(() => this.#forRead().executeQuery<Row>(query));
    }
    const connection = await this.reserve(kind);
    try {
      return await connection.executeQuery<Row>(query);
    } finally {
      await this.release(connection);
    }
  }

  /** Returns a connection for one exclusive holder. Throws as `FairQueue` does. */
  async reserve(kind: 'scan' | 'write' = 'write'): Promise<Connection> {
    this.#refuseWhenClosing();
    const startedAtMs = performance.now();
    const slot = await this.#queues[kind].enter();
    const connection = this.#inService.find(isFree) ?? this.#open();
    connection.isReserved = true;
    this.#hold(connection, () => slot.release());
    try {
      await connection.opened;
    } catch (error) {
      await this.release(connection);
      throw error;
    }
    recordWait(startedAtMs);
    return connection;
  }

  async release(connection: Connection): Promise<void> {
    const hold = this.#holds.get(connection);
    // A cancellation that arrives late must not hit the statement of the next holder.
    await hold?.cancelling;
    this.#holds.delete(connection);
    connection.isReserved = false;
    connection.givenUp = undefined;
    // An open transaction must not reach the next holder.
    if (connection.isInTransaction() && !connection.isRetired) connection.retire();
    else this.#settle(connection);
    hold?.release();
  }

  usage(): PoolUsage {
    const open = this.#notClosed.size;
    const idle = this.#inService.filter(isFree).length;
    const pending = this.#queues.write.waiting + this.#queues.scan.waiting;
    return { used: open - idle, idle, pending, max: this.#connectionsMax };
  }

  /** Rejects new work. Resolves when everything in flight has ended. */
  close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#idleTimer);
    this.#retireFree(() => true);
    if (this.#notClosed.size === 0) this.#closed.resolve();
    return this.#closed.promise;
  }

  #refuseWhenClosing(): void {
    if (this.#isClosing) throw unavailable(new Error('the database is closed'));
  }

  #open(): Connection {
    const connection = new Connection(this.#config(), this.#events);
    this.#inService.push(connection);
    this.#notClosed.add(connection);
    this.#idleTimer ??= setTimeout(() => this.#retireIdle(), idleMsMax).unref();
    return connection;
  }

  /**
   * Returns the first connection with small reads that has capacity, else a free one, so that few are in use. At most
   * `#readingMax` have reads, so that a holder of a slot always finds a connection.
   */
  #forRead(): Connection {
    const reading = this.#inService.filter((one) => !one.isReserved && one.inFlight > 0);
    const prompt = reading.find((one) => one.inFlight < sharedMax && !one.isHeldUp());
    if (prompt) return prompt;
    if (reading.length < this.#readingMax) return this.#inService.find(isFree) ?? this.#open();
    return reading.reduce((least, one) => (one.inFlight < least.inFlight ? one : least));
  }

  /** Records the holder. If its caller gives up, cancels what it runs, and rejects what it would run next. */
  #hold(connection: Connection, releaseSlot: () => void): void {
    const { signal } = currentWork();
    const giveUp = (): void => {
      connection.givenUp = deadlineExceeded(new Error('the caller gave up'));
      if (connection.inFlight > 0) hold.cancelling = this.#cancel(connection);
    };
    const release = (): void => {
      signal?.removeEventListener('abort', giveUp);
      releaseSlot();
    };
    const hold: Hold = { release, cancelling: undefined };
    this.#holds.set(connection, hold);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp);
  }

  /**
   * Asks the server to cancel the statement of a connection. Never rejects. A commit that waits for a synchronous
   * standby is not cancelled: the server would make it visible although the standby lacks it.
   */
  async #cancel({ processId }: Connection): Promise<void> {
    cancelledStatements.add({});
    const cancel = CompiledQuery.raw(cancelStatement, [processId]);
    await detached(() => this.#forRead().executeQuery(cancel)).catch(() => {});
  }

  /** Runs after each change. Closes the connection if it is retired and free. */
  #settle(connection: Connection): void {
    if (connection.isRetired && isFree(connection)) connection.close();
    if (this.#isClosing) this.#retireFree(() => true);
  }

  #takeOutOfService(connection: Connection, error?: Error): void {
    if (error) this.#logger.warn({ err: error }, 'database connection lost');
    this.#inService.splice(this.#inService.indexOf(connection), 1);
    this.#settle(connection);
  }

  #forget(connection: Connection): void {
    this.#notClosed.delete(connection);
    if (this.#isClosing && this.#notClosed.size === 0) this.#closed.resolve();
  }

  #retireFree(isDue: (connection: Connection) => boolean): void {
    const due = this.#inService.filter((one) => isFree(one) && isDue(one));
    for (const connection of due) connection.retire();
  }

  #retireIdle(): void {
    const since = performance.now() - idleMsMax;
    this.#retireFree((connection) => connection.usedAt <= since);
    const nextMs = Math.min(...this.#inService.map((one) => Math.max(one.usedAt - since, idleCheckMsMin)));
    this.#idleTimer =
      this.#inService.length > 0 ? setTimeout(() => this.#retireIdle(), nextMs).unref() : undefined;
  }
}

/** Whether the connection has neither a holder nor a statement in flight. */
function isFree(connection: Connection): boolean {
  return !connection.isReserved && connection.inFlight === 0;
}
