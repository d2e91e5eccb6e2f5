import type { CallOptions } from '@parley/rpc/definition';
import { FairQueue } from '@parley/runtime/scheduling/fair-queue';
import type { Open } from '../../values/personal.ts';
import { renewGrant, watchCaller } from './caller-watch.ts';
import { callOf, type RequestContext } from './request-context.ts';

/** The rest of a list whose first part is in the answer. */
export interface Continuation {
  /** Changes with every row of the rest. */
  digest: string;
  loadNext: LoadNext;
}

/** Loads the next part of a list. `rpc` is called when the request starts. */
type LoadNext = (rpc: () => CallOptions) => Promise<NextPart>;

/** The next items of a list. With `member`, they begin another list, which is the next member of the data. */
interface NextPart {
  items: unknown[];
  loadNext: LoadNext | undefined;
  member?: string;
}

/** A part of a list, as a service answers. */
interface Part<Row, Place> {
  rows: Row[];
  nextAfter?: Place | null | undefined;
  digest?: string | null | undefined;
  isLong?: boolean | null | undefined;
}

/**
 * How many lists of a workspace begin at once in a gateway. Most are short, and calls for them share messages between
 * processes only if many are in flight.
 */
export const listsAtOnceMax = 64;
/** How many parts of long lists, of up to 256 KiB of JSON, a workspace loads at once in a gateway. */
export const partsAtOnceMax = 4;
/** How long the first part of a long list waits for others of its workspace: less than the call has. */
const firstPartWaitMsMax = 8_000;
/** How long a further part waits for others of its workspace: the client has the status 200 and reads on. */
const nextPartWaitMsMax = 60_000;

/** Loads parts of lists in their workspace's turn. */
export interface PartLoader {
  /**
   * Loads the first part of a list. A short list is loaded at once. `load` is called again, without `onlyShort`, for a
   * long one.
   */
  first<First extends Part<unknown, unknown>>(load: (onlyShort: boolean) => Promise<First>): Promise<First>;
  /** Loads a further part of a list, or the first one of a long list. Its slot rests for as long as loading took. */
  next<Part>(load: () => Promise<Part>): Promise<Part>;
}

export function createPartLoader(): PartLoader {
  const inFlightMax = Number.POSITIVE_INFINITY;
  const lists = new FairQueue({ name: 'list', inFlightMax, inFlightPerTenantMax: listsAtOnceMax });
  const parts = new FairQueue({ name: 'part', inFlightMax, inFlightPerTenantMax: partsAtOnceMax });
  const loadPart = async <Part>(load: () => Promise<Part>, mayWaitMs: number): Promise<Part> => {
    const slot = await parts.enter(mayWaitMs);
    try {
      return await load();
    } finally {
      slot.rest(1);
    }
  };
  return {
    first: async (load) => {
      const list = await lists.run(() => load(true));
      return list.isLong ? loadPart(() => load(false), firstPartWaitMsMax) : list;
    },
    next: (load) => loadPart(load, nextPartWaitMsMax),
  };
}

/**
 * Returns the rest of a list; undefined when `first` is all of it. `load` gets the `count` of earlier rows. `then`, if
 * given, loads what follows the list.
 */
export function continuationOf<Row, Place, Shown>(
  first: Part<Row, Place>,
  show: (row: Row) => Shown & Open<Shown>,
  load: (after: Place, rpc: () => CallOptions, count: number) => Promise<Part<Row, Place>>,
  then?: LoadNext,
): Continuation | undefined {
  const loaderAfter = ({ rows, nextAfter }: Part<Row, Place>, countBefore: number): LoadNext | undefined => {
    if (nextAfter === undefined || nextAfter === null) return then;
    const count = countBefore + rows.length;
    return async (rpc) => {
      const part = await load(nextAfter, rpc, count);
      return { items: part.rows.map(show), loadNext: loaderAfter(part, count) };
    };
  };
  const loadNext = loaderAfter(first, 0);
  return loadNext && { digest: first.digest ?? '', loadNext };
}

export const longListDescription =
  'A long list is sent in parts. If a part cannot be loaded, the connection is closed and the body is not complete ' +
  'JSON: send the request again. Allow more time for very large lists.';

/** The time limit of the first part: it may have to wait for others of its workspace. */
export const listTimeoutMs = 10_000;
/** The time limit for loading a further part once it may start: the client has the status 200 already. */
const partTimeoutMs = 20_000;

/**
 * Sends JSON that contains a long list. `begun` ends with the first items of the list, and `ending` closes it. Loads
 * each part when the client has taken the previous one. Throws if a part cannot be loaded: the caller must then close
 * the connection. The server's time-out disconnects a client that stops reading.
 */
export function sendLongList(
  context: RequestContext,
  parts: PartLoader,
  { begun, ending, loadNext }: { begun: string; ending: string; loadNext: LoadNext },
  fields: Record<string, string>,
): Promise<void> | void {
  const { request, response } = context;
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...context.fields, ...fields };
  response.writeHead(200, headers);
  if (request.method === 'HEAD') return void response.end();
  watchCaller(context);
  return sendRest(context, parts, loadNext, ending, write(context, begun));
}

// While a slow client takes a part, only the socket holds it: a suspended function would keep its variables alive.
async function sendRest(
  context: RequestContext,
  parts: PartLoader,
  first: LoadNext,
  ending: string,
  begunTaken: Promise<void> | void,
): Promise<void> {
  await begunTaken;
  for (let loadNext: LoadNext | undefined = first; loadNext && !context.response.destroyed; ) {
    const sent = await sendPart(context, parts, loadNext);
    loadNext = sent.loadNext;
    await sent.taken;
  }
  context.response.end(ending);
}

export async function rpcOfPart(context: RequestContext): Promise<() => CallOptions> {
  await renewGrant(context);
  return () => callOf(context, partTimeoutMs).rpc();
}

async function sendPart(context: RequestContext, parts: PartLoader, load: LoadNext) {
  const { items, loadNext, member } = await parts.next(async () => load(await rpcOfPart(context)));
  const texts = items.map((item) => JSON.stringify(item));
  const text =
    member === undefined ? texts.map((one) => `,${one}`).join('') : `],"${member}":[${texts.join(',')}`;
  return { loadNext, taken: write(context, text) };
}

/** Resolves when the client has taken the text, or is gone. */
export function write({ response, transfers }: RequestContext, text: string): Promise<void> | void {
  if (response.destroyed || response.write(text)) return;
  const release = transfers?.hold(text.length);
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      release?.();
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
