import type { IncomingMessage } from 'node:http';
import { AppError } from '@parley/runtime/errors';

/** The largest body of a call (contract, section 1). */
export const bodyBytesMax = 256 * 1024;

/** How deep a body may be nested. */
export const depthMax = 64;

/**
 * Reads and parses a JSON body; undefined when there is none. 415 when it is not JSON in UTF-8, 413 when it is larger
 * than 256 KiB, 400 (`malformed-json`) when it cannot be parsed or is nested deeper than 64 levels.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!isJson(request)) {
    throw new AppError(
      'unsupported_media_type',
      'unsupported-media-type',
      'The body must be application/json',
    );
  }
  refuseLargeBody(request);
  const bytes = await readBytes(request);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed('The body is not valid JSON', cause);
  }
  if (deeperThan(depthMax, value)) throw malformed('The body is nested too deeply');
  return value;
}

/** 413 when the request announces a body of more than 256 KiB. */
export function refuseLargeBody(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge();
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

// The rest of a body that is too large is left to the server, which discards it: the connection stays usable.
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) settle(() => reject(tooLarge()));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, bytes)));
    const onClose = (): void => settle(() => reject(malformed('The body ended early')));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function tooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    'body-too-large',
    `The body must be at most ${bodyBytesMax / 1024} KiB`,
  );
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('invalid_argument', 'malformed-json', message, { cause });
}

function deeperThan(levels: number, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => deeperThan(levels - 1, inner));
}
