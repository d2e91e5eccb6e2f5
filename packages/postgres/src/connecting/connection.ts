import { unavailable } from '@parley/runtime/errors';
import { inSpan, SpanKind } from '@parley/runtime/telemetry/telemetry';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import pg from 'pg';
import { camelCase } from '../sql/case.ts';
import { connectMsMax, type DatabaseClientConfig, explainRefusal } from './client.ts';
import { classifyFault, isReadOnly, isStalePlan, isUnavailable } from './errors.ts';
import { setUpConnection, type ConnectionSettings } from './setup.ts';
import { statementName } from './statement.ts';

// int8 as a number: our counts and sequences stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The time limit of one statement. A call has about as long. */
export const statementMsMax = 5_000;

/** If the first statement in the pipeline runs longer than this, other reads use another connection. */
const headMsMax = 50;

/** How long the server may take to close the connection after `Terminate`. */
const terminateMsMax = 1_000;

/**
 * A server that answers nothing for so long is lost: it is frozen, or the connection is half open. Longer than its own
 * limit of a statement.
 */
const silenceMsMax = statementMsMax + 1_000;

export interface ConnectionConfig {
  client: DatabaseClientConfig;
  settings: ConnectionSettings;
}

const isStandbyMessage = 'the server is a standby';

/** pg's message of that name. */
interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

interface ConnectionEvents {
  /** The last statement in flight was answered. */
  onDrained(connection: Connection): void;
  /** The connection is retired. `error` is set if the server closed it. */
  onRetired(connection: Connection, error?: Error): void;
  /** Its server is a standby, is read-only or does not answer. Other connections may lead to the same server. */
  onServerLost(): void;
  onClosed(connection: Connection): void;
}

/**
 * A pipelined connection. It accepts statements while others are in flight and answers them in order. An error of one
 * statement does not affect the next. Statements with parameters are prepared by name. A plan that a migration made
 * stale is prepared again.
 *
 *     opening ──▶ open ──▶ retired ──▶ closed
 *        └────────────────────▲
 *
 * `opening`: accepts statements, which wait. `retired`: gets no new work, because it could not be opened, was lost,
 * returned `unavailable`, had a stale plan, was left in a transaction, is idle, or leads to a server that another
 * connection has found to be lost. Statements in flight may still succeed. The pool closes a retired connection when it
 * has no statements in flight and no holder. See connections.ts.
 */
export class Connection implements DatabaseConnection {
  isReserved = false;
  /** Rejects further statements of the holder, except `command`: its caller has given up. */
  givenUp: Error | undefined;
  /** Settles when the connection is no longer opening. Rejects with `unavailable` if it could not be opened. */
  readonly opened: Promise<void>;
  readonly #client: pg.Client;
  readonly #config: ConnectionConfig;
  readonly #events: ConnectionEvents;
  #isOpening = true;
  #isRetired = false;
  #isCorked = false;
  #inFlight = 0;
  #processId = 0;
  #usedAt = performance.now();
  /** Runs while a statement is in flight. Each answer restarts it. */
  #silenceTimer: NodeJS.Timeout | undefined;

