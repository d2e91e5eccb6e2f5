import type { IncomingMessage } from 'node:http';
import { AppError } from '@parley/runtime/errors';
import { parseJson } from './json.ts';

/** The largest body of a call under an API key (contract, section 1). */
export const bodyBytesMax = 256 * 1024;

/** The largest body of a call that anyone's browser may make. */
export const publicBodyBytesMax = 16 * 1024;

/**
 * Reads and parses a JSON body; undefined when there is none, or an empty one in chunks. 415, 413 (over `bytesMax`), and 400
 * as `parseJson` says.
 */
export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  // Only its end tells that one in chunks is empty, and then its type says nothing.
  if (!isChunked) refuseOtherType(request);
  refuseLargeBody(request, bytesMax);
  const bytes = await readBytes(request, bytesMax);
  if (isChunked && bytes.length === 0) return undefined;
  refuseOtherType(request);
  return parseJson(bytes);
}

function refuseOtherType(request: IncomingMessage): void {
  if (isJson(request)) return;
  throw new AppError('unsupported_media_type', 'unsupported-media-type', 'The body must be application/json');
}

/** 413 when the request announces a body of more than `bytesMax`. */
export function refuseLargeBody(request: IncomingMessage, bytesMax: number): void {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type.trim())) return false;
  return parameters.every((parameter) => {
    const charset = /^charset="?([^"]*)"?$/.exec(parameter.trim())?.[1];
    return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
  });
}

async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new AppError('invalid_argument', 'malformed-request', 'The body ended early', { cause });
  }
  if (bytes <= bytesMax) return Buffer.concat(chunks, bytes);
  // Discards the rest, so that the connection stays usable.
  request.resume();
  throw tooLarge(bytesMax);
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    'payload_too_large',
    'body-too-large',
    `The body must be at most ${bytesMax / 1024} KiB`,
  );
}
