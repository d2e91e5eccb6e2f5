import { unavailable } from '@parley/runtime/errors';
import { inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import pg from 'pg';
import { camelCase } from './case.ts';
import { classifyFault, isStalePlan, isUnavailable } from './errors.ts';
import { statementOf } from './statement.ts';

// int8 as a number: our counts and sequences stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How long the statement in front may take before others had better go elsewhere. */
const headMsMax = 50;

/** How long a server may take to hear that we go. */
const goodbyeMsMax = 1_000;

/**
 * A connection takes statements while others are under way and answers each in its turn; the error of one does not touch
 * the next. Statements with parameters are prepared by name; a plan that a migration has made stale is made anew.
 *
 *     opening ──▶ open ──▶ retired ──▶ closed
 *        └────────────────────▲
 *
 * `opening`: takes statements, which wait. `retired`: gets no new work, since it failed to open, was lost, said
 * `unavailable`, had a stale plan, was left in a transaction or is not needed; what is under way may still end well. It is
 * closed when it has neither statements under way nor a holder. Until it is retired it is free, shared by plain reads
 * (`inFlight`) or one holder's (`isReserved`): see connections.ts.
 */
export interface Connection extends DatabaseConnection {
  /** Whether somebody has it to themselves. */
  isReserved: boolean;
  /** When it last got or answered a statement; of `performance.now()`. */
  readonly usedAt: number;
  /** Statements without an answer. */
  readonly inFlight: number;
  readonly isRetired: boolean;
  /** Whether the statement in front takes long: whatever is sent now would wait for it. */
  isHeldUp(): boolean;
  /** Whether a transaction was begun and not ended. */
  isInTransaction(): boolean;
  /** Settles when it is no longer opening; rejects with the reason why it could not be opened. */
  opened: Promise<void>;
  /** Answers the command tag. */
  command(text: string): Promise<string>;
  retire(): void;
  /** Says goodbye to the server, and hangs up after a second. Nothing may be under way. */
  close(): void;
}

interface ConnectionEvents {
  /** The last statement under way was answered. */
  onDrained(connection: Connection): void;
  /** It is retired; `error` when the server has cut it. */
  onRetired(connection: Connection, error?: Error): void;
  onClosed(connection: Connection): void;
}

/** Begins to open a connection; without one all is `unavailable`. Faults of statements are classified (see errors.ts). */
export function connect(config: pg.ClientConfig, events: ConnectionEvents): Connection {
  const client = new pg.Client({ ...config, pipeline: true });
  // pg makes its rows of the names in this message: renamed here, rows need not be copied.
  client.connection.on('rowDescription', ({ fields }: { fields: pg.FieldDef[] }) => {
    for (const field of fields) field.name = camelCase(field.name);
  });
  let isOpening = true;
  let isRetired = false;
  let isCorked = false;
  let inFlight = 0;
  let usedAt = performance.now();

  const retire = (error?: Error): void => {
    if (isRetired) return;
    isRetired = true;
    events.onRetired(connection, error);
  };

  async function open(): Promise<void> {
    try {
      await client.connect();
    } catch (error) {
      client.connection.stream.destroy();
      retire();
      // Whatever it is, a password that was changed or no descriptor left: no statement is to blame, and all fail alike.
      throw unavailable(error);
    } finally {
      isOpening = false;
    }
  }

  /** What is sent in one turn of the event loop goes out in one write. */
  function cork(): void {
    if (isCorked) return;
    isCorked = true;
    const { stream } = client.connection;
    stream.cork();
    setImmediate(() => {
      isCorked = false;
      stream.uncork();
    });
  }

  function send(text: string, values: readonly unknown[], name?: string): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      // Alone, it goes at once.
      if (!connection.isReserved && inFlight > 1) cork();
      client.query({ text, values: values as unknown[], name }, (error: Error | null, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  }

  async function run(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    inFlight += 1;
    if (inFlight === 1) usedAt = performance.now();
    try {
      if (isOpening) await connection.opened;
      return await send(text, values, values.length > 0 ? statementOf(text).name : undefined);
    } catch (error) {
      if (isStalePlan(error)) {
        retire();
        // Nothing has happened yet. Without a name it is planned anew; in a transaction it is too late for that.
        if (!connection.isInTransaction()) return await send(text, values).catch(rethrow);
      }
      return rethrow(error);
    } finally {
      inFlight -= 1;
      usedAt = performance.now();
      if (inFlight === 0) events.onDrained(connection);
    }
  }

  function rethrow(error: unknown): never {
    const known = classifyFault(error);
    if (isUnavailable(known)) retire();
    if (error instanceof Error) Error.captureStackTrace(error);
    throw known;
  }

  const connection: Connection = {
    isReserved: false,
    get usedAt() {
      return usedAt;
    },
    get inFlight() {
      return inFlight;
    },
    get isRetired() {
      return isRetired;
    },
    isHeldUp: () => !isOpening && inFlight > 0 && performance.now() - usedAt > headMsMax,
    isInTransaction: () => ['T', 'E'].includes(client.getTransactionStatus() ?? ''),
    opened: open(),
    executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
      traced(sql, async () => toQueryResult<Row>(await run(sql, parameters))),
    streamQuery: () => {
      throw new Error('Rows are not streamed: ask for them in pages');
    },
    command: (text) => traced(text, async () => (await run(text, [])).command),
    retire: () => retire(),
    close: () => {
      void client.end();
      setTimeout(() => client.connection.stream.destroy(), goodbyeMsMax).unref();
    },
  };
  // Whoever needs the connection waits for it and hears of it.
  connection.opened.catch(() => {});
  client.on('error', retire);
  client.on('end', () => {
    retire();
    events.onClosed(connection);
  });
  return connection;
}

/** Inside a span where one is recorded: a trace that is not would only cost. */
function traced<T>(text: string, work: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  return inSpan('postgres.query', { kind: SpanKind.CLIENT, attributes, asRoot: 'never' }, work);
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function toQueryResult<Row>(result: pg.QueryResult): QueryResult<Row> {
  // Several statements in one text have several results, of which nobody wants any.
  if (Array.isArray(result)) return { rows: [] };
  const { command, rowCount, rows } = result;
  return changing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}