  constructor(config: ConnectionConfig, events: ConnectionEvents) {
    this.#client = new pg.Client({ ...config.client, pipeline: true });
    this.#config = config;
    this.#events = events;
    // pg builds rows from the names in this message. Renaming them here avoids a copy of each row.
    this.#client.connection.on('rowDescription', ({ fields }: { fields: pg.FieldDef[] }) => {
      for (const field of fields) field.name = camelCase(field.name);
    });
    // A server reports this when it becomes a standby or stops being one. A pooler passes on both.
    this.#client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby' && parameterValue === 'on')
        this.#leaveServer(new Error(isStandbyMessage));
    });
    this.#client.on('error', (error) => this.retire(error));
    this.#client.on('end', () => {
      this.retire();
      events.onClosed(this);
    });
    this.opened = this.#open();
    // Each statement awaits `opened` and gets the error.
    this.opened.catch(() => {});
  }

  /** When a statement was last answered, or sent to an idle connection; in `performance.now()` time. */
  get usedAt(): number {
    return this.#usedAt;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The server's process for this connection. A pooler announces another one, so the server is asked. */
  get processId(): number {
    return this.#processId;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Whether the first statement in the pipeline is slow. A statement sent now would wait for it. */
  isHeldUp(): boolean {
    return !this.#isOpening && this.#inFlight > 0 && performance.now() - this.#usedAt > headMsMax;
  }

  /** Whether the server has an open transaction, failed or not. */
  isInTransaction(): boolean {
    const status = this.#client.getTransactionStatus();
    return status === 'T' || status === 'E';
  }

  /** Runs a statement. Errors are classified: see errors.ts. */
  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.givenUp) return Promise.reject(this.givenUp);
    return traced(sql, async () => toQueryResult<Row>(await this.#run(sql, parameters)));
  }

  streamQuery(): never {
    throw new Error('Streaming is not supported: read pages instead');
  }

  /** Runs a statement without parameters. Returns its command tag. */
  command(text: string): Promise<string> {
    return traced(text, async () => (await this.#run(text, [])).command);
  }

  /** Excludes the connection from new work. Idempotent. */
  retire(error?: Error): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#events.onRetired(this, error);
  }

  /** Sends `Terminate` and destroys the socket after a second. Nothing may be in flight. */
  close(): void {
    void this.#client.end();
    setTimeout(() => this.#client.connection.stream.destroy(), terminateMsMax).unref();
  }

  async #open(): Promise<void> {
    const { client, settings } = this.#config;
    const silence = setTimeout(() => this.#lose(), connectMsMax + 1_000).unref();
    try {
      await this.#client.connect();
      const { processId, isStandby } = await setUpConnection(this.#client, settings);
      if (isStandby) throw new Error(isStandbyMessage);
      this.#processId = processId;
    } catch (error) {
      this.#client.connection.stream.destroy();
      this.retire();
      // Every cause (a changed password, no file descriptors) is the same for the caller: no statement can run.
      throw unavailable(explainRefusal(error, client.connectionString));
    } finally {
      clearTimeout(silence);
      this.#isOpening = false;
    }
  }

  async #run(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    this.#inFlight += 1;
    if (this.#inFlight === 1) this.#usedAt = performance.now();
    try {
      if (this.#isOpening) await this.opened;
      this.#silenceTimer ??= setTimeout(() => this.#lose(), silenceMsMax).unref();
      return await this.#send(text, values, values.length > 0 ? statementName(text) : undefined);
    } catch (error) {
      if (isStalePlan(error)) {
        this.retire();
        // The statement had no effect: retry it unnamed, which plans it again. A transaction has already failed.
        if (!this.isInTransaction()) {
          return await this.#send(text, values).catch((fault) => this.#rethrow(fault));
        }
      }
      return this.#rethrow(error);
    } finally {
      this.#inFlight -= 1;
      this.#usedAt = performance.now();
      this.#silenceTimer?.refresh();
      if (this.#inFlight === 0) {
        clearTimeout(this.#silenceTimer);
        this.#silenceTimer = undefined;
        this.#events.onDrained(this);
      }
    }
  }

  /** Rejects everything in flight. */
  #lose(): void {
    const error = new Error('Connection terminated: the server does not answer');
    this.#leaveServer(error);
    this.#client.connection.stream.destroy(error);
  }

  #send(text: string, values: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      // A single statement is sent immediately.
      if (!this.isReserved && this.#inFlight > 1) this.#cork();
      this.#client.query({ text, values: values as unknown[], name }, (error: Error | null, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  }

  #leaveServer(error?: Error): void {
    this.retire(error);
    this.#events.onServerLost();
  }

  /** Combines what is sent in one turn of the event loop into one write. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  #rethrow(error: unknown): never {
    const known = classifyFault(error);
    if (isReadOnly(error)) this.#leaveServer();
    else if (isUnavailable(known)) this.retire();
    if (error instanceof Error) Error.captureStackTrace(error);
    throw known;
  }
}

/** Runs `work` in a span if its trace is recorded. */
function traced<T>(text: string, work: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  return inSpan('postgres.query', { kind: SpanKind.CLIENT, attributes, asRoot: 'never' }, work);
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function toQueryResult<Row>(result: pg.QueryResult): QueryResult<Row> {
  // Several statements in one text have several results, which no caller uses.
  if (Array.isArray(result)) return { rows: [] };
  const { command, rowCount, rows } = result;
  return changing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}
