import { setTimeout } from 'node:timers/promises';
import type { CallOptions } from '@parley/rpc/definition';
import { watchCaller } from './caller-watch.ts';
import { type PartLoader, rpcOfPart, writeText } from './long-list.ts';
import type { RequestContext } from './request-context.ts';

interface Part {
  text: string;
  /** Undefined after the last part. */
  loadNext: LoadPart | undefined;
  /** How long the next part is waited for before it is loaded. Others may load theirs meanwhile. */
  pauseMs: number;
}

/** Loads the next part of a stream. `rpc` is called when the request starts. */
export type LoadPart = (rpc: () => CallOptions) => Promise<Part>;

/** An answer without an envelope, of any length. */
export interface Stream extends Disposable {
  type: string;
  fileName: string;
  first: Part;
}

/** A file of limited size, without an envelope. Browsers save it and never show it as a page of this site. */
export interface FileAnswer {
  type: string;
  name: string;
  content: string | Buffer;
}

/** Returns the header fields of a file. */
export function fileFields({ type, name }: Pick<FileAnswer, 'type' | 'name'>): Record<string, string> {
  return { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
}

/**
 * A client that reads a kilobyte a second empties the buffers of the kernel, some megabytes, so rarely: until then
 * nothing shows whether it still reads.
 */
export const streamIdleMsMax = 60 * 60_000;

/** How long a stream pauses at a time while other calls have to wait. */
const overloadPauseMs = 250;

interface StreamSource {
  parts: PartLoader;
  overload: { isBusy(): boolean };
}

/**
 * Sends a stream. Loads each part when the client has taken the previous one and the gateway is not overloaded. If a
 * part cannot be loaded, or the gateway stops, it closes the connection, so that the client sees that the stream is not
 * complete.
 */
export async function sendStream(
  context: RequestContext,
  source: StreamSource,
  stream: Stream,
): Promise<void> {
  using _ = stream;
  const { request, response, stopping } = context;
  response.writeHead(200, {
    ...context.fields,
    ...fileFields({ type: stream.type, name: stream.fileName }),
    'Cache-Control': 'no-store',
  });
  if (request.method === 'HEAD') return void response.end();
  watchCaller(context);
  request.socket.setTimeout(streamIdleMsMax);
  const cut = (): void => void response.destroy();
  stopping.addEventListener('abort', cut);
  try {
    if (stopping.aborted) return cut();
    await sendParts(context, source, stream);
  } finally {
    stopping.removeEventListener('abort', cut);
  }
}

// While a slow client takes a part, only the socket holds it: a suspended function would keep its variables alive.
async function sendParts(context: RequestContext, source: StreamSource, { first }: Stream) {
  const { response } = context;
  let sent = sendPart(context, first);
  for (;;) {
    const { loadNext, pauseMs, taken } = sent;
    await taken;
    if (pauseMs > 0) await setTimeout(pauseMs);
    if (!loadNext || response.destroyed) break;
    sent = await loadAndSend(context, source, loadNext);
  }
  if (!response.destroyed) response.end();
}

async function loadAndSend(context: RequestContext, { parts, overload }: StreamSource, load: LoadPart) {
  while (overload.isBusy() && !context.response.destroyed) await setTimeout(overloadPauseMs);
  return sendPart(context, await parts.next(async () => load(await rpcOfPart(context))));
}

function sendPart(context: RequestContext, { text, loadNext, pauseMs }: Part) {
  return { loadNext, pauseMs, taken: writeText(context, text) };
}
