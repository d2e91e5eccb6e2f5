import type { WidgetFile } from '@parley/browser-files/files';
import { formsOf, type Resource, sendFile, unknownRoute } from '../http/resource.ts';

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
        show: async (context) => sendFile(context, await pick(context.request), fields),
      };
    }),
    ...hashed.map(({ file, pick }): Resource => {
      return {
        path: below + file.path.replace(hash, '-:hash'),
        show: async (context) => {
          if (!hash.test(context.request.path)) throw unknownRoute();
          sendFile(context, await pick(context.request), openFields);
        },
      };
    }),
  ];
}
