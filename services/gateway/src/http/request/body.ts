import type { IncomingMessage } from 'node:http';
import { bulkLimits } from '@parley/contracts/limits';
import { AppError } from '@parley/runtime/errors';
import { jsonValuesMax } from '@parley/runtime/json/json';
import { awaitsContinue, requestBody } from './expectation.ts';
import type { Transfers } from './held-bytes.ts';

/** The largest body of a call under an API key: a definition of a large bot fits into it. */
export const bodyBytesMax = 256 * 1024;

/** The largest body of a call under `/public`: anyone may send it, and a customer's longest answer fits into it. */
export const publicBodyBytesMax = 16 * 1024;

/**
 * The largest number of JSON values in a body under `/public`: anyone may send it, and an answer of a customer has some
 * 20 values.
 */
export const publicBodyValuesMax = 1_000;

export interface BodyLimits {
  bytesMax: number;
  /** Of JSON, as `readJson` of the runtime counts them. */
  valuesMax: number;
}

/** The limits of a call under an API key. */
export const bodyLimits: BodyLimits = { bytesMax: bodyBytesMax, valuesMax: jsonValuesMax };

export const publicBodyLimits: BodyLimits = { bytesMax: publicBodyBytesMax, valuesMax: publicBodyValuesMax };

export const bulkBodyLimits: BodyLimits = {
  bytesMax: bulkLimits.bodyBytesMax,
  valuesMax: bulkLimits.bodyValuesMax,
};

/** The limits of bodies under `/public`, for the API description. */
export const publicBodyLimit = `The body has at most ${publicBodyBytesMax / 1024} KiB.`;

/**
 * Reads a JSON body. Returns undefined without a body, and for an empty chunked one. 415 for another type, 413 beyond
 * `bytesMax`, 429 if the client has too many bytes in transfer. A client that waits for `100 Continue` gets it after
 * these checks.
 */
export async function readBody(
  request: IncomingMessage,
  { bytesMax }: BodyLimits,
  transfers?: Transfers,
): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  // A chunked body is known to be empty only at its end, unless it is announced. Its type does not matter then.
  if (!isChunked || awaitsContinue(request)) refuseOtherType(request);
  refuseLargeBody(request, bytesMax);
  const bytesAtMost = isChunked ? bytesMax : Number(request.headers['content-length']);
  transfers?.require(bytesAtMost);
  const release = transfers?.hold(bytesAtMost);
  requestBody(request);
  const bytes = await readBytes(request, bytesMax).finally(release);
  if (isChunked && bytes.length === 0) return undefined;
  refuseOtherType(request);
  return bytes;
}

function refuseOtherType(request: IncomingMessage): void {
  if (isJson(request)) return;
  throw new AppError('unsupported_media_type', 'unsupported-media-type', 'The body must be application/json');
}

/** Throws 413 if the request announces a body of more than `bytesMax`. */
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
  // Discards the rest. The connection stays usable.
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
