import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, deadlineExceeded } from '@parley/runtime/errors';
import { currentWork, detached, type Work } from '@parley/runtime/scheduling/work';
import type { Kysely } from 'kysely';

/** How many statements of one kind may be in flight: while one commits, the next batch is collected. */
const inFlightMax = 2;
const itemsMax = 64;
/** A statement with as many bytes, by `bytesOf`, gets no more items. */
const bytesMax = 1024 * 1024;

interface Call<Item, Result> {
  item: Item;
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Runs in the trace of the call. */
  inContext: <Value>(run: () => Value) => Value;
}

/**
 * Combines the concurrent writes of many callers into one statement, with one round trip and one commit. `write` gets 1
 * to 64 items, and none after 1 MiB by `bytesOf`. It runs one statement and returns one result for each item, in their
 * order. A single caller does not wait. Tenants take turns in a statement. In a transaction, an item is written
 * immediately and alone.
 *
 * If the database rejects a statement, its items are written one by one, so that an invalid item fails alone.
 * The span of the statement belongs to the trace of the first item.
 */
export function batched<Tables, Item, Result>(
  write: (db: Kysely<Tables>, items: readonly Item[]) => Promise<Result[]>,
  bytesOf: (item: Item) => number,
): (db: Kysely<Tables>, item: Item) => Promise<Result> {
  const queues = new WeakMap<Kysely<Tables>, (item: Item) => Promise<Result>>();
  return (db, item) => {
    if (db.isTransaction) return write(db, [item]).then(only);
    let add = queues.get(db);
    if (!add) {
      add = openQueue((items) => write(db, items), bytesOf);
      queues.set(db, add);
    }
    return add(item);
  };
}

function openQueue<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result[]>,
  bytesOf: (item: Item) => number,
): (item: Item) => Promise<Result> {
  const waiting = new Map<string, Call<Item, Result>[]>();
  let isCollecting = false;
  let inFlight = 0;

  /** Collects the items of one turn of the event loop. */
  const collect = (): void => {
    if (isCollecting || inFlight >= inFlightMax || waiting.size === 0) return;
    isCollecting = true;
    setImmediate(() => {
      isCollecting = false;
      inFlight += 1;
      void send(take(waiting, bytesOf)).finally(() => {
        inFlight -= 1;
        collect();
      });
      collect();
    });
  };

  const send = async (calls: Call<Item, Result>[]): Promise<void> => {
    const items = calls.map((call) => call.item);
    try {
      const results = (await calls[0]?.inContext(() => detached(() => write(items)))) ?? [];
      for (const [index, call] of calls.entries()) call.resolve(results[index] as Result);
    } catch (error) {
      // A lost connection or a time-out affects all items.
      if (calls.length === 1 || error instanceof AppError) {
        for (const call of calls) call.reject(error);
      } else {
        await sendEach(calls);
      }
    }
  };

  /** Writes the items one by one. After a failure of the connection, rejects the rest without writing them. */
  const sendEach = async (calls: Call<Item, Result>[]): Promise<void> => {
    let fault: AppError | undefined;
    for (const call of calls) {
      try {
        if (fault) throw fault;
        const [result] = await call.inContext(() => detached(() => write([call.item])));
        call.resolve(result as Result);
      } catch (error) {
        if (error instanceof AppError) fault = error;
        call.reject(error);
      }
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const inContext = AsyncLocalStorage.snapshot();
      add(waiting, { item, work: currentWork(), resolve, reject, inContext });
      collect();
    });
}

function add<Item, Result>(waiting: Map<string, Call<Item, Result>[]>, call: Call<Item, Result>): void {
  const ofTenant = waiting.get(call.work.tenant);
  if (ofTenant) ofTenant.push(call);
  else waiting.set(call.work.tenant, [call]);
}

/** Removes up to `itemsMax` calls, one of each tenant in turn. Rejects calls whose callers have given up. */
function take<Item, Result>(
  waiting: Map<string, Call<Item, Result>[]>,
  bytesOf: (item: Item) => number,
): Call<Item, Result>[] {
  const taken: Call<Item, Result>[] = [];
  let bytes = 0;
  // A tenant with more calls is added again at the end, where the loop meets it again.
  for (const [tenant, calls] of waiting) {
    if (taken.length === itemsMax || bytes >= bytesMax) break;
    const call = calls.shift();
    waiting.delete(tenant);
    if (calls.length > 0) waiting.set(tenant, calls);
    if (call?.work.signal?.aborted) call.reject(deadlineExceeded(new Error('the caller gave up')));
    else if (call) {
      taken.push(call);
      bytes += bytesOf(call.item);
    }
  }
  return taken;
}

function only<Result>([result]: Result[]): Result {
  return result as Result;
}
