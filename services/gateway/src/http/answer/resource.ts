import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { AppError, preconditionFailed } from '@parley/runtime/errors';
import type { Request } from 'express';
import { entityTag, matchesIfMatch, matchesIfNoneMatch } from '../request/conditional.ts';
import { type RequestContext, send } from './request-context.ts';

export type Answering = () => Promise<void> | void;

/** A page, file or document outside of the API. GET and HEAD return it without an envelope. */
export interface Resource {
  /** In the form of Express: parameters after a colon. */
  path: string;
  /** A page for people: other spellings of its path lead to it. */
  isPage?: true;
  /** It calls other services: it is refused while there are more calls than they can answer. */
  callsServices?: true;
  show(context: RequestContext): Promise<void>;
  /** Checks a POST, reads its body, and returns what answers it. Without it POST is not allowed. */
  post?(context: RequestContext): Promise<Answering>;
}

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** `type` is the `Content-Type`. */
interface Content {
  type: string;
  content: string | Buffer;
}

interface File extends Content {
  /** The `Content-Encoding` of compressed content. */
  encoding?: string;
  /** Changes with the content. */
  tag: string;
}

/**
 * Sends a file that caches may store but must revalidate. 304 if the client has it, 412 if `If-Match` does not match.
 */
export function sendFile(context: RequestContext, file: File, fields: Record<string, string> = {}): void {
  const { headers } = context.request;
  const { type, encoding } = file;
  if (!matchesIfMatch(headers['if-match'], file.tag)) throw preconditionFailed();
  const kept = { ETag: file.tag, 'Cache-Control': 'public, no-cache', ...fields };
  if (matchesIfNoneMatch(headers['if-none-match'], file.tag)) send(context, 304, '', kept);
  else {
    const own = { 'Content-Type': type, ...(encoding !== undefined && { 'Content-Encoding': encoding }) };
    send(context, 200, file.content, { ...own, ...kept });
  }
}

/** Reads the file at the first request. */
export function fileResource(
  path: string,
  file: string | URL,
  type: string,
  fields: Record<string, string> = {},
): Resource {
  const read = once(async () => {
    const content = await readFile(file);
    return { type, content, tag: entityTag(content) };
  });
  return { path, show: async (context) => sendFile(context, await read(), fields) };
}

export function unknownRoute(): AppError {
  return new AppError('not_found', 'unknown-route', 'There is no such route. See /docs for all routes');
}

/** Returns a function that runs `work` once. It runs failed work again at the next call. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/**
 * Returns a function that selects brotli, gzip or plain content by `Accept-Encoding`. Each is compressed once, at its
 * first request.
 */
export function createEncodingSelector({ type, content }: Content): (request: Request) => Promise<File> {
  const formIn = (coding: keyof typeof compressions) =>
    once(async (): Promise<File> => {
      const compressed = await compressions[coding](content);
      return { type, content: compressed, encoding: coding, tag: entityTag(compressed) };
    });
  const br = formIn('br');
  const gzip = formIn('gzip');
  // Bytes, because slow readers of a text would each hold a copy of it.
  const plain = { type, content: Buffer.from(content), tag: entityTag(content) };
  return async (request) => {
    if (request.acceptsEncodings('br')) return br();
    return request.acceptsEncodings('gzip') ? gzip() : plain;
  };
}
