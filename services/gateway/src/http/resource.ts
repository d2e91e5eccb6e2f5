import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { AppError, preconditionFailed } from '@parley/runtime/errors';
import type { Request } from 'express';
import { entityTag, matchesIfMatch, matchesIfNoneMatch } from './conditional.ts';
import { type RequestContext, send } from './request-context.ts';

/** What is no part of the API: a page, a file, a document, which GET and HEAD give as it is, without an envelope. */
export interface Resource {
  /** As Express writes it: parameters after a colon. */
  path: string;
  show(context: RequestContext): Promise<void>;
  /** What POST does; without it there is none. */
  post?(context: RequestContext): Promise<void>;
}

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** What a file holds; `type` is its `Content-Type`. */
interface Content {
  type: string;
  content: string | Buffer;
}

/** A file as it is served. */
interface File extends Content {
  /** For `Content-Encoding`, when the content is compressed. */
  encoding?: string;
  /** Changes with the content. */
  tag: string;
}

/**
 * Sends a file that anyone may keep, but must ask about before it is used again; 304 when the client has it, 412 when it
 * wants another.
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

/** Serves a file as it is, with these header fields. Reads it at the first request. */
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

/** 404 for a path that leads to no resource. */
export function unknownRoute(): AppError {
  return new AppError('not_found', 'unknown-route', 'There is no such route: /docs shows those there are');
}

/** The work, done at the first call; one that failed is done again. */
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

/** Returns the smallest form that a client accepts. Each is compressed once, at its first request. */
export function formsOf({ type, content }: Content): (request: Request) => Promise<File> {
  const formIn = (coding: keyof typeof compressions) =>
    once(async (): Promise<File> => {
      const compressed = await compressions[coding](content);
      return { type, content: compressed, encoding: coding, tag: entityTag(compressed) };
    });
  const br = formIn('br');
  const gzip = formIn('gzip');
  const plain = { type, content, tag: entityTag(content) };
  return async (request) => {
    if (request.acceptsEncodings('br')) return br();
    return request.acceptsEncodings('gzip') ? gzip() : plain;
  };
}
