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
  /** Those that can be used, in the order of their opening. */
  const fit: Connection[] = [];
  /** Those and the ones that are still to be closed. */
  const all = new Set<Connection>();
  const waiting: ((connection: Connection) => void)[] = [];
  const closed = Promise.withResolvers<void>();
  let isClosing = false;
  let idleTimer: NodeJS.Timeout | undefined;

  function refuseWhenClosing(): void {
    if (isClosing) throw unavailable(new Error('the database is closed'));
  }

  function dial(): Connection {
    const connection = connect(config, { onIdle: settle, onUnfit: drop, onClosed: forget });
    fit.push(connection);
    all.add(connection);
    idleTimer ??= setTimeout(closeIdle, idleMsMax).unref();
    return connection;
  }

  function forRead(): Connection {
    let chosen: Connection | undefined;
    let least: Connection | undefined;
    for (const one of fit) {
      if (one.isReserved) continue;
      if (!least || one.inFlight < least.inFlight) least = one;
      // The first that is in use already, else the first that is not.
      if (one.inFlight >= sharedMax || one.isHeldUp()) continue;
      if (!chosen || (chosen.inFlight === 0 && one.inFlight > 0)) chosen = one;
    }
    return chosen ?? (least && fit.length >= connectionsMax ? least : dial());
  }

  /** A connection that nobody uses, or undefined when there can be none now. */
  function takeFree(): Connection | undefined {
    const reserved = fit.reduce((count, one) => count + Number(one.isReserved), 0);
    if (reserved >= connectionsMax - 1) return undefined;
    let connection = fit.find((one) => !one.isReserved && one.inFlight === 0);
    if (!connection && fit.length < connectionsMax) connection = dial();
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
    if (connection.isInTransaction()) connection.discard();
    else settle(connection);
  }

  /** After each change: closes what is idle and not wanted any more, serves who waits. */
  function settle(connection: Connection): void {
    const isIdle = !connection.isReserved && connection.inFlight === 0;
    if (isIdle && !connection.isFit) connection.close();
    while (waiting.length > 0) {
      const free = takeFree();
      if (!free) break;
      waiting.shift()?.(free);
    }
    if (isClosing) closeUnused(() => true);
  }

  function drop(connection: Connection, error?: Error): void {
    if (error) logger.warn({ err: error }, 'database connection lost');
    fit.splice(fit.indexOf(connection), 1);
    settle(connection);
  }

  function forget(connection: Connection): void {
    all.delete(connection);
    if (isClosing && all.size === 0) closed.resolve();
  }

  function closeUnused(isDue: (connection: Connection) => boolean): void {
    const due = fit.filter((one) => !one.isReserved && one.inFlight === 0 && isDue(one));
    for (const connection of due) connection.discard();
  }

  function closeIdle(): void {
    const since = performance.now() - idleMsMax;
    closeUnused((connection) => connection.usedAt <= since);
    const nextMs = Math.min(...fit.map((one) => Math.max(one.usedAt - since, idleCheckMsMin)));
    idleTimer = fit.length > 0 ? setTimeout(closeIdle, nextMs).unref() : undefined;
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
      closeUnused(() => true);
      if (all.size === 0) closed.resolve();
      return closed.promise;
    },
  };
}
