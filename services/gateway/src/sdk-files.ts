import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { WidgetFile } from '@parley/widget/files';
import type { Request } from 'express';
import { entityTag } from './conditional.ts';
import { type File, once, type Resource, sendFile } from './resource.ts';

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Coding = keyof typeof compressions | 'identity';

/** Where the browser SDK is, below whatever prefix. */
export const sdkPath = '/sdk/v1/';

// Any page may load them, also one that isolates itself (COEP).
const openFields = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
};

/**
 * The browser SDK's files, below the prefix of a path: those with a hash in their names may be kept for ever, the others
 * must be asked about each time. Each is compressed once, when it is first asked for.
 */
export function sdkFileResources(files: WidgetFile[], prefix: string): Resource[] {
  return files.map((file) => {
    const fields = file.isImmutable
      ? { ...openFields, 'Cache-Control': 'public, max-age=31536000, immutable' }
      : openFields;
    const forms: Record<Coding, () => Promise<File>> = {
      identity: once(() => formOf(file, 'identity')),
      gzip: once(() => formOf(file, 'gzip')),
      br: once(() => formOf(file, 'br')),
    };
    return {
      path: `${prefix}${sdkPath}${file.path}`,
      show: async (current) => sendFile(current, await forms[codingFor(current.request)](), fields),
    };
  });
}

async function formOf({ type, content }: WidgetFile, coding: Coding): Promise<File> {
  if (coding === 'identity') return { type, content, tag: entityTag(undefined, content) };
  const compressed = await compressions[coding](content);
  return { type, content: compressed, encoding: coding, tag: entityTag(undefined, compressed) };
}

/** The smallest form that the client takes. */
function codingFor(request: Request): Coding {
  if (request.acceptsEncodings('br')) return 'br';
  return request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
}
