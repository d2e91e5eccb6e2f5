import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { WidgetFile } from '@parley/browser-files/files';
import type { Request } from 'express';
import { entityTag } from './conditional.ts';
import { type File, once, type Resource, sendFile, unknownRoute } from './resource.ts';

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Coding = keyof typeof compressions | 'identity';

/** Where the browser SDK is, below whatever prefix. */
export const sdkPath = '/sdk/v1/';

// Any page may load them, also one that isolates itself (COEP).
const openFields = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  Vary: 'Accept-Encoding',
};

const foreverFields = { ...openFields, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** What the build puts into names. */
const hash = /-([A-Z0-9]{8})(?=\.js$)/;

/**
 * The browser SDK's files, below the prefix of a path: those with a hash in their names may be kept for ever, the others
 * must be asked about each time. With another hash each is there as well, as it is now and not to be kept: a page may have
 * been loaded before a deployment, or from a copy that is not of the same build. Each is compressed once, when it is first
 * asked for.
 */
export function sdkFileResources(files: WidgetFile[], prefix: string): Resource[] {
  const below = `${prefix}${sdkPath}`;
  const served = files.map((file) => ({ file, pick: formsOf(file) }));
  const hashed = served.filter(({ file }) => file.isImmutable);
  return [
    ...served.map(({ file, pick }): Resource => {
      const fields = file.isImmutable ? foreverFields : openFields;
      return {
        path: below + file.path,
        show: async (current) => sendFile(current, await pick(current.request), fields),
      };
    }),
    ...hashed.map(({ file, pick }): Resource => {
      return {
        path: below + file.path.replace(hash, '-:hash'),
        show: async (current) => {
          if (!hash.test(current.request.path)) throw unknownRoute();
          sendFile(current, await pick(current.request), openFields);
        },
      };
    }),
  ];
}

/** Picks the smallest form that a client takes. Each is compressed once, when it is first asked for. */
export function formsOf(file: Pick<WidgetFile, 'type' | 'content'>): (request: Request) => Promise<File> {
  const forms: Record<Coding, () => Promise<File>> = {
    identity: once(() => formOf(file, 'identity')),
    gzip: once(() => formOf(file, 'gzip')),
    br: once(() => formOf(file, 'br')),
  };
  return (request) => forms[codingFor(request)]();
}

async function formOf(
  { type, content }: Pick<WidgetFile, 'type' | 'content'>,
  coding: Coding,
): Promise<File> {
  if (coding === 'identity') return { type, content, tag: entityTag(content) };
  const compressed = await compressions[coding](content);
  return { type, content: compressed, encoding: coding, tag: entityTag(compressed) };
}

function codingFor(request: Request): Coding {
  if (request.acceptsEncodings('br')) return 'br';
  return request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
}
