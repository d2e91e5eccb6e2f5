import { unavailable } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { Connection } from './connection.ts';
import { type PoolUsage, recordTimeout, recordWait } from './metrics.ts';
import { statementOf } from './statement.ts';

/** How many statements share a connection before the next connection is used. */
const sharedMax = 32;
const idleMsMax = 10_000;
const idleCheckMsMin = 1_000;
const waitMsMax = 3_000;

/**
 * The connections of a process to its database. They are opened on demand and closed after ten idle seconds.
 *
 * Plain reads are pipelined over as few connections as possible: they never wait for each other's locks. Each
 * transaction and each write has its own connection, so that a lock delays no other statement and commits are flushed
 * together.
 * Transactions and writes use all but one of `connectionsMax` (at least two), so that reads always have a connection.
 */
export class Connections {
  readonly #config: pg.ClientConfig;
  readonly #connectionsMax: number;
  readonly #logger: Logger;
  /** The connections that are not retired, in the order of their opening. */
  readonly #inService: Connection[] = [];
  /** All connections that are not closed, retired ones included. */
  readonly #notClosed = new Set<Connection>();
  readonly #waiting: ((connection: Connection) => void)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  readonly #events = {
    onDrained: (connection: Connection): void => this.#settle(connection),
    onRetired: (connection: Connection, error?: Error): void => this.#takeOutOfService(connection, error),
    onClosed: (connection: Connection): void => this.#forget(connection),
  };
  #isClosing = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    config: pg.ClientConfig,
    { connectionsMax, logger }: { connectionsMax: number; logger: Logger },
  ) {
    this.#config = config;
    this.#connectionsMax = connectionsMax;
    this.#logger = logger;
  }

  /** Runs one statement outside of any transaction. Only plain reads share a connection. */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#refuseWhenClosing();
    if (statementOf(query.sql).isPlainRead) return this.#forRead().executeQuery<Row>(query);
    const connection = await this.reserve();
    try {
      return await connection.executeQuery<Row>(query);
    } finally {
      this.release(connection);
    }
  }

  /** Returns a connection for one exclusive holder. Throws `unavailable` if none becomes free in three seconds. */
  async reserve(): Promise<Connection> {
    this.#refuseWhenClosing();
    const startedAtMs = performance.now();
    const connection = this.#takeFree() ?? (await this.#waitForFree());
    await connection.opened;
    recordWait(startedAtMs);
    return connection;
  }

  release(connection: Connection): void {
    connection.isReserved = false;
    // An open transaction must not reach the next holder.
    if (connection.isInTransaction() && !connection.isRetired) connection.retire();
    else this.#settle(connection);
  }

  usage(): PoolUsage {
    const open = this.#notClosed.size;
    const idle = this.#inService.filter(isFree).length;
    return { used: open - idle, idle, pending: this.#waiting.length, max: this.#connectionsMax };
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
    const connection = new Connection(this.#config, this.#events);
    this.#inService.push(connection);
    this.#notClosed.add(connection);
    this.#idleTimer ??= setTimeout(() => this.#retireIdle(), idleMsMax).unref();
    return connection;
  }

  #forRead(): Connection {
    let chosen: Connection | undefined;
    let least: Connection | undefined;
    for (const one of this.#inService) {
      if (one.isReserved) continue;
      if (!least || one.inFlight < least.inFlight) least = one;
      // Prefers the first connection in use over an idle one.
      if (one.inFlight >= sharedMax || one.isHeldUp()) continue;
      if (!chosen || (chosen.inFlight === 0 && one.inFlight > 0)) chosen = one;
    }
    return chosen ?? (least && this.#inService.length >= this.#connectionsMax ? least : this.#open());
  }

  /** Reserves a free connection. Returns undefined if the limit is reached. */
  #takeFree(): Connection | undefined {
    const reserved = this.#inService.reduce((count, one) => count + Number(one.isReserved), 0);
    if (reserved >= this.#connectionsMax - 1) return undefined;
    let connection = this.#inService.find(isFree);
    if (!connection && this.#inService.length < this.#connectionsMax) connection = this.#open();
    if (connection) connection.isReserved = true;
    return connection;
  }

  #waitForFree(): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const take = (connection: Connection): void => {
      clearTimeout(timer);
      resolve(connection);
    };
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(take), 1);
      recordTimeout();
      reject(unavailable(new Error('no connection has become free')));
    }, waitMsMax);
    this.#waiting.push(take);
    return promise;
  }

  /** Runs after each change. Closes the connection if it is retired and free, then serves waiting callers. */
  #settle(connection: Connection): void {
    if (connection.isRetired && isFree(connection)) connection.close();
    while (this.#waiting.length > 0) {
      const free = this.#takeFree();
      if (!free) break;
      this.#waiting.shift()?.(free);
    }
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
