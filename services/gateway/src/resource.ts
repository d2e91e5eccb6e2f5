import { AppError, preconditionFailed } from '@parley/runtime/errors';
import { isHeld, isWanted } from './conditional.ts';
import { type Exchange, send } from './exchange.ts';

/** What is no part of the API: a page, a file, a document, which GET and HEAD give as it is, without an envelope. */
export interface Resource {
  /** As Express writes it: parameters after a colon. */
  path: string;
  show(current: Exchange): Promise<void>;
  /** What POST does; without it there is none. */
  post?(current: Exchange): Promise<void>;
}

/** A file as it is served. */
export interface File {
  type: string;
  content: string | Buffer;
  /** For `Content-Encoding`, when the content is compressed. */
  encoding?: string;
  /** Changes with the content. */
  tag: string;
}

/**
 * Sends a file that anyone may keep, but must ask about before it is used again; 304 when the client has it, 412 when it
 * wants another.
 */
export function sendFile(current: Exchange, file: File, fields: Record<string, string> = {}): void {
  const { headers } = current.request;
  const { type, encoding } = file;
  if (!isWanted(headers['if-match'], file.tag)) throw preconditionFailed();
  const kept = { ETag: file.tag, 'Cache-Control': 'public, no-cache', ...fields };
  if (isHeld(headers['if-none-match'], file.tag)) send(current, 304, '', kept);
  else {
    const own = { 'Content-Type': type, ...(encoding !== undefined && { 'Content-Encoding': encoding }) };
    send(current, 200, file.content, { ...own, ...kept });
  }
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
