import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';

/** So many statements of one kind may be under way at once: while one is being committed, the next is gathered. */
const underWayMax = 2;
const itemsMax = 64;

interface Call<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Runs in the context of the call: its trace. */
  inContext: <Value>(run: () => Value) => Value;
}

/**
 * Makes one statement of what many callers write at the same moment: one round trip and one commit for all of them.
 * `write` is given 1 to 64 items and answers as many results, in their order; it is one statement. Whoever is alone waits
 * for nobody. In a transaction an item is written at once and by itself.
 *
 * An item that the database refuses costs no other: the items of a refused statement are written one by one. The span of
 * the statement belongs to the trace of the first.
 */
export function gathered<Tables, Item, Result>(
  write: (db: Kysely<Tables>, items: readonly Item[]) => Promise<Result[]>,
): (db: Kysely<Tables>, item: Item) => Promise<Result> {
  const queues = new WeakMap<Kysely<Tables>, (item: Item) => Promise<Result>>();
  return (db, item) => {
    if (db.isTransaction) return write(db, [item]).then(only);
    let add = queues.get(db);
    if (!add) {
      add = openQueue((items) => write(db, items));
      queues.set(db, add);
    }
    return add(item);
  };
}

function openQueue<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Call<Item, Result>[] = [];
  let isGathering = false;
  let underWay = 0;

  /** What comes in the same turn of the event loop goes along. */
  const gather = (): void => {
    if (isGathering || underWay >= underWayMax || waiting.length === 0) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      underWay += 1;
      void send(waiting.splice(0, itemsMax)).finally(() => {
        underWay -= 1;
        gather();
      });
      gather();
    });
  };

  const send = async (calls: Call<Item, Result>[]): Promise<void> => {
    const items = calls.map((call) => call.item);
    try {
      const results = (await calls[0]?.inContext(() => write(items))) ?? [];
      for (const [index, call] of calls.entries()) call.resolve(results[index] as Result);
    } catch (error) {
      // The connection's fault, or one of time, is everybody's.
      if (calls.length === 1 || error instanceof AppError) {
        for (const call of calls) call.reject(error);
      } else {
        await sendEach(calls);
      }
    }
  };

  /** One by one; when the connection fails in the middle, the rest hear of it without being tried. */
  const sendEach = async (calls: Call<Item, Result>[]): Promise<void> => {
    let fault: AppError | undefined;
    for (const call of calls) {
      try {
        if (fault) throw fault;
        const [result] = await call.inContext(() => write([call.item]));
        call.resolve(result as Result);
      } catch (error) {
        if (error instanceof AppError) fault = error;
        call.reject(error);
      }
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject, inContext: AsyncLocalStorage.snapshot() });
      gather();
    });
}

function only<Result>([result]: Result[]): Result {
  return result as Result;
}
