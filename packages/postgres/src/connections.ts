import { unavailable } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { type Connection, connect } from './connection.ts';
import { statementOf } from './statement.ts';

/** So many statements may share a connection before the next is used. */
const sharedMax = 32;
const idleMsMax = 10_000;
const idleCheckMsMin = 1_000;
const waitMsMax = 3_000;

/** The connections of a process to its database: opened when needed, closed after ten idle seconds. */
export interface Connections {
  /** Runs one statement outside of any transaction: a plain read beside others, anything else on its own. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  /** A connection for one holder alone, to be given back. Waits for one for at most three seconds. */
  reserve(): Promise<Connection>;
  giveBack(connection: Connection): void;
  /** Takes no more, and ends when what is under way has ended. */
  close(): Promise<void>;
}

/**
 * Plain reads share as few connections as will do, pipelined: they cannot wait for one another's locks. Transactions and
 * writes have one each, so that a lock holds up nobody else and commits are flushed together; all but one of
 * `connectionsMax` (at least two) can be theirs, so that reads always find one.
 */
export function openConnections(
  config: pg.ClientConfig,
  { connectionsMax, logger }: { connectionsMax: number; logger: Logger },
): Connections {
  /** Those that are not retired, in the order of their opening. */
  const inService: Connection[] = [];
  /** Those and the retired ones. */
  const notClosed = new Set<Connection>();
  const waiting: ((connection: Connection) => void)[] = [];
  const closed = Promise.withResolvers<void>();
  let isClosing = false;
  let idleTimer: NodeJS.Timeout | undefined;

  function refuseWhenClosing(): void {
    if (isClosing) throw unavailable(new Error('the database is closed'));
  }

  function dial(): Connection {
    const events = { onDrained: settle, onRetired: takeOutOfService, onClosed: forget };
    const connection = connect(config, events);
    inService.push(connection);
    notClosed.add(connection);
    idleTimer ??= setTimeout(retireIdle, idleMsMax).unref();
    return connection;
  }

  function forRead(): Connection {
    let chosen: Connection | undefined;
    let least: Connection | undefined;
    for (const one of inService) {
      if (one.isReserved) continue;
      if (!least || one.inFlight < least.inFlight) least = one;
      // The first that is in use already, else the first that is not.
      if (one.inFlight >= sharedMax || one.isHeldUp()) continue;
      if (!chosen || (chosen.inFlight === 0 && one.inFlight > 0)) chosen = one;
    }
    return chosen ?? (least && inService.length >= connectionsMax ? least : dial());
  }

  /** A connection that nobody uses, or undefined when there can be none now. */
  function takeFree(): Connection | undefined {
    const reserved = inService.reduce((count, one) => count + Number(one.isReserved), 0);
    if (reserved >= connectionsMax - 1) return undefined;
    let connection = inService.find(isFree);
    if (!connection && inService.length < connectionsMax) connection = dial();
    if (connection) connection.isReserved = true;
    return connection;
  }

  async function reserve(): Promise<Connection> {
    refuseWhenClosing();
    const connection = takeFree() ?? (await waitForFree());
    await connection.opened;
    return connection;
  }

  function waitForFree(): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const take = (connection: Connection): void => {
      clearTimeout(timer);
      resolve(connection);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(unavailable(new Error('no connection has become free')));
    }, waitMsMax);
    waiting.push(take);
    return promise;
  }

  function giveBack(connection: Connection): void {
    connection.isReserved = false;
    // Nobody else may get what is left of a transaction.
    if (connection.isInTransaction() && !connection.isRetired) connection.retire();
    else settle(connection);
  }

  /** After each change: closes what is retired and free, serves who waits. */
  function settle(connection: Connection): void {
    if (connection.isRetired && isFree(connection)) connection.close();
    while (waiting.length > 0) {
      const free = takeFree();
      if (!free) break;
      waiting.shift()?.(free);
    }
    if (isClosing) retireFree(() => true);
  }

  function takeOutOfService(connection: Connection, error?: Error): void {
    if (error) logger.warn({ err: error }, 'database connection lost');
    inService.splice(inService.indexOf(connection), 1);
    settle(connection);
  }

  function forget(connection: Connection): void {
    notClosed.delete(connection);
    if (isClosing && notClosed.size === 0) closed.resolve();
  }

  function retireFree(isDue: (connection: Connection) => boolean): void {
    const due = inService.filter((one) => isFree(one) && isDue(one));
    for (const connection of due) connection.retire();
  }

  function retireIdle(): void {
    const since = performance.now() - idleMsMax;
    retireFree((connection) => connection.usedAt <= since);
    const nextMs = Math.min(...inService.map((one) => Math.max(one.usedAt - since, idleCheckMsMin)));
    idleTimer = inService.length > 0 ? setTimeout(retireIdle, nextMs).unref() : undefined;
  }

  return {
    run: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      refuseWhenClosing();
      if (statementOf(query.sql).isPlainRead) return forRead().executeQuery<Row>(query);
      const connection = await reserve();
      try {
        return await connection.executeQuery<Row>(query);
      } finally {
        giveBack(connection);
      }
    },
    reserve,
    giveBack,
    close: () => {
      isClosing = true;
      clearTimeout(idleTimer);
      retireFree(() => true);
      if (notClosed.size === 0) closed.resolve();
      return closed.promise;
    },
  };
}

/** Whether nobody uses it: it has neither a holder nor a statement under way. */
function isFree(connection: Connection): boolean {
  return !connection.isReserved && connection.inFlight === 0;
}
